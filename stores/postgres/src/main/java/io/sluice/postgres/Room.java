package io.sluice.postgres;

import io.sluice.Lane;
import io.sluice.Overflow;
import io.sluice.QueueFull;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The room in capped tenants and queues. Whoever wants some holds the rows that count what was taken until
 * the transaction ends, so that one after the other decides; what has ended meanwhile only adds to it.
 */
final class Room {
  private static final class Count {
    private final long maxSize;
    private final long taken;
    private long ended;
    private long wanted;
    private long added;

    Count(ResultSet row) throws SQLException {
      maxSize = row.getLong("max_size");
      taken = row.getLong("taken");
      ended = row.getLong("ended");
    }

    /** What there is; with what comes in before, where each is for itself. */
    long held(boolean together) {
      return taken - ended + (together ? 0 : added);
    }

    long wanted(boolean together) {
      return together ? wanted : 1;
    }

    boolean fits(boolean together) {
      return held(together) + wanted(together) <= maxSize;
    }

    Overflow overflow(String tenant, @Nullable String queue, boolean together) {
      return new Overflow(tenant, queue, held(together), maxSize, wanted(together));
    }
  }

  private final Database database;
  private final Connection connection;
  private final Map<String, Count> tenants = new TreeMap<>();
  private final Map<Integer, Count> queues = new TreeMap<>();

  private Room(Database database, Connection connection) {
    this.database = database;
    this.connection = connection;
  }

  /** Takes hold of what is capped of these drafts' tenants and queues, in order. */
  static Room hold(Database database, Connection connection, List<Draft> drafts)
      throws SQLException {
    Room room = new Room(database, connection);
    String[] tenants = drafts.stream()
        .filter(draft -> draft.queue().tenantCapped())
        .map(draft -> draft.job().lane().tenant())
        .distinct()
        .toArray(String[]::new);
    Integer[] queues = drafts.stream()
        .filter(draft -> draft.queue().capped())
        .map(draft -> draft.queue().id())
        .distinct()
        .toArray(Integer[]::new);
    if (tenants.length > 0) {
      try (Call call = database.call(connection, "hold-capped-tenants")) {
        call.set("tenants", "text", tenants)
            .each(row -> room.tenants.put(row.getString("tenant"), new Count(row)));
      }
    }
    if (queues.length > 0) {
      try (Call call = database.call(connection, "hold-capped-queues")) {
        call.set("queues", "int4", queues)
            .each(row -> room.queues.put(row.getInt("queue"), new Count(row)));
      }
    }
    return room;
  }

  /** Counts the drafts that fit, each for itself or all together, and returns the others, refused. */
  Map<Draft, Answer> take(List<Draft> drafts, boolean together) throws SQLException {
    drafts.forEach(draft -> counts(draft).forEach(count -> count.wanted++));
    Map<Draft, Answer> full = sorted(drafts, together);
    if (!full.isEmpty()) {
      lookAgain();
      full = sorted(drafts, together);
    }
    add();
    return full;
  }

  private Map<Draft, Answer> sorted(List<Draft> drafts, boolean together) {
    tenants.values().forEach(count -> count.added = 0);
    queues.values().forEach(count -> count.added = 0);
    Map<Draft, Answer> full = new HashMap<>();
    for (Draft draft : drafts) {
      Optional<Overflow> overflow = overflow(draft, together);
      if (overflow.isPresent()) {
        full.put(draft, new Answer.Refused(new QueueFull(overflow.get())));
      } else {
        counts(draft).forEach(count -> count.added++);
      }
    }
    return full;
  }

  private Optional<Overflow> overflow(Draft draft, boolean together) {
    Lane lane = draft.job().lane();
    Count queue = queues.get(draft.queue().id());
    if (queue != null && !queue.fits(together)) {
      return Optional.of(queue.overflow(lane.tenant(), lane.queue(), together));
    }
    Count tenant = tenantOf(draft);
    return tenant == null || tenant.fits(together)
        ? Optional.empty()
        : Optional.of(tenant.overflow(lane.tenant(), null, together));
  }

  private @Nullable Count tenantOf(Draft draft) {
    return draft.queue().tenantCapped() ? tenants.get(draft.job().lane().tenant()) : null;
  }

  private List<Count> counts(Draft draft) {
    return Stream.of(
            Optional.ofNullable(queues.get(draft.queue().id())),
            Optional.ofNullable(tenantOf(draft)))
        .flatMap(Optional::stream)
        .toList();
  }

  /** What was read before the wait for others may be old: jobs ended since then. */
  private void lookAgain() throws SQLException {
    if (!tenants.isEmpty()) {
      try (Call call = database.call(connection, "ended-of-tenants")) {
        call.set("tenants", "text", tenants.keySet().toArray(String[]::new))
            .each(row -> renew(tenants, row.getString("tenant"), row.getLong("ended")));
      }
    }
    if (!queues.isEmpty()) {
      try (Call call = database.call(connection, "ended-of-queues")) {
        call.set("queues", "int4", queues.keySet().toArray(Integer[]::new))
            .each(row -> renew(queues, row.getInt("queue"), row.getLong("ended")));
      }
    }
  }

  private static <K> void renew(Map<K, Count> counts, K key, long ended) {
    Count count = counts.get(key);
    if (count != null) {
      count.ended = ended;
    }
  }

  private void add() throws SQLException {
    add("add-to-tenants", "tenants", "text", tenants);
    add("add-to-queues", "queues", "int4", queues);
  }

  private void add(String query, String keys, String type, Map<?, Count> counts)
      throws SQLException {
    if (counts.values().stream().allMatch(count -> count.added == 0)) {
      return;
    }
    try (Call call = database.call(connection, query)) {
      call.set(keys, type, counts.keySet().toArray())
          .set("jobs", "int8", counts.values().stream().map(c -> c.added).toArray(Long[]::new))
          .update();
    }
  }

  /** The queues that were held to their own cap. */
  Set<Integer> queues() {
    return queues.keySet();
  }

  /** The queues of these drafts that were held to the cap of their tenant. */
  Set<Integer> queuesOfTenants(List<Draft> drafts) {
    return drafts.stream()
        .filter(draft -> tenantOf(draft) != null)
        .map(draft -> draft.queue().id())
        .collect(Collectors.toSet());
  }
}
