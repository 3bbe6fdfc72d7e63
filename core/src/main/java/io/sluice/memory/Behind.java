package io.sluice.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All that cannot end before some jobs and batches do: what waits for them, the batches that these are in,
 * what waits for those, and so on.
 */
final class Behind {
  private final Shelf shelf;
  /** Each with the one that leads to it; those that the walk begins with lead to themselves. */
  private final Map<UUID, UUID> found = new LinkedHashMap<>();

  Behind(Shelf shelf, Collection<UUID> roots) {
    this.shelf = shelf;
    Deque<UUID> next = new ArrayDeque<>(roots);
    roots.forEach(id -> found.put(id, id));
    while (!next.isEmpty()) {
      UUID id = next.removeFirst();
      for (UUID after : after(id)) {
        if (found.putIfAbsent(after, id) == null) {
          next.add(after);
        }
      }
    }
  }

  private List<UUID> after(UUID id) {
    List<UUID> after = new ArrayList<>();
    for (Tie tie : shelf.links.behind(id)) {
      if (tie.open && tie.to.wait != null) {
        after.add(tie.to.id);
      }
    }
    UUID home = home(id);
    if (home != null) {
      after.add(home);
    }
    return after;
  }

  /** The batch that a job or a batch is in. */
  private @Nullable UUID home(UUID id) {
    JobEntry job = shelf.job(id);
    BatchEntry batch = job == null ? shelf.links.batch(id) : null;
    return job != null ? job.spec.ties().batch() : batch != null ? batch.facts.parent() : null;
  }

  Set<UUID> ids() {
    return found.keySet();
  }

  /** From one of these back to where the walk began; empty when it is none of them. */
  List<UUID> way(UUID id) {
    List<UUID> way = new ArrayList<>();
    UUID next = found.get(id);
    for (UUID at = id; next != null; next = found.get(at)) {
      way.add(at);
      if (at.equals(next)) {
        return way;
      }
      at = next;
    }
    return way;
  }
}
