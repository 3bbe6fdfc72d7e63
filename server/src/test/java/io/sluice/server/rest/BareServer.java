package io.sluice.server.rest;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.access.Access;
import io.sluice.server.access.Caller;
import io.sluice.server.access.Role;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A server with two routes and no database, for what happens before a route. */
final class BareServer implements AutoCloseable {
  static final String HOST = "Host: a\r\n";
  static final String KEY = HOST + "Authorization: Bearer good\r\n";
  static final String GET = "GET /open HTTP/1.1\r\n" + HOST + "\r\n";

  /** What the route {@code /bytes} takes. */
  static final int MOST = 64 << 10;

  private final AtomicInteger served = new AtomicInteger();
  private final RestServer server;

  BareServer(Listen listen) {
    Routes routes = new Routes()
        .get("/open", Access.PUBLIC, call -> {
          served.incrementAndGet();
          return Answer.ok(Map.of("open", true));
        })
        .post("/bytes", Access.PRODUCE, MOST, call -> {
          served.incrementAndGet();
          return Answer.none();
        });
    Gatekeeper gatekeeper = new Gatekeeper(
        (token, address) -> {
          if (!token.equals("good")) {
            throw new SluiceException(ErrorCode.UNAUTHORIZED, "no");
          }
          return new Caller("acme", Role.ADMIN, "k");
        },
        name -> name);
    server = new RestServer(
            listen, routes, gatekeeper, new Json(), new Traffic(System::nanoTime, exchange -> {}))
        .start();
  }

  /** How many requests came to a route. */
  int served() {
    return served.get();
  }

  RestServer rest() {
    return server;
  }

  int port() {
    return server.port();
  }

  RawClient client() {
    return RawClient.to(port());
  }

  @Override
  public void close() {
    server.close();
  }
}
