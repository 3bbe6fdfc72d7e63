package io.sluice.server.rest;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.access.Access;
import io.sluice.server.access.Caller;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way from a request on the wire to a route and back: the only class that knows the web server. */
public final class RestServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RestServer.class);
  private static final int MAX_HEADERS = 100;
  private static final Map<String, String> ALWAYS = Map.of(
      "X-Content-Type-Options", "nosniff",
      "X-Frame-Options", "DENY",
      "Referrer-Policy", "no-referrer",
      "Cache-Control", "no-store",
      "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");

  private final Routes routes;
  private final Gatekeeper gatekeeper;
  private final Json json;
  private final Traffic traffic;
  private final Listen listen;
  private final WebServer server;

  public RestServer(
      Listen listen, Routes routes, Gatekeeper gatekeeper, Json json, Traffic traffic) {
    this.routes = routes;
    this.gatekeeper = gatekeeper;
    this.json = json;
    this.traffic = traffic;
    this.listen = listen;
    // Also here: the builder gives up on a name that it does not know in words of its own.
    listen.check();
    this.server = listen.build(HttpRouting.builder().any(this::handle));
  }

  public RestServer start() {
    listen.check();
    server.start();
    if (!server.isRunning()) {
      throw listen.refused("the log says why", null);
    }
    return this;
  }

  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.stop();
  }

  private void handle(ServerRequest request, ServerResponse response) {
    long began = traffic.nanoTime().getAsLong();
    String method = request.prologue().method().text();
    Optional<Routes.Match> match =
        routes.find(method.equals("HEAD") ? "GET" : method, path(request));
    Answer answer = answerOrProblem(request, match);
    send(response, answer);
    long took = traffic.nanoTime().getAsLong() - began;
    String route = match.map(found -> found.route().path()).orElse(Traffic.NO_ROUTE);
    traffic
        .told()
        .accept(new Traffic.Exchange(
            match.isPresent() ? method : Traffic.NO_ROUTE,
            route,
            answer.status(),
            Duration.ofNanos(took)));
    if (isLast(request)) {
      // The web server says that it will close the connection, and then waits for another request.
      throw new CloseConnectionException("the caller asked for it");
    }
  }

  private static boolean isLast(ServerRequest request) {
    return header(request, "Connection")
        .filter(value -> value.toLowerCase(Locale.ROOT).contains("close"))
        .isPresent();
  }

  private Answer answerOrProblem(ServerRequest request, Optional<Routes.Match> match) {
    try {
      return answer(request, match);
    } catch (SluiceException e) {
      int status = Problem.status(e.code());
      if (status == 503) {
        // Passes by itself, and may come with every request until then.
        LOG.warn("{} {}: {}", request.prologue().method(), path(request), e.getMessage());
      } else if (status >= 500) {
        LOG.warn("{} {} failed", request.prologue().method(), path(request), e);
      }
      Answer problem = Problem.of(e);
      return status == 405
          ? problem.with("Allow", String.join(", ", routes.methods(path(request))))
          : problem;
    } catch (RuntimeException e) {
      // What it was stays in the log: the caller must not learn of our inside.
      LOG.error("{} {} failed", request.prologue().method(), path(request), e);
      return Problem.of(ErrorCode.INTERNAL, "something went wrong here; it is in the log", null);
    }
  }

  private Answer answer(ServerRequest request, Optional<Routes.Match> match) {
    boolean head = request.prologue().method().text().equals("HEAD");
    String path = path(request);
    if (request.headers().size() > MAX_HEADERS) {
      throw new SluiceException(ErrorCode.MALFORMED, "more than " + MAX_HEADERS + " headers");
    }
    boolean open = match.isPresent() && match.get().route().access() == Access.PUBLIC;
    Caller caller = open ? null : caller(request);
    Routes.Match found = match.orElseThrow(() -> unknown(path));
    String tenant = "";
    if (caller != null) {
      gatekeeper.admit(caller, found.route().access());
      tenant = gatekeeper.tenant(caller, header(request, "Sluice-Tenant").orElse(null));
    }
    Call.Request parts = new Call.Request(
        found.parameters(), new Query(query(request)), name -> header(request, name));
    byte[] body = body(request, found.route().maxBody());
    Answer answer = found.route().endpoint().handle(new Call(caller, tenant, parts, body, json));
    return head ? new Answer(answer.status(), null, answer.headers()) : answer;
  }

  private Caller caller(ServerRequest request) {
    return gatekeeper.caller(
        header(request, "Authorization"), request.remotePeer().host());
  }

  private SluiceException unknown(String path) {
    List<String> methods = routes.methods(path);
    return methods.isEmpty()
        ? new SluiceException(ErrorCode.NOT_FOUND, "there is nothing at this path")
        : new SluiceException(
            ErrorCode.METHOD_NOT_ALLOWED, "this path has " + String.join(", ", methods));
  }

  /** As it was sent: a slash that is encoded in a part of it does not end that part. */
  private static String path(ServerRequest request) {
    return request.path().rawPathNoParams();
  }

  private static Optional<String> header(ServerRequest request, String name) {
    HeaderName key = HeaderNames.create(name);
    return request.headers().contains(key)
        ? Optional.of(request.headers().get(key).values())
        : Optional.empty();
  }

  private static Map<String, List<String>> query(ServerRequest request) {
    Map<String, List<String>> values = new HashMap<>();
    request.query().names().forEach(name -> values.put(name, request.query().all(name)));
    return values;
  }

  /** Reads the body, and refuses one that says it is too large before a byte of it is read. */
  private static byte[] body(ServerRequest request, long most) {
    OptionalLong announced = request.headers().contentLength();
    if (announced.isPresent() && announced.getAsLong() > most) {
      throw tooLarge(most);
    }
    if (!request.content().hasEntity()) {
      return new byte[0];
    }
    try (InputStream in = request.content().inputStream()) {
      byte[] body = in.readNBytes((int) most + 1);
      if (body.length > most) {
        throw tooLarge(most);
      }
      return body;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SluiceException tooLarge(long most) {
    return new SluiceException(
        ErrorCode.TOO_LARGE,
        most == 0 ? "this takes no body" : "the body must be at most " + most + " bytes");
  }

  private void send(ServerResponse response, Answer answer) {
    boolean sent = false;
    try {
      write(response, answer);
      sent = true;
    } finally {
      if (!sent) {
        answer.ifUnsent().run();
      }
    }
  }

  private void write(ServerResponse response, Answer answer) {
    ALWAYS.forEach(response::header);
    if (listen.tls() != null) {
      response.header("Strict-Transport-Security", "max-age=31536000");
    }
    answer.headers().forEach(response::header);
    response.status(answer.status());
    byte[] body = bytes(answer.body());
    if (body == null) {
      response.send();
      return;
    }
    if (!answer.headers().containsKey("Content-Type")) {
      response.header("Content-Type", "application/json");
    }
    response.send(body);
  }

  private byte @Nullable [] bytes(@Nullable Object body) {
    return switch (body) {
      case null -> null;
      case String text -> text.getBytes(Json.UTF_8);
      default -> json.write(body);
    };
  }
}
