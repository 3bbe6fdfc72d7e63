package io.sluice.postgres;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Empty schemas for tests. That of a test before is emptied and used again, unless that test added
 * or dropped days: making one takes longer than most tests.
 */
final class Schemas {
  private record Kind(Server server, int today) {}

  private static final Map<Kind, Queue<String>> FREE = new ConcurrentHashMap<>();
  private static final int SHELVES = 18;
  private static final List<String> TABLES = List.of(
      "breaker",
      "link",
      "batch",
      "batch_count",
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
      "queue_taken",
      "tenant_cap",
      "flow_limit",
      "flow_bucket",
      "lane",
      "queue");

  private Schemas() {}

  /** An empty schema, or the name of one that is not there, for a store whose clock shows this day. */
  static String take(Server server, int today) {
    String free = free(server, today).poll();
    return free == null ? Server.newSchema() : free;
  }

  private static Queue<String> free(Server server, int today) {
    return FREE.computeIfAbsent(new Kind(server, today), kind -> new ConcurrentLinkedQueue<>());
  }

  static void giveBack(Server server, String schema, int today) {
    String same = server.ask("""
        select count(*) = %d and bool_and(day between %d and %d) from %s.shelf
        """.formatted(SHELVES, today, today + 8, schema));
    if (same.equals("t")) {
      StringBuilder deletes = new StringBuilder();
      for (String table : TABLES) {
        deletes.append("delete from ").append(schema).append('.').append(table).append(';');
      }
      server.run(deletes.toString());
      free(server, today).add(schema);
    } else {
      server.run("drop schema if exists " + schema + " cascade");
    }
  }
}
