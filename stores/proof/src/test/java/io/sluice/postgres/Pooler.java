package io.sluice.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Connections as a proxy gives them that pools transactions: each transaction, and each statement
 * outside of one, is on another physical connection than the one before. What would leave something
 * in a session is refused, and whatever is found there after a transaction is an error all the same.
 */
final class Pooler implements PlainSource {
  /** What is not allowed, at the start of a statement. */
  private static final Pattern SESSION_COMMAND = Pattern.compile(
      "^(set (?!local |transaction |constraints )|reset |listen |unlisten |prepare |deallocate "
          + "|discard |load |create (local |global )?temp|declare .* with hold).*");

  /** What is not allowed anywhere. */
  private static final Pattern SESSION_CALL =
      Pattern.compile(".*\\b(pg_(try_)?advisory_(un)?lock|into temp|set_config\\([^)]*, ?false).*");

  /** Looked for after every transaction. */
  private static final String LEFT_BEHIND = """
      select concat_ws(', ',
        (select 'prepared: ' || string_agg(name, ' ') from pg_prepared_statements),
        (select 'listens: ' || string_agg(c, ' ') from pg_listening_channels() c))
      """;

  /**
   * Looked for now and then, because it takes longer. The driver sets two things itself, and the isolation
   * begins anew with every transaction.
   */
  private static final String LEFT_ANYWHERE = """
      select concat_ws(', ',
        (select 'advisory locks: ' || count(*) from pg_locks
         where locktype = 'advisory' and pid = pg_backend_pid() having count(*) > 0),
        (select 'temporary: ' || string_agg(relname, ' ') from pg_class
         where relnamespace = pg_my_temp_schema() having count(*) > 0),
        (select 'settings: ' || string_agg(name, ' ') from pg_settings
         where source = 'session'
           and name not in ('application_name', 'extra_float_digits', 'transaction_isolation')))
      """;

  private static final int NOW_AND_THEN = 50;

  private static final Map<Server, Pooler> POOLERS = new ConcurrentHashMap<>();

  private final PGSimpleDataSource physical = new PGSimpleDataSource();
  private final Deque<Connection> free = new ArrayDeque<>();
  private final AtomicInteger returned = new AtomicInteger();

  private Pooler(Server server) {
    physical.setUrl(server.url());
    physical.setPrepareThreshold(0);
  }

  /** The pooler before a server. Its physical connections last as long as the tests do. */
  static Pooler before(Server server) {
    return POOLERS.computeIfAbsent(server, Pooler::new);
  }

  @Override
  public Connection getConnection() {
    return (Connection) Proxy.newProxyInstance(
        Pooler.class.getClassLoader(), new Class<?>[] {Connection.class}, new Logical()::call);
  }

  /** The free one that was used longest ago, but not the one given. */
  private Connection take(@Nullable Connection last) throws SQLException {
    synchronized (free) {
      for (Connection candidate : free) {
        if (!candidate.equals(last)) {
          free.remove(candidate);
          return candidate;
        }
      }
    }
    return physical.getConnection();
  }

  private void giveBack(Connection connection) throws SQLException {
    if (connection.isClosed()) {
      return;
    }
    if (!connection.getAutoCommit()) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
    if (connection.unwrap(PGConnection.class).getPrepareThreshold() != 0) {
      throw refusal("prepareThreshold is not 0");
    }
    look(connection, LEFT_BEHIND);
    if (returned.incrementAndGet() % NOW_AND_THEN == 0) {
      look(connection, LEFT_ANYWHERE);
    }
    synchronized (free) {
      free.addLast(connection);
    }
  }

  private static void look(Connection connection, String query) throws SQLException {
    try (Statement look = connection.createStatement();
        ResultSet row = look.executeQuery(query)) {
      row.next();
      String left = row.getString(1);
      if (!left.isEmpty()) {
        connection.close();
        throw refusal("left behind: " + left);
      }
    }
  }

  private static SQLException refusal(String what) {
    return new SQLException("not behind a pooler of transactions: " + what, "0A000");
  }

  private static void check(String sql, boolean inTransaction) throws SQLException {
    for (String statement : statements(sql)) {
      if (SESSION_COMMAND.matcher(statement).matches()
          || SESSION_CALL.matcher(statement).matches()) {
        throw refusal(statement);
      }
      if (statement.startsWith("set local") && !inTransaction) {
        throw refusal("outside of a transaction: " + statement);
      }
    }
  }

  /** In small letters and without comments; those within the body of a function are looked at as well. */
  private static String[] statements(String sql) {
    return sql.replaceAll("(?m)--.*$", "")
        .replaceAll("\\s+", " ")
        .strip()
        .toLowerCase(Locale.ROOT)
        .split(" ?; ?", -1);
  }

  private static @Nullable Object pass(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** What the client believes to be one connection. */
  private final class Logical {
    private boolean autoCommit = true;
    private boolean closed;
    private @Nullable Connection current;
    private @Nullable Connection last;

    @Nullable
    @SuppressWarnings("ReferenceEquality")
    Object call(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
      return switch (method.getName()) {
        case "getAutoCommit" -> autoCommit;
        case "setAutoCommit" -> {
          end(true);
          autoCommit = (Boolean) arguments[0];
          yield null;
        }
        case "commit", "rollback" -> {
          if (arguments != null) {
            yield pass(held(), method, arguments);
          }
          end(method.getName().equals("commit"));
          yield null;
        }
        case "close" -> {
          end(false);
          closed = true;
          yield null;
        }
        case "isClosed" -> closed;
        case "isWrapperFor" -> ((Class<?>) arguments[0]).isAssignableFrom(PGConnection.class);
        case "unwrap" -> {
          if (autoCommit) {
            throw refusal("the driver's connection outside of a transaction");
          }
          yield pass(held(), method, arguments);
        }
        case "prepareStatement", "createStatement" -> statement(method, arguments);
        case "setTransactionIsolation", "setReadOnly", "setSchema", "setClientInfo" ->
          throw refusal(method.getName());
        case "hashCode" -> System.identityHashCode(proxy);
        case "equals" -> proxy == arguments[0];
        default -> pass(held(), method, arguments);
      };
    }

    private Connection held() throws SQLException {
      Connection connection = current;
      if (connection == null) {
        connection = take(last);
        last = connection;
        connection.setAutoCommit(autoCommit);
        current = connection;
      }
      return connection;
    }

    private void end(boolean commit) throws SQLException {
      Connection connection = current;
      current = null;
      if (connection == null) {
        return;
      }
      if (commit && !autoCommit) {
        connection.commit();
      }
      giveBack(connection);
    }

    private Object statement(Method method, Object @Nullable [] arguments) throws Throwable {
      if (arguments != null && arguments[0] instanceof String sql) {
        check(sql, !autoCommit);
      }
      if (autoCommit) {
        end(true);
      }
      Connection home = held();
      Object target = pass(home, method, arguments);
      Class<?> type =
          target instanceof PreparedStatement ? PreparedStatement.class : Statement.class;
      boolean[] ran = {false};
      return Proxy.newProxyInstance(
          Pooler.class.getClassLoader(), new Class<?>[] {type}, (proxy, called, given) -> {
            if (called.getName().startsWith("execute")) {
              if (autoCommit && ran[0]) {
                throw refusal("a statement used twice outside of a transaction");
              }
              ran[0] = true;
              if (given != null && given[0] instanceof String sql) {
                check(sql, !autoCommit);
              }
            }
            Object answer = pass(target, called, given);
            if (called.getName().equals("close") && autoCommit && home.equals(current)) {
              end(true);
            }
            return answer;
          });
    }
  }
}
