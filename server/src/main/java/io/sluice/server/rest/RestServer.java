package io.sluice.server.rest;

import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.access.Access;
import io.sluice.server.access.Caller;
import io.sluice.server.listener.GuardedListener;
import io.sluice.server.listener.HttpRefusal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way from a request to a route and back. */
public final class RestServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RestServer.class);
  private final Routes routes;
  private final Gatekeeper gatekeeper;
  private final Json json;
  private final Traffic traffic;
  private final Listen listen;
  private final MemoryBudget memory;
  private final GuardedListener listener;

  public RestServer(
      Listen listen, Routes routes, Gatekeeper gatekeeper, Json json, Traffic traffic) {
    this(listen, routes, gatekeeper, json, traffic, MemoryBudget.ofHeap());
  }

  RestServer(
      Listen listen,
      Routes routes,
      Gatekeeper gatekeeper,
      Json json,
      Traffic traffic,
      MemoryBudget memory) {
    this.routes = routes;
    this.gatekeeper = gatekeeper;
    this.json = json;
    this.traffic = traffic;
    this.listen = listen;
    this.memory = memory;
    // Also here: the builder gives up on a name that it does not know in words of its own.
    listen.check();
    this.listener = new GuardedListener(
        listen.bounds(),
        listen.builder(HttpRouting.builder().any(this::handle)),
        PlainProblem::bytes);
  }

  public RestServer start() {
    listen.check();
    if (!listener.start()) {
      throw listen.refused("the log says why", null);
    }
    return this;
  }

  public int port() {
    return listener.port();
  }

  /** Completed when nobody listens at the port any more, though nobody closed it. */
  public CompletionStage<Void> died() {
    return listener.died();
  }

  /** How many connections are open. */
  int connections() {
    return listener.connections();
  }

  @Override
  public void close() {
    listener.close();
  }

  private void handle(ServerRequest request, ServerResponse response) {
    long began = traffic.nanoTime().getAsLong();
    String method = request.prologue().method().text();
    Optional<Routes.Match> match =
        routes.find(method.equals("HEAD") ? "GET" : method, path(request));
    Answer answer;
    boolean last;
    try (MemoryBudget.Hold hold = memory.open()) {
      RequestBody body = new RequestBody(request, hold);
      answer = written(answerOrProblem(request, match, body), hold);
      last = isLast(request) || !body.finished();
      if (last) {
        response.header("Connection", "close");
      }
      send(response, answer, method.equals("HEAD"));
    }
    long took = traffic.nanoTime().getAsLong() - began;
    String route = match.map(found -> found.route().path()).orElse(Traffic.NO_ROUTE);
    traffic
        .told()
        .accept(new Traffic.Exchange(
            match.isPresent() ? method : Traffic.NO_ROUTE,
            route,
            answer.status(),
            Duration.ofNanos(took)));
    if (last) {
      // The web server says that it will close the connection, and then waits for another request.
      throw new CloseConnectionException("this was the last request");
    }
  }

  private static boolean isLast(ServerRequest request) {
    return request.headers().contains(HeaderNames.CONNECTION)
        && request
            .headers()
            .get(HeaderNames.CONNECTION)
            .values()
            .toLowerCase(Locale.ROOT)
            .contains("close");
  }

  private Answer answerOrProblem(
      ServerRequest request, Optional<Routes.Match> match, RequestBody body) {
    try {
      return answer(request, match, body);
    } catch (CloseConnectionException e) {
      // The client is gone: there is nobody to answer, and nothing wrong here.
      throw e;
    } catch (HttpRefusal e) {
      return Problem.ofForm(e.status(), e.detail());
    } catch (SluiceException e) {
      int status = Problem.status(e.code());
      if (e.code() == ErrorCode.OVERLOADED) {
        // One caller can have as many of these as it likes.
        LOG.debug("{} {}: {}", request.prologue().method(), path(request), e.getMessage());
      } else if (status == 503) {
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

  private Answer answer(ServerRequest request, Optional<Routes.Match> match, RequestBody body) {
    String path = path(request);
    boolean open = match.isPresent() && match.get().route().access() == Access.PUBLIC;
    Caller caller = open ? null : caller(request);
    Routes.Match found = match.orElseThrow(() -> unknown(path));
    String tenant = "";
    if (caller != null) {
      gatekeeper.admit(caller, found.route().access());
      tenant = gatekeeper.tenant(caller, header(request, "Sluice-Tenant").orElse(null));
      body.hold().of(tenant);
    }
    Call.Request parts = new Call.Request(
        found.parameters(), new Query(query(request)), name -> header(request, name));
    byte[] bytes = body.read(found.route().maxBody());
    MemoryBudget.Hold hold = body.hold();
    hold.work();
    Answer answer = found
        .route()
        .endpoint()
        .handle(new Call(caller, tenant, parts, new Content(bytes, json, hold::answer)));
    hold.worked();
    return answer;
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
    if (!request.headers().contains(key)) {
      return Optional.empty();
    }
    Header header = request.headers().get(key);
    if (header.valueCount() > 1) {
      throw new SluiceException(
          ErrorCode.MALFORMED,
          "the header " + name + " is given " + header.valueCount()
              + " times, once would be right");
    }
    return Optional.of(header.get());
  }

  private static Map<String, List<String>> query(ServerRequest request) {
    Map<String, List<String>> values = new HashMap<>();
    request.query().names().forEach(name -> values.put(name, request.query().all(name)));
    return values;
  }

  /** The answer as it is sent; a problem in its stead when there is no memory for it. */
  private Answer written(Answer answer, MemoryBudget.Hold hold) {
    try {
      byte[] body = bytes(answer.body());
      if (body == null) {
        return answer;
      }
      hold.answer(body.length);
      return answer.withBody(body);
    } catch (RuntimeException e) {
      answer.ifUnsent().run();
      if (e instanceof SluiceException refused) {
        return Problem.of(refused);
      }
      throw e;
    }
  }

  private void send(ServerResponse response, Answer answer, boolean head) {
    boolean sent = false;
    try {
      write(response, answer, head);
      sent = true;
    } finally {
      if (!sent) {
        answer.ifUnsent().run();
      }
    }
  }

  private void write(ServerResponse response, Answer answer, boolean head) {
    PlainProblem.ALWAYS.forEach(response::header);
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
    if (head) {
      // What the body would be, but for the body.
      response.header("Content-Length", String.valueOf(body.length));
      response.send();
    } else {
      response.send(body);
    }
  }

  private byte @Nullable [] bytes(@Nullable Object body) {
    return switch (body) {
      case null -> null;
      case byte[] raw -> raw;
      case String text -> text.getBytes(Json.UTF_8);
      default -> json.write(body);
    };
  }
}
