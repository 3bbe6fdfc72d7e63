package io.sluice.server.demo;

import io.sluice.server.rest.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** The server's own API, called as any client calls it. */
final class Api implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HttpClient client = HttpClient.newHttpClient();
  private final Json json = new Json();
  private final String address;
  private final String key;

  Api(String address, String key) {
    this.address = address;
    this.key = key;
  }

  JsonNode get(String path) throws InterruptedException {
    return send(request(path).GET().build());
  }

  JsonNode post(String path, String body) throws InterruptedException {
    return send(request(path).POST(HttpRequest.BodyPublishers.ofString(body)).build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address + path))
        .timeout(PATIENCE)
        .header("Authorization", "Bearer " + key)
        .header("Content-Type", "application/json");
  }

  /** The answer; a conflict counts as one, because what was to be made may be there already. */
  private JsonNode send(HttpRequest request) throws InterruptedException {
    try {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() >= 400 && answer.statusCode() != 409) {
        throw new Refused(request.method() + " " + request.uri().getPath() + " was answered "
            + answer.statusCode() + ": " + answer.body());
      }
      return json.tree(answer.body());
    } catch (IOException e) {
      throw new Refused(request.uri() + " does not answer: " + e.getMessage());
    }
  }

  /** A call that did not do what it was made for. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
      super(message);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
    client.close();
  }
}
