package io.sluice.server.urlgroup;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.queue.Turns;
import io.sluice.store.QueueRecord;
import io.sluice.store.Queues;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The queues that name a group as the one their jobs go to. */
public final class GroupQueues {
  private static final int NAMED = 10;

  private final Queues queues;
  private final Turns turns;

  public GroupQueues(Queues queues, Turns turns) {
    this.queues = queues;
    this.turns = turns;
  }

  /** Throws CONFLICT where a queue names the group. */
  void requireNone(String tenant, String group) {
    List<String> naming = naming(tenant, group);
    if (!naming.isEmpty()) {
      String names = naming.stream()
          .limit(NAMED)
          .map(name -> "'" + name + "'")
          .collect(Collectors.joining(", "));
      throw new SluiceException(
          ErrorCode.CONFLICT,
          "this URL group is the urlGroup of " + (naming.size() == 1 ? "queue " : "queues ") + names
              + (naming.size() > NAMED ? " and others" : "")
              + "; delete it with ?force=true to take it away there");
    }
  }

  /** Takes the group away from every queue that names it, and tells of each. */
  void release(String tenant, String group, Consumer<String> released) {
    for (String name : naming(tenant, group)) {
      if (turns.inTurn(tenant, name, () -> release(tenant, name, group))) {
        released.accept(name);
      }
    }
  }

  private boolean release(String tenant, String name, String group) {
    // Looked at again: it may have been changed or removed before its turn came.
    return queues
        .find(tenant, name)
        .filter(queue -> group.equals(queue.settings().urlGroup()))
        .map(queue -> queues.save(queue.settings().withUrlGroup(null)))
        .isPresent();
  }

  private List<String> naming(String tenant, String group) {
    return queues.list(tenant, null, Integer.MAX_VALUE).stream()
        .filter(queue -> group.equals(queue.settings().urlGroup()))
        .map(QueueRecord::name)
        .toList();
  }
}
