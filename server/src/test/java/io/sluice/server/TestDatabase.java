package io.sluice.server;

import io.sluice.postgres.Database;
import io.sluice.postgres.PostgresStore;
import io.sluice.postgres.Sql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The server's tables in a schema of their own, without a server. */
public final class TestDatabase implements AutoCloseable {
  private final ServerSettings.DatabaseSettings settings;
  private final ServerDatabase tables;

  private TestDatabase(ServerSettings.DatabaseSettings settings, ServerDatabase tables) {
    this.settings = settings;
    this.tables = tables;
  }

  public static TestDatabase create() {
    ServerSettings.DatabaseSettings settings = TestServer.database(TestServer.newSchema());
    ServerDatabase tables = new ServerDatabase(settings);
    tables.migrate();
    return new TestDatabase(settings, tables);
  }

  public Database database() {
    return tables.database();
  }

  /** The server's statements, for a database of a test's own. */
  public Sql sql() {
    return ServerDatabase.sql(settings.schema());
  }

  /** A connection of its own. */
  public Connection connect() throws SQLException {
    return connect(settings);
  }

  /** A job store in the same schema. */
  public PostgresStore store() {
    return PostgresStore.builder()
        .url(settings.url())
        .user(settings.user())
        .password(settings.password())
        .schema(settings.schema())
        .build();
  }

  /** Runs a statement by hand, as somebody at the database's own prompt would. */
  public void execute(String sql) {
    execute(settings, sql);
  }

  /** The first column of what a statement finds, as text. */
  public List<String> query(String sql) {
    return rows(settings, sql);
  }

  /** Everything in every table, as text. */
  public String dump() {
    return dump(settings);
  }

  static void execute(ServerSettings.DatabaseSettings settings, String sql) {
    try (Connection connection = connect(settings);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static String query(ServerSettings.DatabaseSettings settings, String sql) {
    try (Connection connection = connect(settings)) {
      return texts(connection, sql).getFirst();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The first column of what a statement finds, if it finds anything. */
  static List<String> rows(ServerSettings.DatabaseSettings settings, String sql) {
    try (Connection connection = connect(settings);
        Statement statement = connection.createStatement()) {
      List<String> found = new ArrayList<>();
      if (statement.execute(sql)) {
        try (ResultSet rows = statement.getResultSet()) {
          while (rows.next()) {
            found.add(rows.getString(1));
          }
        }
      }
      return found;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static String dump(ServerSettings.DatabaseSettings settings) {
    try (Connection connection = connect(settings)) {
      StringBuilder dump = new StringBuilder();
      for (String table : texts(connection, """
          select quote_ident(schemaname) || '.' || quote_ident(tablename) from pg_tables
          where schemaname = current_schema() order by 1
          """)) {
        dump.append("== ").append(table).append('\n');
        for (String row : texts(connection, "select t::text from " + table + " t")) {
          dump.append(row).append('\n');
        }
      }
      return dump.toString();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Connection connect(ServerSettings.DatabaseSettings settings) throws SQLException {
    Connection connection =
        DriverManager.getConnection(settings.url(), settings.user(), settings.password());
    connection.setSchema(settings.schema());
    return connection;
  }

  private static List<String> texts(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
      return texts;
    }
  }

  @Override
  public void close() {
    tables.close();
  }
}
