package io.sluice.server.backup;

import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.postgres.Migrator;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What is in a schema: its tables in an order in which they can be filled, and its sequences. */
final class Catalog {
  /** A table with its columns, and the tables whose rows its own rows name. */
  record Table(String name, List<String> columns, Set<String> needs) {}

  private final Database database;
  private final String schema;
  private final Set<String> ours;

  Catalog(Database database, String schema, List<Migrator> migrators) {
    this.database = database;
    this.schema = schema;
    this.ours = new TreeSet<>();
    migrators.forEach(migrator -> ours.addAll(migrator.tables()));
  }

  /** Our tables, each after those that it needs. */
  List<Table> tables(Connection connection) throws SQLException {
    return sorted(
        all(connection).stream().filter(table -> ours.contains(table.name)).toList());
  }

  private List<Table> all(Connection connection) throws SQLException {
    try (Call call = database.call(connection, "backup-tables")) {
      return call.set("schema", schema)
          .list(row -> new Table(
              row.getString("name"),
              List.of((String[]) row.getArray("columns").getArray()),
              Set.of((String[]) row.getArray("needs").getArray())));
    }
  }

  private static List<Table> sorted(List<Table> tables) {
    List<Table> sorted = new ArrayList<>();
    Set<String> there = new TreeSet<>();
    List<Table> left = new ArrayList<>(tables);
    while (!left.isEmpty()) {
      List<Table> next =
          left.stream().filter(table -> there.containsAll(table.needs)).toList();
      if (next.isEmpty()) {
        throw new IllegalStateException("tables need each other in a circle: " + left);
      }
      sorted.addAll(next);
      next.forEach(table -> there.add(table.name));
      left.removeAll(next);
    }
    return sorted;
  }

  Map<String, Long> sequences(Connection connection) throws SQLException {
    Map<String, Long> sequences = new LinkedHashMap<>();
    try (Call call = database.call(connection, "backup-sequences")) {
      call.set("schema", schema)
          .each(row -> sequences.put(row.getString("name"), row.getLong("value")));
    }
    return sequences;
  }

  /** The name of a table as SQL wants it. */
  String name(String table) {
    return quoted(schema) + "." + quoted(table);
  }

  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  static String listed(List<String> columns) {
    return String.join(", ", columns.stream().map(Catalog::quoted).toList());
  }
}
