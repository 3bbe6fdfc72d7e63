package io.sluice.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The REST API of one server, seen with one key. A refusal is a {@link CommandException}. */
final class Rest {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration ANSWER = Duration.ofMinutes(5);

  private final Target.Found address;
  private final Target.@Nullable Found key;
  private final @Nullable String tenant;
  private final HttpClient http;
  private final Problem problem;

  Rest(
      Target.Found address,
      Target.@Nullable Found key,
      @Nullable String tenant,
      @Nullable Path ca) {
    this(
        address,
        key,
        tenant,
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .sslContext(Trust.context(address.value(), ca))
            .build());
  }

  private Rest(
      Target.Found address, Target.@Nullable Found key, @Nullable String tenant, HttpClient http) {
    this.address = address;
    this.key = key;
    this.tenant = tenant == null || tenant.isBlank() ? null : tenant;
    this.http = http;
    this.problem = new Problem(address, key);
  }

  /** The same, acting for this tenant. */
  Rest forTenant(String other) {
    return new Rest(address, key, other, http);
  }

  /** What came back, with its body as it was. */
  record Reply(String path, int status, String body, Optional<String> retryAfter) {
    boolean isGood() {
      return status >= 200 && status < 300;
    }

    JsonNode json() {
      JsonNode read = body.isBlank() ? Json.object() : Json.readOrNull(body);
      return read == null ? Json.object() : read;
    }
  }

  /** The tenant that is acted for, where one was named. */
  Optional<String> tenant() {
    return Optional.ofNullable(tenant);
  }

  JsonNode get(String path) {
    return good(send("GET", path, null));
  }

  JsonNode post(String path, @Nullable JsonNode body) {
    return good(send("POST", path, body));
  }

  JsonNode put(String path, JsonNode body) {
    return good(send("PUT", path, body));
  }

  JsonNode delete(String path, @Nullable JsonNode body) {
    return good(send("DELETE", path, body));
  }

  /** The body of a good answer, as it came. */
  String text(String path) {
    Reply reply = send("GET", path, null);
    good(reply);
    return reply.body;
  }

  private JsonNode good(Reply reply) {
    if (!reply.isGood()) {
      throw problem.refused(reply);
    }
    return reply.json();
  }

  /** Throws for an answer that is no good. */
  CommandException refused(Reply reply) {
    return problem.refused(reply);
  }

  /** Sends a request and returns the answer, good or not; throws where none came. */
  Reply send(String method, String path, @Nullable JsonNode body) {
    try {
      return exchange(method, path, body);
    } catch (IOException e) {
      throw problem.unreachable(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(Exit.FAILED, "interrupted");
    }
  }

  private Reply exchange(String method, String path, @Nullable JsonNode body)
      throws IOException, InterruptedException {
    BodyPublisher sent =
        body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.compact(body));
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address.value() + path))
        .timeout(ANSWER)
        .method(method, sent)
        .header("Accept", "application/json, */*");
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (key != null) {
      request.header(
          "Authorization", "Bearer " + header("the key from " + key.from(), key.value()));
    }
    if (tenant != null) {
      request.header("Sluice-Tenant", header("--tenant", tenant));
    }
    HttpResponse<String> came =
        http.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    return new Reply(
        path, came.statusCode(), came.body(), came.headers().firstValue("Retry-After"));
  }

  private static String header(String what, String value) {
    if (!value.matches("[\\x20-\\x7e]+")) {
      throw new CommandException(Exit.MISUSED, what + " has characters that no header may have");
    }
    return value;
  }

  /** A path of segments, each of them escaped: {@code path("v1", "queues", name)}. */
  static String path(String... segments) {
    StringBuilder path = new StringBuilder();
    for (String segment : segments) {
      if (segment.isEmpty()) {
        throw new CommandException(Exit.MISUSED, "a name or id must not be empty");
      }
      path.append('/').append(escape(segment).replace("+", "%20"));
    }
    return path.toString();
  }

  private static String escape(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** The query of a request, parameter by parameter. */
  static final class Query {
    private final List<String> parts = new ArrayList<>();

    Query add(String name, @Nullable Object value) {
      if (value != null) {
        parts.add(escape(name) + "=" + escape(value.toString()));
      }
      return this;
    }

    Query copy() {
      Query copy = new Query();
      copy.parts.addAll(parts);
      return copy;
    }

    /** Puts the query behind a path. */
    String at(String path) {
      return parts.isEmpty() ? path : path + "?" + String.join("&", parts);
    }
  }
}
