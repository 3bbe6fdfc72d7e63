package io.sluice.postgres;

import io.sluice.ErrorCode;
import io.sluice.Predecessor;
import io.sluice.SluiceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Binds new jobs to those they wait for. These are held before anything is written, so that none of them can
 * end unseen; those that are over already count when all is written. Jobs of the same call need not be held:
 * nobody else sees them.
 */
final class Binder {
  /** Those outside of a call that are over, with their states, and those that are ready meanwhile. */
  record Held(Map<UUID, Short> over, Set<UUID> ready) {
    static final Held NONE = new Held(Map.of(), Set.of());
  }

  private record Link(UUID successor, int place, Predecessor predecessor) {}

  private final Database database;
  private final Circles circles;

  Binder(Database database) {
    this.database = database;
    this.circles = new Circles(database);
  }

  /** Counts these jobs as members of their batches. */
  void count(Connection connection, List<Draft> drafts) throws SQLException {
    Map<UUID, Long> members = new TreeMap<>();
    for (Draft draft : drafts) {
      UUID batch = draft.ties().batch();
      if (batch != null) {
        members.merge(batch, 1L, Long::sum);
      }
    }
    for (Map.Entry<UUID, Long> entry : members.entrySet()) {
      try (Call call = database.call(connection, "grow-batch")) {
        call.set("id", entry.getKey()).set("members", entry.getValue()).update();
      }
    }
  }

  /**
   * Takes hold of all that these jobs wait for. Fails when there is one that nobody knows, or that waits for
   * the batch of the job that names it.
   */
  Held hold(Connection connection, List<Draft> drafts) throws SQLException {
    Set<UUID> own = new HashSet<>();
    drafts.forEach(draft -> own.add(draft.id()));
    Map<String, Set<UUID>> outside = new TreeMap<>();
    for (Draft draft : drafts) {
      for (Predecessor one : draft.ties().after()) {
        if (!own.contains(one.id())) {
          outside
              .computeIfAbsent(draft.job().lane().tenant(), tenant -> new HashSet<>())
              .add(one.id());
        }
      }
    }
    if (outside.isEmpty()) {
      return Held.NONE;
    }
    Held held = new Held(new TreeMap<>(), new HashSet<>());
    for (Map.Entry<String, Set<UUID>> entry : outside.entrySet()) {
      hold(connection, entry.getKey(), entry.getValue(), held);
    }
    circles.refuse(connection, drafts, own);
    return held;
  }

  private void hold(Connection connection, String tenant, Set<UUID> ids, Held held)
      throws SQLException {
    Set<UUID> missing = new HashSet<>(ids);
    try (Call call = database.call(connection, "hold-predecessors")) {
      call.set("ids", List.copyOf(ids)).set("tenant", tenant).each(row -> {
        UUID id = row.getObject("held", UUID.class);
        missing.remove(id);
        short state = row.getShort("outcome");
        if (!row.wasNull()) {
          held.over().put(id, state);
        }
        if (row.getBoolean("ready")) {
          held.ready().add(id);
        }
      });
    }
    if (!missing.isEmpty()) {
      UUID first = missing.stream().min(UUID::compareTo).orElseThrow();
      throw new SluiceException(ErrorCode.NOT_FOUND, "after: there is no job or batch " + first);
    }
  }

  /** Writes down who waits for whom. */
  void link(Connection connection, List<Draft> drafts) throws SQLException {
    List<Link> links = new ArrayList<>();
    for (Draft draft : drafts) {
      List<Predecessor> after = draft.ties().after();
      for (int place = 0; place < after.size(); place++) {
        links.add(new Link(draft.id(), place, after.get(place)));
      }
    }
    if (links.isEmpty()) {
      return;
    }
    try (Call call = database.call(connection, "insert-links")) {
      call.column("successors", "uuid", links, Link::successor, UUID[]::new)
          .column("places", "int4", links, Link::place, Integer[]::new)
          .column("predecessors", "uuid", links, link -> link.predecessor().id(), UUID[]::new)
          .column("names", "text", links, link -> link.predecessor().name(), String[]::new)
          .update();
    }
  }

  /** Has those count that were over before the jobs came, now that these and their links are written. */
  Woken wake(Connection connection, List<Draft> drafts, Held held) throws SQLException {
    if (held.over().isEmpty()) {
      return Woken.NOTHING;
    }
    try (Call call = database.call(connection, "wake-new")) {
      return call.set("ids", List.copyOf(held.over().keySet()))
          .set("states", "int2", held.over().values().toArray(Short[]::new))
          .set("jobs", drafts.stream().map(Draft::id).toList())
          .one(Woken::read);
    }
  }
}
