package io.sluice.server;

import io.sluice.embedded.EmbeddedPostgres;
import io.sluice.server.rest.Listen;
import io.sluice.server.rest.Routes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;

/** A server of its own for a test class, on a port of its own and in a schema of its own. */
public final class TestServer implements AutoCloseable {
  public static final String ADMIN_KEY = "an-admin-key-that-only-tests-know";

  private static final EmbeddedPostgres POSTGRES = postgres();
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Server server;

  private TestServer(Server server) {
    this.server = server;
  }

  public static TestServer start() {
    return start("test_" + COUNT.incrementAndGet());
  }

  /** A server in this schema. */
  static TestServer start(String schema) {
    return new TestServer(Server.start(
        new ServerSettings(database(schema), new Listen("127.0.0.1", 0, null), ADMIN_KEY)));
  }

  static ServerSettings.DatabaseSettings database(String schema) {
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

  /** Every route that there is. */
  public Routes routes() {
    return server.routes();
  }

  @Override
  public void close() {
    server.close();
  }
}
