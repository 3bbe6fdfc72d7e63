package io.sluice.crashtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A standby of a server, which follows it without making it wait, through a proxy. Once that is cut, the standby
 * lacks all that the other one acknowledges from then on.
 */
final class Replica implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Server standby;
  private final Proxy stream;

  private Replica(Server standby, Proxy stream) {
    this.standby = standby;
    this.stream = stream;
  }

  /** Stops the server, copies its files, starts it again, and has the copy follow it. */
  static Replica of(Server primary, Path from, Path to) throws InterruptedException {
    primary.close();
    copy(from, to);
    primary.restart();
    Proxy stream = Proxy.to(primary.port());
    Server standby = Server.start(to, new Server.Options(following(primary, stream), Map.of()));
    boolean follows = Clock.awaits(
        PATIENCE,
        () -> ask(primary, "select state = 'streaming' from pg_stat_replication limit 1"));
    if (!follows) {
      standby.close();
      throw new IllegalStateException("the standby does not follow: see " + to);
    }
    return new Replica(standby, stream);
  }

  private static Map<String, String> following(Server primary, Proxy stream) {
    String password = primary.url().replaceFirst(".*[?&]password=([^&]*).*", "$1");
    return Map.of(
        "wal_retrieve_retry_interval",
        "100ms",
        "primary_conninfo",
        "host=127.0.0.1 port=" + stream.port() + " user=sluice password=" + password
            + " sslmode=disable application_name=standby");
  }

  private static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
      }
      Files.createFile(to.resolve("pgdata").resolve("standby.signal"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean ask(Server server, String question) {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(question)) {
      return result.next() && result.getBoolean(1);
    } catch (SQLException e) {
      return false;
    }
  }

  Server server() {
    return standby;
  }

  /** Ends the stream for good, and returns what the standby has by then. */
  List<Row> cutOff() throws InterruptedException, SQLException {
    stream.close();
    Clock.awaits(
        PATIENCE,
        () -> ask(standby, "select pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn()"));
    try (Connection connection = standby.connect()) {
      return Rows.read(connection);
    }
  }

  /** Makes it the server that is written to. */
  void promote() {
    if (!ask(standby, "select pg_promote(true, 60)")) {
      throw new IllegalStateException("the standby was not promoted");
    }
  }

  @Override
  public void close() {
    stream.close();
    standby.close();
  }
}
