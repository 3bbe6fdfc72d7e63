package io.sluice.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections of another source that note every deadlock which the server broke on them. */
final class DeadlockCounter implements PlainSource {
  private static final String DEADLOCK = "40P01";

  private final DataSource source;
  private final List<String> deadlocks = new CopyOnWriteArrayList<>();

  DeadlockCounter(DataSource source) {
    this.source = source;
  }

  /** What the server said of each. */
  List<String> deadlocks() {
    return deadlocks;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return (Connection) watched(source.getConnection(), Connection.class);
  }

  private Object watched(Object target, Class<?> type) {
    return Proxy.newProxyInstance(
        DeadlockCounter.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> wrapped(pass(target, method, arguments)));
  }

  private @Nullable Object wrapped(@Nullable Object answer) {
    if (answer instanceof Statement && !(answer instanceof CallableStatement)) {
      return watched(
          answer, answer instanceof PreparedStatement ? PreparedStatement.class : Statement.class);
    }
    return answer;
  }

  private @Nullable Object pass(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof SQLException cause && DEADLOCK.equals(cause.getSQLState())) {
        deadlocks.add(String.valueOf(cause.getMessage()));
      }
      throw e.getCause();
    }
  }
}
