package io.sluice.postgres;

import java.sql.Connection;
import java.sql.SQLException;

/** Tables as the blocks they consist of, for walks over all rows whatever the indexes are. */
final class Blocks {
  private Blocks() {}

  /** How many blocks a table has. */
  static int of(Database database, Connection connection, String table) throws SQLException {
    try (Call call = database.call(connection, "blocks")) {
      return call.set("schema", database.sql().schema())
          .set("table", table)
          .one(row -> row.getInt("blocks"));
    }
  }

  /** A statement about one table. */
  static Call call(Database database, Connection connection, String query, String table)
      throws SQLException {
    return database.call(connection, database.sql().query(query).about("table", table));
  }

  /** The position before the first row of a block. */
  static String at(int block) {
    return "(" + block + ",0)";
  }
}
