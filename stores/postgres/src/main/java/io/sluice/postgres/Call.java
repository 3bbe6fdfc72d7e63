package io.sluice.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/** One execution of a statement: parameters by name, then rows or a count. */
public final class Call implements AutoCloseable {
  /** Reads one row. */
  public interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  private final Connection connection;
  private final Query query;
  private final PreparedStatement statement;

  Call(Connection connection, Query query) throws SQLException {
    this.connection = connection;
    this.query = query;
    this.statement = connection.prepareStatement(query.text());
  }

  /** Lets the server plan for these very parameters each time: for lists with optional filters. */
  public Call plannedAnew() throws SQLException {
    if (statement.isWrapperFor(PGStatement.class)) {
      statement.unwrap(PGStatement.class).setPrepareThreshold(0);
    }
    return this;
  }

  public Call timeout(int seconds) throws SQLException {
    statement.setQueryTimeout(seconds);
    return this;
  }

  public Call set(String name, int value) throws SQLException {
    return each(name, at -> statement.setInt(at, value));
  }

  public Call set(String name, long value) throws SQLException {
    return each(name, at -> statement.setLong(at, value));
  }

  public Call set(String name, boolean value) throws SQLException {
    return each(name, at -> statement.setBoolean(at, value));
  }

  public Call set(String name, @Nullable String value) throws SQLException {
    return each(name, at -> statement.setString(at, value));
  }

  public Call set(String name, UUID value) throws SQLException {
    return each(name, at -> statement.setObject(at, value));
  }

  public Call setOrNull(String name, @Nullable UUID value) throws SQLException {
    return each(name, at -> statement.setObject(at, value, Types.OTHER));
  }

  public Call setOrNull(String name, @Nullable Long value) throws SQLException {
    return each(name, at -> statement.setObject(at, value, Types.BIGINT));
  }

  public Call setOrNull(String name, @Nullable Integer value) throws SQLException {
    return each(name, at -> statement.setObject(at, value, Types.INTEGER));
  }

  public Call setOrNull(String name, @Nullable Double value) throws SQLException {
    return each(name, at -> statement.setObject(at, value, Types.DOUBLE));
  }

  public Call set(String name, @Nullable Instant value) throws SQLException {
    OffsetDateTime time = Times.offset(value);
    return each(name, at -> statement.setObject(at, time, Types.TIMESTAMP_WITH_TIMEZONE));
  }

  /** Sets an array; the element type is PostgreSQL's name of it. */
  public Call set(String name, String elementType, @Nullable Object @Nullable [] values)
      throws SQLException {
    if (values == null) {
      return each(name, at -> statement.setNull(at, Types.ARRAY));
    }
    var array = connection.createArrayOf(elementType, values);
    return each(name, at -> statement.setArray(at, array));
  }

  /**
   * Sets an array with one field of every row, for {@code unnest} beside other columns. One that has
   * nothing but nulls goes as null, which comes to the same and costs the server less.
   */
  <E, T extends @Nullable Object> Call column(
      String name, String elementType, List<E> rows, Function<E, T> field, IntFunction<T[]> array)
      throws SQLException {
    T[] values = array.apply(rows.size());
    boolean any = false;
    for (int i = 0; i < values.length; i++) {
      values[i] = field.apply(rows.get(i));
      any |= values[i] != null;
    }
    return set(name, elementType, any ? values : null);
  }

  public Call set(String name, List<UUID> values) throws SQLException {
    return set(name, "uuid", values.toArray(UUID[]::new));
  }

  public int update() throws SQLException {
    return statement.executeUpdate();
  }

  public void execute() throws SQLException {
    statement.execute();
  }

  /** Does something with one row. */
  public interface Visitor {
    void visit(ResultSet row) throws SQLException;
  }

  public void each(Visitor visitor) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        visitor.visit(rows);
      }
    }
  }

  /** Runs statements that go together; those that answer with rows have a visitor each, in their order. */
  void each(List<Visitor> visitors) throws SQLException {
    int next = 0;
    boolean answered = statement.execute();
    while (answered || statement.getUpdateCount() >= 0) {
      if (answered) {
        try (ResultSet rows = statement.getResultSet()) {
          while (rows.next()) {
            visitors.get(next).visit(rows);
          }
        }
        next++;
      }
      answered = statement.getMoreResults();
    }
  }

  public <T> List<T> list(Row<T> reader) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      List<T> found = new ArrayList<>();
      while (rows.next()) {
        found.add(reader.read(rows));
      }
      return found;
    }
  }

  /** The only row of a statement that always has one. */
  public <T> T one(Row<T> reader) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      if (!rows.next()) {
        throw new SQLException("no row from " + query.name());
      }
      return reader.read(rows);
    }
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }

  private interface Setter {
    void set(int at) throws SQLException;
  }

  private Call each(String name, Setter setter) throws SQLException {
    boolean found = false;
    List<String> names = query.parameters();
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).equals(name)) {
        setter.set(i + 1);
        found = true;
      }
    }
    if (!found) {
      throw new IllegalArgumentException(query.name() + " has no parameter " + name);
    }
    return this;
  }
}
