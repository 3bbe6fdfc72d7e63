package io.sluice.server;

import io.helidon.common.tls.Tls;
import io.sluice.SluiceException;
import io.sluice.cli.Console;
import io.sluice.embedded.EmbeddedPostgres;
import io.sluice.server.ServerSettings.DatabaseSettings;
import io.sluice.server.ServerSettings.Trust;
import io.sluice.server.config.Config;
import io.sluice.server.config.ConfigException;
import io.sluice.server.config.Jwt;
import io.sluice.server.login.JwtSettings;
import io.sluice.server.rest.Listen;
import io.sluice.server.secret.MasterKey;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server process from its settings to its end: data folder, keys, database, server. */
final class Launch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Launch.class);
  private static final int KEY_BYTES = 32;

  private final Config config;
  private final PrintStream out;
  private final RandomGenerator random;
  private final boolean shown;
  private final @Nullable JwtSettings jwt;
  private final Listen listen;
  private final CountDownLatch over = new CountDownLatch(1);
  /** Nobody counts it down: a stop waits on it for the shutdown delay. */
  private final CountDownLatch stopNow = new CountDownLatch(1);

  private @Nullable EmbeddedPostgres postgres;
  private @Nullable Server server;
  private @Nullable Note note;
  private volatile boolean databaseEnded;

  /**
   * Touches nothing yet. Throws {@link ConfigException} where the settings of tokens or the files of TLS
   * cannot be used.
   *
   * @param shown true where a person sees what is printed; elsewhere it is a log that is kept
   */
  Launch(Config config, PrintStream out, boolean shown, RandomGenerator random) {
    this.shown = shown;
    this.config = config;
    this.out = out;
    this.random = random;
    List<String> problems = new ArrayList<>();
    this.jwt = read(() -> jwt(config.trust().jwt()), problems);
    Config.Listening listening = config.listening();
    Tls tls = read(() -> tls(listening.tlsCert(), listening.tlsKey()), problems);
    this.listen = new Listen(listening.host(), listening.port(), tls, listening.bounds());
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  private static <T> @Nullable T read(Supplier<@Nullable T> reading, List<String> problems) {
    try {
      return reading.get();
    } catch (SluiceException e) {
      problems.add(Trouble.words(e));
      return null;
    }
  }

  private static @Nullable JwtSettings jwt(@Nullable Jwt tokens) {
    return tokens == null ? null : JwtSettings.of(tokens);
  }

  private static @Nullable Tls tls(@Nullable Path cert, @Nullable Path key) {
    return cert == null || key == null ? null : TlsFiles.load(cert, key);
  }

  /** Starts everything and says when it is ready. A stop that comes meanwhile ends it between steps. */
  void start() {
    DataFolder folder = DataFolder.open(config.running().data());
    DatabaseSettings database = database(folder);
    // Not before the folder is ours: a second server on it must leave everything as it is.
    Trust trust = trust(folder);
    ServerSettings settings = new ServerSettings(
        database, listen, trust, config.work(), config.jobs(), folder.resolve("jobs.snapshot"));
    serve(settings, folder);
  }

  private synchronized DatabaseSettings database(DataFolder folder) {
    requireGoing();
    Config.Postgres given = config.postgres();
    if (given.url() != null) {
      // Before any key is made: a start that cannot be leaves nothing behind.
      DatabaseVisit.check(config);
      return new DatabaseSettings(
          given.url(), given.user(), given.password(), given.schema(), given.pooled());
    }
    Path own = folder.resolve("postgres");
    // A folder that somebody else has made, who knows for what, stays as closed as it is.
    EmbeddedPostgres started =
        EmbeddedPostgres.builder(own).unprivileged(folder.freshOr(own)).start();
    postgres = started;
    Thread.ofVirtual().name("postgres-watch").start(() -> orphaned(started.pid()));
    return new DatabaseSettings(
        started.jdbcUrl(), started.user(), started.password(), given.schema());
  }

  /** The database is gone without having been asked to: better no server than half a one. */
  private void orphaned(long pid) {
    ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
    boolean wanted = over.getCount() == 0;
    if (!wanted) {
      databaseEnded = true;
      LOG.error("the embedded PostgreSQL has ended: stopping");
      System.exit(1);
    }
  }

  /** Nobody can reach the server any more: better no server than one that only seems to run. */
  private void deaf(int port) {
    boolean wanted = over.getCount() == 0;
    if (!wanted) {
      LOG.error("nothing listens on port {} any more: stopping; start it again", port);
      System.exit(1);
    }
  }

  private Trust trust(DataFolder folder) {
    return new Trust(access(adminKey(folder)), masterKey(folder), config.trust().allowedTargets());
  }

  private AccessSettings access(String adminKey) {
    return new AccessSettings(adminKey, jwt, config.trust().loginFailures());
  }

  /** The key that was given, or the one of the data folder; a profile may ask for a given one. */
  private MasterKey masterKey(DataFolder folder) {
    String given = config.trust().masterKey();
    if (given != null) {
      return MasterKey.parse("master-key", given);
    }
    DataFolder.Secret secret = folder.secret("master.key", () -> MasterKey.generate(random));
    if (secret.fresh()) {
      LOG.info("Made {}: without it the secrets in the database are lost", secret.file());
    }
    return MasterKey.inFile(secret.file(), secret.value());
  }

  private String adminKey(DataFolder folder) {
    String given = config.trust().adminKey();
    if (given != null) {
      return given;
    }
    DataFolder.Secret secret = folder.secret("admin.key", this::newKey);
    if (secret.fresh()) {
      out.println(
          shown
              ? "Admin key (shown this once, kept in " + secret.file() + "): " + secret.value()
              : "Admin key is in " + secret.file());
    }
    return secret.value();
  }

  private String newKey() {
    byte[] bytes = new byte[KEY_BYTES];
    random.nextBytes(bytes);
    return "sluice_admin_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private synchronized void serve(ServerSettings settings, DataFolder folder) {
    requireGoing();
    Server started = Server.start(settings);
    server = started;
    var unused = started.listenerDied().thenRun(() -> deaf(started.port()));
    String scheme = settings.listen().tls() == null ? "http" : "https";
    note = new Note(folder, address(scheme, reachable(settings.listen().host()), started.port()));
    note.leave();
    out.println("Sluice ready on " + address(scheme, settings.listen().host(), started.port()));
    out.flush();
  }

  private static String address(String scheme, String host, int port) {
    return scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /** Who listens everywhere is met on loopback. */
  private static String reachable(String host) {
    return switch (host) {
      case "0.0.0.0" -> "127.0.0.1";
      case "::", "0:0:0:0:0:0:0:0" -> "::1";
      default -> host;
    };
  }

  /** The address of this server, left in its data folder as long as it runs. */
  private record Note(DataFolder folder, String address) {
    void leave() {
      folder.leave(Console.ADDRESS_FILE, address);
    }

    void take() {
      folder.take(Console.ADDRESS_FILE, address);
    }
  }

  private void requireGoing() {
    if (over.getCount() == 0) {
      throw new Stopped();
    }
  }

  /** A stop was asked for before the start was over. */
  static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Returns when somebody has stopped it. */
  void await() throws InterruptedException {
    over.await();
  }

  /** Stops everything that has been started, the database last. */
  @Override
  public void close() {
    over.countDown();
    boolean served = stop();
    if (databaseEnded) {
      // Last, below what the parts said that were stopped without a database.
      LOG.error("the embedded PostgreSQL has ended, and this server with it; start it again");
    } else if (served) {
      LOG.info("stopped");
    }
  }

  /** Lets balancers see that it is not ready, while it still takes what they send. */
  private void announce(Server serving) {
    Duration delay = config.running().shutdownDelay();
    if (!delay.isPositive()) {
      return;
    }
    serving.announceStop();
    try {
      stopNow.await(delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** True when a server was there to be stopped. */
  private synchronized boolean stop() {
    boolean served = server != null;
    if (note != null) {
      note.take();
      note = null;
    }
    if (server != null) {
      announce(server);
      server.close(config.running().drain());
      server = null;
    }
    if (postgres != null) {
      postgres.close();
      postgres = null;
    }
    return served;
  }
}
