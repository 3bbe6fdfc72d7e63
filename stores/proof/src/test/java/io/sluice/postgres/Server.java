package io.sluice.postgres;

import io.sluice.embedded.EmbeddedPostgres;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A PostgreSQL for tests, started once for each version and shared by all test classes. */
enum Server {
  POSTGRES_18,
  POSTGRES_14;

  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private static final Map<Server, EmbeddedPostgres> RUNNING = new ConcurrentHashMap<>();

  /** Connections that nobody uses at the moment. */
  private static final Map<Server, Queue<Connection>> IDLE = new ConcurrentHashMap<>();

  /** The versions whose plans and costs are tested: every one in the long tier, else the newest. */
  static List<Server> measured() {
    return System.getProperty("sluice.tier", "quick").equals("long")
        ? List.of(values())
        : List.of(POSTGRES_18);
  }

  /** The address of the server, which is started when first asked for. */
  String url() {
    return RUNNING.computeIfAbsent(this, Server::start).urlWithPassword();
  }

  private EmbeddedPostgres start() {
    try {
      Path folder = Files.createTempDirectory("sluice-postgres-test");
      EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder(folder)
          .setting("max_locks_per_transaction", "512")
          .setting("max_connections", "400")
          .temporary();
      if (this == POSTGRES_14) {
        builder.binaries(Path.of(System.getProperty("sluice.test.postgres14")));
      }
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A name for a schema that no other test uses. */
  static String newSchema() {
    return "t" + SCHEMAS.incrementAndGet();
  }

  /** Settings for a store in this schema. */
  PostgresStoreBuilder store(String schema) {
    return PostgresStore.builder().url(url()).schema(schema).connections(6);
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }

  /** Waits until a statement on this schema waits for a lock; those of other tests on this server do not count. */
  void awaitBlocked(String schema) {
    Eventually.await(
        "somebody to wait",
        () -> !ask("select count(*) from pg_stat_activity where wait_event_type = 'Lock' "
                + "and query like '%\"" + schema + "\"%'")
            .equals("0"));
  }

  /** Gathers statistics of the tables of a schema, and not of those of all the other tests. */
  void analyze(String schema) {
    run("""
        do $$ declare t regclass;
        begin
          for t in select oid from pg_class where relnamespace = '%s'::regnamespace
            and relkind in ('r', 'p') and not relispartition
          loop
            execute 'analyze ' || t;
          end loop;
        end $$
        """.formatted(schema));
  }

  void run(String sql) {
    use(statement -> statement.execute(sql));
  }

  /** The first column of the first row. */
  String ask(String sql) {
    return use(statement -> {
      try (ResultSet row = statement.executeQuery(sql)) {
        row.next();
        return row.getString(1);
      }
    });
  }

  private Connection idleOrNew(Queue<Connection> idle) throws SQLException {
    Connection free = idle.poll();
    if (free != null && free.isValid(1)) {
      return free;
    }
    if (free != null) {
      free.close();
    }
    return connect();
  }

  /** Makes the partitions of a whole week, as a server has that has run for a while. */
  void makeWeek(String schema) {
    run("""
        select %1$s.make_shelf(kind, day)
        from (values ('job'), ('done')) k (kind), generate_series(
          (select min(day) from %1$s.shelf), (select min(day) from %1$s.shelf) + %2$d) day
        """.formatted(schema, Shelves.DAYS_AHEAD));
  }

  private interface Use<T> {
    T with(Statement statement) throws SQLException;
  }

  /** On a connection that was used for such a question before, where there is one. */
  private <T> T use(Use<T> use) {
    Queue<Connection> idle = IDLE.computeIfAbsent(this, server -> new ConcurrentLinkedQueue<>());
    try {
      Connection connection = idleOrNew(idle);
      boolean isClean = false;
      try (Statement statement = connection.createStatement()) {
        T answer = use.with(statement);
        statement.execute("discard all");
        isClean = true;
        return answer;
      } finally {
        if (isClean) {
          idle.add(connection);
        } else {
          connection.close();
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
