package io.sluice.benchmarks;

import io.sluice.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The PostgreSQL of a run, durable as it would be in earnest, and gone afterwards. It keeps the segments
 * of its write-ahead log, as one that is in use for long has them: making new ones stops all writers.
 */
public final class Database implements AutoCloseable {
  private final Path folder;
  private final EmbeddedPostgres postgres;

  public Database() throws IOException {
    folder = Files.createTempDirectory("sluice-benchmark");
    postgres = EmbeddedPostgres.builder(folder)
        .setting("max_wal_size", "4GB")
        .setting("min_wal_size", "2GB")
        .start();
  }

  public String url() {
    return postgres.urlWithPassword();
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }

  public void run(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  String ask(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** How many bytes of write-ahead log there are so far. */
  public long walBytes() {
    return Long.parseLong(ask("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"));
  }

  /** The CPU time of the server's processes so far, in seconds, as far as the system tells. */
  double cpuSeconds() {
    return cpuByProcess().values().stream()
        .mapToDouble(d -> d.toMillis() / 1000.0)
        .sum();
  }

  /** The CPU time so far of each process that the server has now. */
  public Map<Long, Duration> cpuByProcess() {
    Map<Long, Duration> times = new HashMap<>();
    ProcessHandle.of(postgres.pid()).stream()
        .flatMap(p -> Stream.concat(Stream.of(p), p.descendants()))
        .forEach(p -> p.info().totalCpuDuration().ifPresent(cpu -> times.put(p.pid(), cpu)));
    return times;
  }

  /**
   * The yardstick: so many connections insert the row of a job, one per commit; rows a second. No queue,
   * no lane, no state: nothing that a job needs beyond being kept.
   */
  double bareInserts(int connections, int rows) throws Exception {
    run("drop table if exists public.bare");
    run("create table public.bare (id uuid primary key, lane integer not null,"
        + " priority smallint not null, created_at timestamptz not null, timeout_ms bigint,"
        + " expires_at timestamptz, idempotency_key text, metadata jsonb, retry json,"
        + " payload json not null, cost integer)");
    int each = rows / connections;
    return Crew.rate(connections, each, number -> {
      Connection connection = connect();
      PreparedStatement insert = connection.prepareStatement(
          "insert into public.bare (id, lane, priority, created_at, payload)"
              + " values (gen_random_uuid(), 1, 10, now(), ?::json)");
      return new Crew.Worker() {
        @Override
        public void once() throws SQLException {
          insert.setString(1, Payload.JSON);
          insert.executeUpdate();
        }

        @Override
        public void close() throws SQLException {
          connection.close();
        }
      };
    });
  }

  @Override
  public void close() throws IOException {
    postgres.stop();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
