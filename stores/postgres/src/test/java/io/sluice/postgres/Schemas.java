package io.sluice.postgres;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Empty schemas for tests. That of the test before is emptied and used again, unless that test added
 * or dropped days: making one takes longer than most tests.
 */
final class Schemas {
  private record Kind(Server server, int today) {}

  private static final Map<Kind, String> FREE = new ConcurrentHashMap<>();
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

  private Schemas() {}

  /** An empty schema, or the name of one that is not there, for a store whose clock shows this day. */
  static String take(Server server, int today) {
    String free = FREE.remove(new Kind(server, today));
    return free == null ? Server.newSchema() : free;
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
      FREE.put(new Kind(server, today), schema);
    } else {
      server.run("drop schema if exists " + schema + " cascade");
    }
  }
}
