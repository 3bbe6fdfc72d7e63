package io.sluice.crashtest;

import io.sluice.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** The database of a test: a real PostgreSQL that can be killed and comes back at the same port. */
public final class Server implements AutoCloseable {
  private static final int PORTS_FROM = 20_000;
  /** Below the ports that systems hand out to clients, which might take ours while we are down. */
  private static final int PORTS_TO = 32_000;

  /** Settings of the server, and variables of its environment. */
  record Options(Map<String, String> settings, Map<String, String> environment) {
    static final Options NONE = new Options(Map.of(), Map.of());

    Options {
      settings = Map.copyOf(settings);
      environment = Map.copyOf(environment);
    }
  }

  private final Path folder;
  private final int port;
  private final Options options;
  private EmbeddedPostgres postgres;

  private Server(Path folder, int port, Options options) {
    this.folder = folder;
    this.port = port;
    this.options = options;
    this.postgres = launch();
  }

  public static Server start(Path folder) {
    return start(folder, Options.NONE);
  }

  static Server start(Path folder, Options options) {
    return new Server(folder, freePort(), options);
  }

  private EmbeddedPostgres launch() {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder(folder).port(port).stopAtExit();
    options.settings().forEach(builder::setting);
    options.environment().forEach(builder::environment);
    return builder.start();
  }

  public int port() {
    return port;
  }

  /** The address with user and password, past any proxy. */
  public synchronized String url() {
    return postgres.urlWithPassword();
  }

  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url() + "&connectTimeout=2&socketTimeout=20");
  }

  /** Kills every process of the server at once, as a power cut would. */
  public synchronized void kill() {
    ProcessHandle postmaster = ProcessHandle.of(postgres.pid()).orElseThrow();
    List<ProcessHandle> all = new ArrayList<>(postmaster.descendants().toList());
    all.addFirst(postmaster);
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(process -> process.onExit().join());
    postgres.stop();
  }

  /** Starts what was killed, recovery included. */
  public synchronized void restart() {
    postgres = launch();
  }

  @Override
  public synchronized void close() {
    postgres.stop();
  }

  private static int freePort() {
    RandomGenerator random = RandomGenerator.getDefault();
    for (int tries = 0; tries < 100; tries++) {
      int candidate = random.nextInt(PORTS_FROM, PORTS_TO);
      try (ServerSocket free = new ServerSocket(candidate, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (IOException e) {
        // Taken: try another.
      }
    }
    throw new UncheckedIOException(new IOException("no free port"));
  }
}
