package io.sluice.postgres;

import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.SluiceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Idempotency keys: who gets a key and who is answered with the job that has it. Keys are taken in
 * sorted order, so that two calls with the same keys wait for each other and never in a circle.
 */
final class Keys {
  private static final int ROUNDS = 20;

  private record Key(int queue, String text) {}

  private record Known(Key key, UUID id, @Nullable JobState state) {}

  private final Database database;

  Keys(Database database) {
    this.database = database;
  }

  /** Takes the keys of these drafts and returns the answers to those that did not get theirs. */
  Map<Draft, Answer> take(Connection connection, Collection<Draft> drafts) throws SQLException {
    Map<Key, Draft> firsts = new LinkedHashMap<>();
    Map<Draft, Draft> repeats = new HashMap<>();
    for (Draft draft : drafts) {
      String text = draft.key();
      if (text != null) {
        Draft first = firsts.putIfAbsent(new Key(draft.queue().id(), text), draft);
        if (first != null) {
          repeats.put(draft, first);
        }
      }
    }
    Map<Draft, Answer> answers = new HashMap<>();
    Map<Key, Draft> open = new LinkedHashMap<>(firsts);
    for (int round = 0; !open.isEmpty(); round++) {
      if (round == ROUNDS) {
        throw new SQLException("idempotency keys change too fast", "40001");
      }
      open.keySet().removeAll(insert(connection, open));
      settle(connection, open, answers);
    }
    repeats.forEach((repeat, first) -> answers.put(repeat, answerLike(repeat, first, answers)));
    return answers;
  }

  /** Gives keys back that were taken for drafts which are not stored after all. */
  void release(Connection connection, List<Draft> drafts) throws SQLException {
    List<Draft> keyed = drafts.stream().filter(draft -> draft.key() != null).toList();
    if (keyed.isEmpty()) {
      return;
    }
    try (Call call = database.call(connection, "drop-keys")) {
      call.set("queues", "int4", keyed.stream().map(d -> d.queue().id()).toArray(Integer[]::new))
          .set("keys", "text", keyed.stream().map(Draft::key).toArray(String[]::new))
          .set("ids", keyed.stream().map(Draft::id).toList())
          .update();
    }
  }

  private Set<Key> insert(Connection connection, Map<Key, Draft> open) throws SQLException {
    List<Key> sorted = sorted(open.keySet());
    try (Call call = database.call(connection, "take-keys")) {
      return new HashSet<>(call.set("queues", "int4", queues(sorted))
          .set("keys", "text", texts(sorted))
          .set("ids", sorted.stream().map(key -> of(open, key).id()).toList())
          .list(row -> new Key(row.getInt("queue"), row.getString("key"))));
    }
  }

  /** Answers those whose key is held by a job that counts, and takes over keys whose job does not. */
  private void settle(Connection connection, Map<Key, Draft> open, Map<Draft, Answer> answers)
      throws SQLException {
    if (open.isEmpty()) {
      return;
    }
    for (Known known : read(connection, sorted(open.keySet()))) {
      Draft draft = of(open, known.key());
      JobState state = known.state();
      if (state != null) {
        answers.put(draft, duplicate(draft, known.id(), state));
        open.remove(known.key());
      } else if (takeOver(connection, known, draft)) {
        open.remove(known.key());
      }
    }
  }

  private List<Known> read(Connection connection, List<Key> keys) throws SQLException {
    try (Call call = database.call(connection, "known-keys")) {
      return call.set("queues", "int4", queues(keys))
          .set("keys", "text", texts(keys))
          .list(row -> {
            int state = row.getInt("state");
            boolean none = row.wasNull();
            return new Known(
                new Key(row.getInt("queue"), row.getString("key")),
                row.getObject("id", UUID.class),
                none ? null : States.state(state));
          });
    }
  }

  private boolean takeOver(Connection connection, Known known, Draft draft) throws SQLException {
    try (Call call = database.call(connection, "take-over-key")) {
      return call.set("queue", known.key().queue())
              .set("key", known.key().text())
              .set("old", known.id())
              .set("id", draft.id())
              .update()
          == 1;
    }
  }

  private static Answer duplicate(Draft draft, UUID id, JobState state) {
    if (draft.job().strict()) {
      return new Answer.Refused(new SluiceException(
          ErrorCode.DUPLICATE_MESSAGE,
          "idempotency key '" + draft.key() + "' belongs to job " + id));
    }
    return Answer.Taken.before(id, state);
  }

  private static Answer answerLike(Draft repeat, Draft first, Map<Draft, Answer> answers) {
    // A first that got its key has no answer yet; whether it waits or is ready is not known here.
    return answers.get(first) instanceof Answer.Taken taken
        ? duplicate(repeat, taken.id(), taken.state())
        : duplicate(repeat, first.id(), JobState.PENDING);
  }

  private static Draft of(Map<Key, Draft> open, Key key) {
    Draft draft = open.get(key);
    if (draft == null) {
      throw new IllegalStateException("an answer about a key that was not asked for");
    }
    return draft;
  }

  private static List<Key> sorted(Collection<Key> keys) {
    List<Key> sorted = new ArrayList<>(keys);
    sorted.sort(Comparator.comparingInt(Key::queue).thenComparing(Key::text));
    return sorted;
  }

  private static Integer[] queues(List<Key> keys) {
    return keys.stream().map(Key::queue).toArray(Integer[]::new);
  }

  private static String[] texts(List<Key> keys) {
    return keys.stream().map(Key::text).toArray(String[]::new);
  }
}
