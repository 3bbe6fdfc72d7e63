package io.sluice.server;

import io.sluice.JobRequest;
import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.embedded.EmbeddedPostgres;
import io.sluice.http.Cidr;
import io.sluice.http.HttpCall;
import io.sluice.server.rest.Listen;
import io.sluice.server.secret.MasterKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A server of its own for a test class, on a port of its own and in a schema of its own. */
public final class TestServer implements AutoCloseable {
  public static final String ADMIN_KEY = "an-admin-key-that-only-tests-know";
  public static final String MASTER_KEY = "dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z/0Me0=";

  private static final EmbeddedPostgres POSTGRES = postgres();
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final ServerSettings settings;
  private final Server server;

  private TestServer(ServerSettings settings) {
    this.settings = settings;
    this.server = Server.start(settings);
  }

  /** A server whose jobs may go to public addresses only. */
  public static TestServer start() {
    return new TestServer(settings(newSchema(), List.of()));
  }

  /** A server whose jobs may also go to these ranges. */
  public static TestServer startAllowing(String... ranges) {
    List<Cidr> allowed =
        List.of(ranges).stream().map(r -> Cidr.parse("range", r)).toList();
    return new TestServer(settings(newSchema(), allowed));
  }

  private static ServerSettings settings(
      ServerSettings.DatabaseSettings database, List<Cidr> allowed) {
    return new ServerSettings(
        database,
        new Listen("127.0.0.1", 0, null),
        ADMIN_KEY,
        new ServerSettings.Delivering(MasterKey.parse("test", MASTER_KEY), allowed));
  }

  /** Another server on the same tables, as one that starts after this one was stopped or killed. */
  public TestServer another() {
    return new TestServer(settings);
  }

  /** The test database, with a schema that nobody used yet. */
  static ServerSettings.DatabaseSettings newSchema() {
    String schema = "test_" + COUNT.incrementAndGet();
    return new ServerSettings.DatabaseSettings(
        POSTGRES.jdbcUrl(), POSTGRES.user(), POSTGRES.password(), schema);
  }

  private static EmbeddedPostgres postgres() {
    try {
      return EmbeddedPostgres.start(Files.createTempDirectory("sluice-server-test"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A client with the admin's key. */
  public Client admin() {
    return new Client("http://127.0.0.1:" + server.port(), ADMIN_KEY);
  }

  /** Takes an HTTP job as the API would: its credentials sealed. */
  public UUID enqueue(HttpCall call, UnaryOperator<JobRequest> more) {
    JobRequest draft = more.apply(Jobs.of(HttpCall.TYPE, call));
    HttpCall sealed = server.secrets().seal(draft.lane().tenant(), call);
    return server.sluice().enqueue(more.apply(Jobs.of(HttpCall.TYPE, sealed))).id();
  }

  public Sluice sluice() {
    return server.sluice();
  }

  static String databasePassword() {
    return POSTGRES.password();
  }

  /** The address and port that the database listens at. */
  public static String databaseAddress() {
    return POSTGRES.jdbcUrl().replaceFirst("jdbc:postgresql://([^/]+)/.*", "$1");
  }

  /** Runs a statement by hand, as somebody at the database's own prompt would. */
  public void execute(String sql) {
    TestDatabase.execute(settings.database(), sql);
  }

  /** Everything in every table, as text. */
  public String dump() {
    return TestDatabase.dump(settings.database());
  }

  @Override
  public void close() {
    server.close();
  }
}
