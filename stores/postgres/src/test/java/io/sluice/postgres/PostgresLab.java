package io.sluice.postgres;

import io.sluice.store.JobStore;
import io.sluice.testkit.ManualClock;
import io.sluice.testkit.StoreLab;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Two stores on one empty schema. The schema of the test before is emptied and used again, unless
 * that test added or dropped days: making one takes longer than most tests.
 */
final class PostgresLab implements StoreLab {
  private static final Map<Server, String> FREE = new ConcurrentHashMap<>();
  private static final int SHELVES = 18;
  private static final List<String> TABLES = List.of(
      "job",
      "job_error",
      "job_log",
      "job_progress",
      "done",
      "ready",
      "later",
      "running",
      "idempotency",
      "expiry",
      "worker",
      "queue_size",
      "lane",
      "queue");

  private final Server server;
  private final String schema;
  private final ManualClock clock = new ManualClock();
  private final PostgresStore first;
  private final boolean pooled;
  private @Nullable PostgresStore second;

  PostgresLab(Server server, boolean pooled) {
    this.server = server;
    String free = FREE.remove(server);
    schema = free == null ? Server.newSchema() : free;
    this.pooled = pooled;
    first = build();
  }

  private PostgresStore build() {
    return server.store(schema).clock(clock).pooled(pooled).build();
  }

  @Override
  public PostgresStore store() {
    return first;
  }

  @Override
  public Optional<JobStore> second() {
    if (second == null) {
      second = build();
    }
    return Optional.of(second);
  }

  @Override
  public ManualClock clock() {
    return clock;
  }

  String schema() {
    return schema;
  }

  @Override
  public void close() {
    if (second != null) {
      second.close();
    }
    first.close();
    int today = Shelves.dayOf(ManualClock.START);
    String same = server.ask("""
        select count(*) = %d and bool_and(day between %d and %d) from %s.shelf
        """.formatted(SHELVES, today, today + 8, schema));
    if (same.equals("t")) {
      StringBuilder deletes = new StringBuilder();
      for (String table : TABLES) {
        deletes.append("delete from ").append(schema).append('.').append(table).append(';');
      }
      server.run(deletes.toString());
      FREE.put(server, schema);
    } else {
      server.run("drop schema if exists " + schema + " cascade");
    }
  }
}
