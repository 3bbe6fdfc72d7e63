package io.sluice.server;

import io.sluice.embedded.EmbeddedPostgres;
import io.sluice.http.Cidr;
import io.sluice.server.config.Config.Work;
import io.sluice.server.config.Role;
import io.sluice.server.rest.Listen;
import io.sluice.server.rest.Routes;
import io.sluice.server.secret.MasterKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

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
    return start(newSchema());
  }

  /** A server whose jobs may also go to these ranges. */
  public static TestServer startAllowing(String... ranges) {
    return start(newSchema(), ranges);
  }

  /** A server that serves the API and runs no job by itself. */
  public static TestServer startWithoutHandlers() {
    ServerSettings all =
        new ServerSettings(database(newSchema()), new Listen("127.0.0.1", 0, null), trust());
    Work work = all.work();
    return new TestServer(new ServerSettings(
        all.database(),
        all.listen(),
        all.trust(),
        new Work(
            Role.API, work.store(), work.slots(), work.hostShare(), work.lease(), work.health()),
        all.jobs(),
        all.snapshot()));
  }

  /** A server with so many slots, of which one host may hold this share, whose jobs may go to these. */
  static TestServer startWithSlots(int slots, double hostShare, String... allowed) {
    ServerSettings all =
        new ServerSettings(database(newSchema()), new Listen("127.0.0.1", 0, null), trust(allowed));
    Work work = all.work();
    return new TestServer(new ServerSettings(
        all.database(),
        all.listen(),
        all.trust(),
        new Work(work.role(), work.store(), slots, hostShare, work.lease(), work.health()),
        all.jobs(),
        all.snapshot()));
  }

  /** Another instance on the same tables. */
  public TestServer sibling() {
    return new TestServer(settings);
  }

  /** The admin, acting for a tenant that is made where it is not there. */
  public Client tenant(String name) {
    admin().post("/v1/tenants", "{\"name\":\"" + name + "\"}");
    return admin().forTenant(name);
  }

  /** A server in this schema. */
  static TestServer start(String schema, String... allowed) {
    return start(schema, trust(allowed));
  }

  /** A server that lets these in, and whose calls may also go to these ranges. */
  public static TestServer start(AccessSettings access, String... allowed) {
    return start(newSchema(), trust(access, allowed));
  }

  /**
   * A server in a database of its own, so that what the database counts is of this server alone. It lets these in, has
   * this master key, and its jobs may go to loopback.
   */
  public static TestServer startInOwnDatabase(AccessSettings access, MasterKey key) {
    String schema = newSchema();
    TestDatabase.execute(database("public"), "create database " + schema);
    ServerSettings.DatabaseSettings own = new ServerSettings.DatabaseSettings(
        POSTGRES.jdbcUrl().replaceFirst("(jdbc:postgresql://[^/]+/)[^?]*", "$1" + schema),
        POSTGRES.user(),
        POSTGRES.password(),
        schema);
    return new TestServer(new ServerSettings(
        own,
        new Listen("127.0.0.1", 0, null),
        new ServerSettings.Trust(access, key, List.of(Cidr.parse("range", "127.0.0.0/8")))));
  }

  private static TestServer start(String schema, ServerSettings.Trust trust) {
    return new TestServer(
        new ServerSettings(database(schema), new Listen("127.0.0.1", 0, null), trust));
  }

  /** A server in this schema with this master key, whose jobs may go to loopback. */
  static TestServer start(String schema, MasterKey key) {
    return start(
        schema,
        new ServerSettings.Trust(
            AccessSettings.of(ADMIN_KEY), key, List.of(Cidr.parse("range", "127.0.0.0/8"))));
  }

  static String newSchema() {
    return "test_" + COUNT.incrementAndGet();
  }

  static ServerSettings.Trust trust(String... allowed) {
    return trust(AccessSettings.of(ADMIN_KEY), allowed);
  }

  private static ServerSettings.Trust trust(AccessSettings access, String... allowed) {
    return new ServerSettings.Trust(
        access,
        MasterKey.parse("test", MASTER_KEY),
        Arrays.stream(allowed).map(range -> Cidr.parse("range", range)).toList());
  }

  static ServerSettings.DatabaseSettings database(String schema) {
    return new ServerSettings.DatabaseSettings(
        POSTGRES.jdbcUrl(), POSTGRES.user(), POSTGRES.password(), schema);
  }

  private static EmbeddedPostgres postgres() {
    try {
      EmbeddedPostgres started = EmbeddedPostgres.builder(
              Files.createTempDirectory("sluice-server-test"))
          .temporary()
          .start();
      // A log-in costs one hash and not thousands: every test opens connections of its own.
      TestDatabase.execute(
          new ServerSettings.DatabaseSettings(
              started.jdbcUrl(), started.user(), started.password(), "public"),
          "set scram_iterations = 1; alter user \"%s\" password '%s'"
              .formatted(started.user(), started.password()));
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The port that it listens on. */
  public String port() {
    return String.valueOf(server.port());
  }

  /** A client with the admin's key. */
  public Client admin() {
    return new Client("http://127.0.0.1:" + server.port(), ADMIN_KEY);
  }

  /** Every route that there is. */
  public Routes routes() {
    return server.routes();
  }

  ServerSettings settings() {
    return settings;
  }

  /** The first column of what a statement finds, as text; {@code {schema}} stands for the schema. */
  public List<String> query(String sql) {
    return TestDatabase.rows(
        settings.database(), sql.replace("{schema}", settings.database().schema()));
  }

  static String databasePassword() {
    return POSTGRES.password();
  }

  /** The address and port that the database listens at. */
  public static String databaseAddress() {
    return POSTGRES.jdbcUrl().replaceFirst("jdbc:postgresql://([^/]+)/.*", "$1");
  }

  /** Takes a job as a program with its own connection to the database does, and answers its id. */
  public String enqueueBySql(String type, String payload) {
    return TestDatabase.query(
        settings.database(),
        "select enqueue(type := '%s', payload := '%s'::jsonb)::text".formatted(type, payload));
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
