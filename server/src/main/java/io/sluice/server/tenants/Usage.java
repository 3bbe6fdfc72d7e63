package io.sluice.server.tenants;

import io.sluice.Event;
import io.sluice.EventListener;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * What tenants used, by the day (UTC): counted in memory and added to the database every few seconds,
 * so that a request costs no write. What an instance counted since is lost when it is killed.
 */
public final class Usage implements EventListener {
  private static final int FEW = 1_000;

  /** One day of a tenant. A job counts as processed when it ended by work: completed or failed for good. */
  record Day(String day, long processedJobs, long failedJobs, long totalRequests) {}

  private record Key(String tenant, LocalDate day) {}

  private static final class Tally {
    private final AtomicLong processed = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong requests = new AtomicLong();
  }

  /** What was taken out of a tally, to be written or put back. */
  private record Taken(Key key, long processed, long failed, long requests) {
    boolean isSomething() {
      return processed + failed + requests > 0;
    }
  }

  private final Database database;
  private final InstantSource clock;
  private final Map<Key, Tally> tallies = new ConcurrentHashMap<>();
  /** Only touched by the one thread that tells events. */
  private final Set<UUID> failedLately = Collections.newSetFromMap(new LinkedHashMap<>() {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<UUID, Boolean> eldest) {
      return size() > FEW;
    }
  });

  public Usage(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /** Counts a request that was let through. */
  public void request(String tenant) {
    tally(tenant, today()).requests.incrementAndGet();
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.OfJob job) {
      boolean done = job.kind() == Event.Kind.COMPLETED;
      boolean failed = isFailureForGood(job);
      if (done || failed) {
        Tally tally = tally(job.lane().tenant(), LocalDate.ofInstant(job.at(), ZoneOffset.UTC));
        tally.processed.incrementAndGet();
        tally.failed.addAndGet(failed ? 1 : 0);
      }
    }
  }

  /** A dead job is told of twice, as failed and as dead; one that its worker left dead, only as dead. */
  private boolean isFailureForGood(Event.OfJob job) {
    return switch (job.kind()) {
      case FAILED -> !job.willRetry() && failedLately.add(job.job());
      case DEAD -> !failedLately.remove(job.job());
      default -> false;
    };
  }

  private Tally tally(String tenant, LocalDate day) {
    return tallies.computeIfAbsent(new Key(tenant, day), key -> new Tally());
  }

  LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }

  /** Adds to the database what was counted since the last time. */
  public void flush() {
    List<Taken> taken = new ArrayList<>();
    tallies.forEach((key, tally) -> {
      Taken now = new Taken(
          key,
          tally.processed.getAndSet(0),
          tally.failed.getAndSet(0),
          tally.requests.getAndSet(0));
      if (now.isSomething()) {
        taken.add(now);
      }
    });
    if (!taken.isEmpty()) {
      write(taken);
    }
    // Late events of yesterday still find their tally; nobody writes to the day before.
    tallies.keySet().removeIf(key -> key.day.isBefore(today().minusDays(1)));
  }

  private void write(List<Taken> taken) {
    boolean written = false;
    try {
      add(taken);
      written = true;
    } finally {
      if (!written) {
        taken.forEach(this::putBack);
      }
    }
  }

  private void putBack(Taken taken) {
    Tally tally = tally(taken.key.tenant, taken.key.day);
    tally.processed.addAndGet(taken.processed);
    tally.failed.addAndGet(taken.failed);
    tally.requests.addAndGet(taken.requests);
  }

  private void add(List<Taken> taken) {
    database.run(connection -> {
      try (Call call = database.call(connection, "add-usage")) {
        return call.set("tenants", "text", array(taken, t -> t.key.tenant))
            .set("days", "text", array(taken, t -> t.key.day.toString()))
            .set("processed", "bigint", array(taken, Taken::processed))
            .set("failed", "bigint", array(taken, Taken::failed))
            .set("requests", "bigint", array(taken, Taken::requests))
            .update();
      }
    });
  }

  private static Object[] array(List<Taken> taken, Function<Taken, Object> column) {
    return taken.stream().map(column).toArray();
  }

  /** The days of a tenant in a span, both ends included, with what this instance has counted till now. */
  List<Day> read(UUID tenant, LocalDate from, LocalDate to) {
    flush();
    return database.run(connection -> {
      try (Call call = database.call(connection, "read-usage")) {
        return call.set("tenant", tenant)
            .set("from", from.toString())
            .set("to", to.toString())
            .list(row -> new Day(
                row.getString("day"),
                row.getLong("processed_jobs"),
                row.getLong("failed_jobs"),
                row.getLong("total_requests")));
      }
    });
  }
}
