package io.sluice.postgres;

import io.sluice.Predecessor;
import io.sluice.Ties;
import io.sluice.store.Circle;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Refuses new jobs of a batch that wait for what cannot end before the batch does. */
final class Circles {
  /** How far the walk goes: what lies behind so many is not seen. */
  private static final int MOST = 100_000;

  /** One that was found, and the one that led to it. */
  private record Found(UUID via, boolean isBatch) {}

  private final Database database;

  Circles(Database database) {
    this.database = database;
  }

  /** Asks after the batches and predecessors are held: what others add to them is seen, or waits. */
  void refuse(Connection connection, List<Draft> drafts, Set<UUID> own) throws SQLException {
    Map<UUID, Set<UUID>> outside = new TreeMap<>();
    for (Draft draft : drafts) {
      UUID batch = draft.ties().batch();
      if (batch != null && draft.ties().waits()) {
        Set<UUID> named = outside.computeIfAbsent(batch, id -> new HashSet<>());
        draft.ties().after().stream()
            .map(Predecessor::id)
            .filter(id -> !own.contains(id))
            .forEach(named::add);
      }
    }
    for (Map.Entry<UUID, Set<UUID>> entry : outside.entrySet()) {
      Set<UUID> named = entry.getValue();
      Set<UUID> behind = named.isEmpty() ? named : behind(connection, entry.getKey(), named);
      if (!behind.isEmpty()) {
        throw circle(connection, entry.getKey(), drafts, behind).refusal();
      }
    }
  }

  private Set<UUID> behind(Connection connection, UUID batch, Set<UUID> ids) throws SQLException {
    try (Call call = database.call(connection, "behind-batch")) {
      return Set.copyOf(call.set("batch", batch)
          .set("ids", List.copyOf(ids))
          .set("most", MOST)
          .list(row -> row.getObject("id", UUID.class)));
    }
  }

  private Circle circle(Connection connection, UUID batch, List<Draft> drafts, Set<UUID> behind)
      throws SQLException {
    Map<UUID, Found> found = walk(connection, batch);
    for (int place = 0; place < drafts.size(); place++) {
      Ties ties = drafts.get(place).ties();
      for (Predecessor one : ties.after()) {
        if (batch.equals(ties.batch()) && behind.contains(one.id())) {
          return new Circle(place, way(one.id(), found));
        }
      }
    }
    throw new IllegalStateException("none of the jobs names any of " + behind);
  }

  private Map<UUID, Found> walk(Connection connection, UUID batch) throws SQLException {
    Map<UUID, Found> found = new HashMap<>();
    try (Call call = database.call(connection, "ways-behind-batch")) {
      call.set("batch", batch)
          .set("most", MOST)
          .each(row -> found.putIfAbsent(
              row.getObject("id", UUID.class),
              new Found(row.getObject("via", UUID.class), row.getBoolean("is_batch"))));
    }
    return found;
  }

  private static List<Circle.Stop> way(UUID from, Map<UUID, Found> found) {
    List<Circle.Stop> way = new ArrayList<>();
    UUID at = from;
    @Nullable Found stop = found.get(at);
    while (stop != null) {
      way.add(new Circle.Stop(at, stop.isBatch()));
      if (stop.via().equals(at)) {
        return way;
      }
      at = stop.via();
      stop = found.get(at);
    }
    // It lies farther than the ways were followed.
    return way.isEmpty() ? List.of(new Circle.Stop(from, false)) : way;
  }
}
