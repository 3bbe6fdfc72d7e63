package io.sluice.server.urlgroup;

import io.sluice.Uuid7;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.server.rest.Json;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts what this instance delivers, by group, and adds it to the database every few seconds, so that a
 * delivery costs no write. What was counted since the last time is lost when the process is killed.
 */
public final class Tallies {
  /** How long figures of minutes are kept. */
  static final Duration KEPT = Duration.ofHours(24);

  /** So many delivered ones, and so many failed ones, are kept of a group. */
  private static final int DELIVERIES_KEPT = 100;

  private static final Duration TIDY = Duration.ofMinutes(10);

  /** What tells the time, and makes ids. */
  public record Tools(InstantSource clock, LongSupplier nanoTime, Uuid7 ids) {}

  private record Minute(UUID group, Tally.Figures figures) {}

  private record Run(UUID group, Tally.Run run) {}

  private record Recent(UUID id, UUID group, Seen seen) {}

  private final Database database;
  private final Json json;
  private final Tools tools;
  private final UUID instance;
  private final ConcurrentMap<UUID, Tally> tallies = new ConcurrentHashMap<>();
  /** One writing at a time, so that an older word never comes after a newer one. */
  private final ReentrantLock writing = new ReentrantLock();

  private long tidied;

  public Tallies(Database database, Json json, Tools tools) {
    this.database = database;
    this.json = json;
    this.tools = tools;
    this.instance = tools.ids.next();
    this.tidied = tools.nanoTime.getAsLong();
  }

  /** Takes note of an attempt that just ended, for a group as it was when it began. */
  void add(UrlGroup group, Seen seen) {
    long now = tools.nanoTime.getAsLong();
    tallies.compute(group.id(), (id, known) -> {
      Tally tally = known == null ? new Tally(id) : known;
      tally.add(group.power().epoch(), seen, now);
      return tally;
    });
  }

  /** Writes what is not written; to be called every few seconds. */
  public void flush() {
    writing.lock();
    try {
      List<Tally.Taken> taken = new ArrayList<>();
      tallies.values().forEach(tally -> taken.add(tally.take()));
      write(taken);
      tallies
          .keySet()
          .forEach(id -> tallies.computeIfPresent(
              id,
              (key, tally) -> tally.forget(tools.clock.instant().minusSeconds(60)) ? null : tally));
      tidy();
    } finally {
      writing.unlock();
    }
  }

  private void write(List<Tally.Taken> taken) {
    List<Minute> minutes = new ArrayList<>();
    List<Run> runs = new ArrayList<>();
    List<Recent> recent = new ArrayList<>();
    for (Tally.Taken one : taken) {
      one.minutes().forEach(figures -> minutes.add(new Minute(one.group(), figures)));
      one.recent().forEach(seen -> recent.add(new Recent(tools.ids.next(), one.group(), seen)));
      if (one.run() != null) {
        runs.add(new Run(one.group(), one.run()));
      }
    }
    if (minutes.isEmpty() && runs.isEmpty() && recent.isEmpty()) {
      return;
    }
    boolean written = false;
    try {
      database.transact(connection -> {
        writeMinutes(connection, minutes);
        writeRuns(connection, runs);
        writeRecent(connection, recent);
        return true;
      });
      written = true;
    } finally {
      if (!written) {
        taken.forEach(one -> tallies.compute(one.group(), (id, known) -> {
          Tally tally = known == null ? new Tally(id) : known;
          tally.putBack(one);
          return tally;
        }));
      }
    }
  }

  private static <T> @Nullable Object[] column(List<T> rows, Function<T, @Nullable Object> field) {
    return rows.stream().map(field).toArray();
  }

  private void writeMinutes(Connection connection, List<Minute> rows) throws SQLException {
    try (Call call = database.call(connection, "write-group-minutes")) {
      call.set("instance", instance)
          .set("groups", "uuid", column(rows, Minute::group))
          .set(
              "minutes", "timestamptz", column(rows, row -> row.figures.minute().toString()))
          .set("delivered", "bigint", column(rows, row -> row.figures.delivered()))
          .set("failed", "bigint", column(rows, row -> row.figures.failed()))
          .set("classes", "text", column(rows, row -> json.text(row.figures.classes())))
          .set("latencies", "text", column(rows, row -> row.figures.latency()))
          .update();
    }
  }

  private void writeRuns(Connection connection, List<Run> rows) throws SQLException {
    long now = tools.nanoTime.getAsLong();
    try (Call call = database.call(connection, "note-url-group-runs")) {
      call.set("groups", "uuid", column(rows, Run::group))
          .set("epochs", "integer", column(rows, row -> row.run.epoch()))
          .set("successes", "bigint", column(rows, row -> age(now, row.run.success())))
          .set("failures", "bigint", column(rows, row -> age(now, row.run.failure())))
          .set("counts", "bigint", column(rows, row -> row.run.failures()))
          .update();
    }
  }

  private static @Nullable Long age(long now, @Nullable Long then) {
    return then == null ? null : Duration.ofNanos(now - then).toMillis();
  }

  private void writeRecent(Connection connection, List<Recent> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    try (Call call = database.call(connection, "write-group-deliveries")) {
      call.set("ids", "uuid", column(rows, Recent::id))
          .set("groups", "uuid", column(rows, Recent::group))
          .set("times", "timestamptz", column(rows, row -> row.seen.at().toString()))
          .set("jobs", "uuid", column(rows, row -> row.seen.job()))
          .set("attempts", "integer", column(rows, row -> row.seen.attempt()))
          .set("statuses", "integer", column(rows, row -> row.seen.status()))
          .set(
              "classes",
              "text",
              column(rows, row -> failure(row, f -> f.errorClass().name())))
          .set("codes", "text", column(rows, row -> failure(row, Seen.Failure::code)))
          .set("messages", "text", column(rows, row -> failure(row, Seen.Failure::message)))
          .set("durations", "bigint", column(rows, row -> row.seen.durationMs()))
          .set("failed", "boolean", column(rows, row -> row.seen.failure() != null))
          .update();
    }
    try (Call call = database.call(connection, "forget-group-deliveries")) {
      call.set("groups", rows.stream().map(Recent::group).distinct().toList())
          .set("keep", DELIVERIES_KEPT)
          .update();
    }
  }

  private static @Nullable Object failure(Recent row, Function<Seen.Failure, Object> field) {
    Seen.Failure failure = row.seen.failure();
    return failure == null ? null : field.apply(failure);
  }

  /** Forgets old minutes, of all instances, now and then. */
  private void tidy() {
    long now = tools.nanoTime.getAsLong();
    if (now - tidied >= TIDY.toNanos()) {
      tidied = now;
      database.run(connection -> {
        try (Call call = database.call(connection, "forget-group-minutes")) {
          return call.set("before", tools.clock.instant().minus(KEPT).minusSeconds(120))
              .update();
        }
      });
    }
  }
}
