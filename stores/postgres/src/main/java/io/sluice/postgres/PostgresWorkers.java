package io.sluice.postgres;

import io.sluice.store.ClaimRef;
import io.sluice.store.Heartbeat;
import io.sluice.store.LostClaim;
import io.sluice.store.LostWorker;
import io.sluice.store.Strikes;
import io.sluice.store.WorkerRecord;
import io.sluice.store.WorkerSpec;
import io.sluice.store.Workers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Workers and their leases. Signs of life go by connections of their own. */
final class PostgresWorkers implements Workers {
  private record Row(
      long worker, @Nullable String name, Set<String> fragile, int lane, LostClaimRow claim) {}

  private record LostClaimRow(
      ClaimRef ref,
      int attempt,
      Strikes strikes,
      boolean started,
      boolean alone,
      boolean ownLease) {}

  private final Database database;
  private final Database beats;
  private final Catalog catalog;

  PostgresWorkers(Database database, Database beats, Catalog catalog) {
    this.database = database;
    this.beats = beats;
    this.catalog = catalog;
  }

  @Override
  public long register(WorkerSpec spec, Duration lease) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "register")) {
        return call.set("name", spec.name())
            .set("slots", spec.slots())
            .set("types", "text", spec.types().toArray(String[]::new))
            .set("fragile", "text", spec.fragileTypes().toArray(String[]::new))
            .set("lease", Times.micros(lease))
            .one(row -> row.getLong("id"));
      }
    });
  }

  @Override
  public long visit(WorkerSpec spec, Duration lease) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "visit")) {
        return call.set("name", spec.name())
            .set("slots", spec.slots())
            .set("types", "text", spec.types().toArray(String[]::new))
            .set("fragile", "text", spec.fragileTypes().toArray(String[]::new))
            .set("tenant", spec.tenant())
            .set("queue", spec.queue())
            .set("lease", Times.micros(lease))
            .one(row -> row.getLong("id"));
      }
    });
  }

  @Override
  public Heartbeat heartbeat(long worker, Duration lease, Collection<ClaimRef> held) {
    List<ClaimRef> refs = List.copyOf(held);
    return beats.run(connection -> {
      try (Call call = beats.call(connection, "heartbeat")) {
        return call.set("worker", worker)
            .set("lease", Times.micros(lease))
            .set("ids", refs.stream().map(ClaimRef::job).toList())
            .set("turns", "int4", refs.stream().map(ClaimRef::turn).toArray(Integer[]::new))
            .set("workers", "int8", refs.stream().map(ClaimRef::worker).toArray(Long[]::new))
            .one(row -> beat(row, refs));
      }
    });
  }

  private static Heartbeat beat(ResultSet row, List<ClaimRef> refs) throws SQLException {
    Set<ClaimRef> gone = new HashSet<>();
    for (Long place : (Long[]) row.getArray("gone").getArray()) {
      gone.add(refs.get(place.intValue() - 1));
    }
    return new Heartbeat(row.getBoolean("alive"), gone);
  }

  @Override
  public void leave(long worker) {
    beats.run(connection -> {
      try (Call call = beats.call(connection, "leave")) {
        return call.set("worker", worker).update();
      }
    });
  }

  @Override
  public List<LostClaim> held(long worker) {
    return database.run(connection -> {
      List<Row> rows;
      try (Call call = database.call(connection, "held")) {
        rows = call.set("worker", worker).list(PostgresWorkers::read);
      }
      var lanes = catalog.lanes(connection, rows.stream().map(Row::lane).toList());
      return rows.stream().map(row -> claim(row, lanes)).toList();
    });
  }

  @Override
  public List<WorkerRecord> live() {
    return database.run(connection -> {
      try (Call call = database.call(connection, "live")) {
        return call.list(row -> new WorkerRecord(
            row.getLong("id"),
            new WorkerSpec(
                row.getString("name"),
                row.getInt("slots"),
                texts(row, "types"),
                texts(row, "fragile_types"),
                row.getString("tenant"),
                row.getString("queue")),
            Times.read(row, "started_at"),
            Times.read(row, "seen_at"),
            Times.read(row, "lease_until"),
            row.getInt("running")));
      }
    });
  }

  @Override
  public List<LostWorker> lost(int max) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "end-leases")) {
        call.update();
      }
      try (Call call = database.call(connection, "end-own-leases")) {
        call.update();
      }
      List<Row> rows;
      try (Call call = database.call(connection, "lost")) {
        rows = call.set("max", max).list(PostgresWorkers::read);
      }
      try (Call call = database.call(connection, "forget-workers")) {
        call.update();
      }
      return group(connection, rows);
    });
  }

  @Override
  public boolean haveLapsed() {
    return database.run(connection -> {
      try (Call call = database.call(connection, "have-lapsed")) {
        return call.one(row -> row.getBoolean("lapsed"));
      }
    });
  }

  private List<LostWorker> group(Connection connection, List<Row> rows) throws SQLException {
    var lanes = catalog.lanes(connection, rows.stream().map(Row::lane).toList());
    Map<Long, List<Row>> byWorker = new LinkedHashMap<>();
    rows.forEach(
        row -> byWorker.computeIfAbsent(row.worker(), w -> new ArrayList<>()).add(row));
    List<LostWorker> lost = new ArrayList<>();
    byWorker.forEach((worker, claims) -> {
      Row first = claims.getFirst();
      String name = first.name();
      lost.add(new LostWorker(
          worker,
          name == null ? "" : name,
          first.fragile(),
          claims.stream().map(row -> claim(row, lanes)).toList()));
    });
    return lost;
  }

  private static LostClaim claim(Row row, Map<Integer, Catalog.KnownLane> lanes) {
    LostClaimRow claim = row.claim();
    return new LostClaim(
        claim.ref(),
        Catalog.laneOf(lanes, row.lane()),
        claim.attempt(),
        claim.strikes(),
        claim.started(),
        claim.alone(),
        claim.ownLease());
  }

  private static Row read(ResultSet row) throws SQLException {
    return new Row(
        row.getLong("worker"),
        row.getString("name"),
        texts(row, "fragile_types"),
        row.getInt("lane"),
        new LostClaimRow(
            Taken.ref(row),
            row.getInt("attempt"),
            new Strikes(row.getInt("strikes"), row.getInt("suspect")),
            row.getBoolean("started"),
            row.getBoolean("alone"),
            row.getBoolean("own_lease")));
  }

  private static Set<String> texts(ResultSet row, String column) throws SQLException {
    var array = row.getArray(column);
    return array == null ? Set.of() : Set.of((String[]) array.getArray());
  }
}
