package io.sluice.server.fuzz;

import io.sluice.server.rest.RawClient;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** What came back, and how long it took; a status of 0 when nothing did. */
record FuzzAnswer(int status, Map<String, String> headers, String body, long millis) {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final int SHOWN = 1_500;

  static FuzzAnswer of(RawClient.Reply reply, long millis) {
    return new FuzzAnswer(reply.status(), reply.headers(), reply.body(), millis);
  }

  /** No answer, for this reason. */
  static FuzzAnswer none(@Nullable String reason, long millis) {
    return new FuzzAnswer(0, Map.of(), String.valueOf(reason), millis);
  }

  boolean isGood() {
    return status >= 200 && status < 300;
  }

  String header(String name) {
    return headers.getOrDefault(name, "");
  }

  /** The type of the content without its parameters. */
  String type() {
    return header("content-type").split(";", 2)[0].strip();
  }

  /** The content; missing where it is no JSON. */
  JsonNode json() {
    try {
      return body.isEmpty() ? MissingNode.getInstance() : MAPPER.readTree(body);
    } catch (JacksonException e) {
      return MissingNode.getInstance();
    }
  }

  @Override
  public String toString() {
    String start = body.length() <= SHOWN ? body : body.substring(0, SHOWN) + "…";
    return status + " after " + millis + " ms " + headers + "\n    " + start;
  }
}
