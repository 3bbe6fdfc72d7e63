package io.sluice.server;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All rows of all tables of a schema, as text, for comparing two of them. */
final class Tables {
  private static final List<String> OF_THE_WORLD = List.of("worker", "server_instance");

  private Tables() {}

  /** Without what is of one world alone: workers and servers. */
  static Map<String, List<String>> of(ServerSettings.DatabaseSettings database) {
    Map<String, List<String>> tables = new TreeMap<>();
    for (String table : TestDatabase.rows(database, """
        select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = '%s' and c.relkind in ('r', 'p') and not c.relispartition
        """.formatted(database.schema()))) {
      if (!OF_THE_WORLD.contains(table)) {
        tables.put(table, rows(database, table));
      }
    }
    return tables;
  }

  private static List<String> rows(ServerSettings.DatabaseSettings database, String table) {
    String row = table.equals("migration")
        // The checksum is of a text with the name of the schema in it.
        ? "(to_jsonb(t) - 'applied_at' - 'checksum')::text"
        : "t::text";
    return TestDatabase.rows(
        database, "select " + row + " from " + database.schema() + "." + table + " t order by 1");
  }
}
