package io.sluice.postgres;

import io.sluice.Breaker;
import io.sluice.BreakerSettings;
import io.sluice.BreakerState;
import io.sluice.Scope;
import io.sluice.store.Breakers;
import io.sluice.store.ProbeGrant;
import io.sluice.store.Tally;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Breakers, each a row that every move, probe and report names by its version. */
final class PostgresBreakers implements Breakers {
  private final Database database;
  private final Runnable changed;

  PostgresBreakers(Database database, Runnable changed) {
    this.database = database;
    this.changed = changed;
  }

  @Override
  public Breaker save(Scope scope, @Nullable BreakerSettings settings) {
    Breakers.check(scope);
    Breaker saved = database.transact(connection -> {
      try (Call call = database.call(connection, "save-breaker")) {
        set(of(call, scope), settings).update();
      }
      return list(connection, scope.tenant(), scope).getFirst();
    });
    changed.run();
    return saved;
  }

  private static Call set(Call call, @Nullable BreakerSettings settings) throws SQLException {
    if (settings == null) {
      return call.setOrNull("threshold", (Double) null)
          .setOrNull("window", (Long) null)
          .setOrNull("minimum", (Integer) null)
          .setOrNull("slow", (Long) null)
          .setOrNull("trip", (Long) null)
          .setOrNull("probes", (Integer) null);
    }
    return call.setOrNull("threshold", (Double) settings.errorThreshold())
        .set("window", settings.window().toMillis())
        .set("minimum", settings.minimumCalls())
        .setOrNull("slow", millis(settings.slowCallThreshold()))
        .set("trip", settings.tripDuration().toMillis())
        .set("probes", settings.halfOpenMaxRequests());
  }

  private static @Nullable Long millis(@Nullable Duration time) {
    return time == null ? null : (Long) time.toMillis();
  }

  private static Call of(Call call, Scope scope) throws SQLException {
    return call.set("tenant", scope.tenant())
        .set("kind", scope.kind().name())
        .set("name", scope.name());
  }

  @Override
  public boolean delete(Scope scope) {
    return announcedIf(updates("delete-breaker", scope));
  }

  @Override
  public Optional<Breaker> find(Scope scope) {
    return database.run(
        connection -> list(connection, scope.tenant(), scope).stream().findFirst());
  }

  @Override
  public List<Breaker> list(@Nullable String tenant) {
    return database.run(connection -> list(connection, tenant, null));
  }

  private List<Breaker> list(Connection connection, @Nullable String tenant, @Nullable Scope scope)
      throws SQLException {
    try (Call call = database.call(connection, "list-breakers")) {
      return call.set("tenant", tenant)
          .set("kind", scope == null ? null : scope.kind().name())
          .set("name", scope == null ? null : scope.name())
          .list(PostgresBreakers::read);
    }
  }

  private static Breaker read(ResultSet row) throws SQLException {
    return new Breaker(
        scope(row),
        settings(row),
        BreakerState.valueOf(row.getString("state")),
        row.getLong("version"),
        Times.read(row, "changed_at"),
        Times.readOrNull(row, "open_until"),
        Times.readOrNull(row, "held_until"),
        new Breaker.Probes(row.getInt("granted"), row.getInt("passed")),
        new Breaker.Calls(row.getLong("calls"), row.getLong("failures")),
        Times.read(row, "as_of"));
  }

  private static Scope scope(ResultSet row) throws SQLException {
    return new Scope(
        Scope.Kind.valueOf(row.getString("kind")), row.getString("tenant"), row.getString("name"));
  }

  private static @Nullable BreakerSettings settings(ResultSet row) throws SQLException {
    Double threshold = row.getObject("error_threshold", Double.class);
    return threshold == null
        ? null
        : new BreakerSettings(
            threshold,
            Duration.ofMillis(row.getLong("window_ms")),
            row.getInt("minimum_calls"),
            Taken.millis(row, "slow_call_ms"),
            Duration.ofMillis(row.getLong("trip_ms")),
            row.getInt("half_open_max"));
  }

  @Override
  public boolean move(Scope scope, long version, BreakerState to) {
    if (to == BreakerState.HALF_OPEN) {
      throw new IllegalArgumentException("a breaker becomes half-open by its first probe");
    }
    return announcedIf(database.run(connection -> {
      try (Call call = database.call(connection, "move-breaker")) {
        return of(call, scope)
                .set("version", version)
                .set("state", to.name())
                .one(row -> row.getInt("moved"))
            == 1;
      }
    }));
  }

  /** Probes, and whether a new period begins with them. */
  private record Granted(ProbeGrant grant, boolean begun) {}

  @Override
  public ProbeGrant probe(Scope scope, int wanted) {
    if (wanted < 1) {
      return ProbeGrant.NONE;
    }
    Granted granted = database.run(connection -> {
      try (Call call = database.call(connection, "probe-breaker")) {
        return of(call, scope).set("wanted", wanted).list(PostgresBreakers::granted).stream()
            .findFirst()
            .orElse(new Granted(ProbeGrant.NONE, false));
      }
    });
    announcedIf(granted.begun());
    return granted.grant();
  }

  private static Granted granted(ResultSet row) throws SQLException {
    return new Granted(
        new ProbeGrant(row.getLong("version"), row.getInt("probes")), row.getBoolean("begun"));
  }

  @Override
  public boolean probed(Scope scope, long version, int passed, int unused) {
    return announcedIf(database.run(connection -> {
      try (Call call = database.call(connection, "report-probes")) {
        return of(call, scope)
                .set("version", version)
                .set("passed", passed)
                .set("unused", unused)
                .update()
            == 1;
      }
    }));
  }

  @Override
  public List<Tally> count(UUID instance, List<Tally> own) {
    if (own.isEmpty()) {
      return List.of();
    }
    return database.run(connection -> {
      try (Call call = database.call(connection, "count-calls")) {
        keys(call, own)
            .set("instance", instance)
            .column("versions", "bigint", own, Tally::version, Long[]::new)
            .column("calls", "bigint", own, t -> t.calls().total(), Long[]::new)
            .column("failures", "bigint", own, t -> t.calls().failed(), Long[]::new)
            .update();
      }
      try (Call call = database.call(connection, "forget-old-counts")) {
        keys(call, own).update();
      }
      try (Call call = database.call(connection, "counts-of-others")) {
        return new ArrayList<>(keys(call, own)
            .set("instance", instance)
            .list(row -> new Tally(
                scope(row),
                row.getLong("version"),
                new Breaker.Calls(row.getLong("calls"), row.getLong("failures")))));
      }
    });
  }

  private static Call keys(Call call, List<Tally> own) throws SQLException {
    return call.column("tenants", "text", own, t -> t.scope().tenant(), String[]::new)
        .column("kinds", "text", own, t -> t.scope().kind().name(), String[]::new)
        .column("names", "text", own, t -> t.scope().name(), String[]::new);
  }

  @Override
  public void hold(Scope scope, Duration time) {
    Breakers.check(scope);
    announcedIf(database.run(connection -> {
      try (Call call = database.call(connection, "hold-scope")) {
        return of(call, scope).set("micros", Times.micros(time)).update() == 1;
      }
    }));
  }

  @Override
  public boolean release(Scope scope) {
    List<Boolean> released = database.run(connection -> {
      try (Call call = database.call(connection, "release-scope")) {
        return of(call, scope).list(row -> row.getBoolean("held"));
      }
    });
    announcedIf(!released.isEmpty());
    return released.contains(true);
  }

  private boolean updates(String query, Scope scope) {
    return database.run(connection -> {
      try (Call call = database.call(connection, query)) {
        return of(call, scope).update() == 1;
      }
    });
  }

  private boolean announcedIf(boolean happened) {
    if (happened) {
      changed.run();
    }
    return happened;
  }
}
