package io.sluice.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A caller of the API, with one credential, as a user's program would be. */
public record Client(
    String address, @Nullable String key, @Nullable String tenant) {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final JsonMapper MAPPER = new JsonMapper();

  /** What came back: an empty object where there was no body. */
  public record Reply(int status, JsonNode body, HttpResponse<String> raw) {
    public String text(String pointer) {
      return body.at(pointer).asString();
    }

    public String header(String name) {
      return raw.headers().firstValue(name).orElse("");
    }
  }

  public Client(String address, @Nullable String key) {
    this(address, key, null);
  }

  public Client withKey(@Nullable String other) {
    return new Client(address, other, tenant);
  }

  /** The same caller, acting for a tenant by Sluice-Tenant. */
  public Client forTenant(String other) {
    return new Client(address, key, other);
  }

  public Reply get(String path) {
    return send("GET", path, null);
  }

  public Reply post(String path, @Nullable String json) {
    return send("POST", path, json);
  }

  public Reply put(String path, String json) {
    return send("PUT", path, json);
  }

  public Reply delete(String path) {
    return send("DELETE", path, null);
  }

  public Reply send(String method, String path, @Nullable String json, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path))
        .timeout(Duration.ofSeconds(90))
        .method(
            method,
            json == null
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(json));
    if (key != null) {
      request.header("Authorization", "Bearer " + key);
    }
    if (tenant != null) {
      request.header("Sluice-Tenant", tenant);
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<String> raw = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Reply(raw.statusCode(), tree(raw), raw);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode tree(HttpResponse<String> raw) {
    String type = raw.headers().firstValue("content-type").orElse("");
    return type.contains("json") && !raw.body().isEmpty()
        ? MAPPER.readTree(raw.body())
        : MAPPER.createObjectNode();
  }
}
