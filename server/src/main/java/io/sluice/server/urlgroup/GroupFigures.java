package io.sluice.server.urlgroup;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.postgres.Times;
import io.sluice.server.rest.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Tells what all instances did for a group. */
public final class GroupFigures {
  /** The attempts of a time. */
  record Deliveries(
      long delivered,
      long failed,
      Map<String, Long> failedByClass,
      double deliveredPerMinute,
      double failedPerMinute) {}

  /** How long receivers took; null where there was no attempt. */
  record Latency(
      @Nullable Double p50, @Nullable Double p95, @Nullable Double p99) {}

  /** What came of all attempts of a time. */
  record Sum(Deliveries deliveries, Latency latencyMs) {}

  /** One attempt as it is shown. */
  record Delivery(
      UUID id,
      UUID jobId,
      Instant at,
      int attempt,
      @Nullable Integer status,
      @JsonProperty("class") @Nullable String errorClass,
      @Nullable String code,
      @Nullable String message,
      long durationMs) {}

  private final Database database;
  private final Tallies tallies;
  private final Json json;
  private final InstantSource clock;

  public GroupFigures(Database database, Tallies tallies, Json json, InstantSource clock) {
    this.database = database;
    this.tallies = tallies;
    this.json = json;
    this.clock = clock;
  }

  /** The sum over whole minutes of about this time until now, with what this instance did just now. */
  Sum sum(UUID group, Duration window) {
    tallies.flush();
    Instant now = clock.instant();
    Instant begin = now.minus(window).truncatedTo(ChronoUnit.MINUTES);
    Adding adding = new Adding();
    database.run(connection -> {
      try (Call call = database.call(connection, "read-group-minutes")) {
        call.set("id", group).set("after", begin.minusMillis(1)).each(adding::add);
        return true;
      }
    });
    return adding.sum(Duration.between(begin, now).toMillis() / 60_000.0);
  }

  private final class Adding {
    private long delivered;
    private long failed;
    private final Map<String, Long> classes = new TreeMap<>();
    private final Latencies latencies = new Latencies();

    void add(ResultSet row) throws SQLException {
      delivered += row.getLong("delivered");
      failed += row.getLong("failed");
      json.tree(row.getString("classes"))
          .propertyStream()
          .forEach(field -> classes.merge(field.getKey(), field.getValue().asLong(), Long::sum));
      Integer[] counts = (Integer[]) row.getArray("latency").getArray();
      for (int i = 0; i < Math.min(counts.length, Latencies.BUCKETS); i++) {
        latencies.add(i, counts[i]);
      }
    }

    Sum sum(double minutes) {
      return new Sum(
          new Deliveries(
              delivered, failed, classes, rate(delivered, minutes), rate(failed, minutes)),
          new Latency(percentile(0.5), percentile(0.95), percentile(0.99)));
    }

    private static double rate(long count, double minutes) {
      return Math.round(count / Math.max(minutes, 1) * 100) / 100.0;
    }

    private @Nullable Double percentile(double share) {
      OptionalDouble found = latencies.percentile(share);
      return found.isPresent() ? found.getAsDouble() : null;
    }
  }

  /** The newest deliveries of a group that are kept, from the one after the given. */
  List<Delivery> recent(UUID group, boolean onlyFailed, @Nullable UUID before, int limit) {
    tallies.flush();
    return database.run(connection -> {
      try (Call call = database.call(connection, "read-group-deliveries")) {
        return call.plannedAnew()
            .set("group", group)
            .setOrNull("before", before)
            .set("only_failed", onlyFailed)
            .set("limit", limit)
            .list(GroupFigures::delivery);
      }
    });
  }

  private static Delivery delivery(ResultSet row) throws SQLException {
    return new Delivery(
        row.getObject("id", UUID.class),
        row.getObject("job", UUID.class),
        Times.read(row, "at"),
        row.getInt("attempt"),
        row.getObject("status", Integer.class),
        row.getString("class"),
        row.getString("code"),
        row.getString("message"),
        row.getLong("duration_ms"));
  }
}
