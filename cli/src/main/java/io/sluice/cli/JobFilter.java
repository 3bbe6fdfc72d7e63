package io.sluice.cli;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which jobs or dead letters are meant; without any option, all of them. */
final class JobFilter {
  @Option(names = "--queue", order = 10, paramLabel = "NAME", description = "in this queue")
  private @Nullable String queue;

  @Mixin
  private JobMarks marks = new JobMarks();

  private Map<String, String> given(InstantSource clock) {
    Map<String, String> given = new LinkedHashMap<>();
    if (queue != null) {
      given.put("queue", queue);
    }
    given.putAll(marks.given(clock));
    return given;
  }

  boolean isEmpty(InstantSource clock) {
    return given(clock).isEmpty();
  }

  boolean isSearch() {
    return marks.isSearch();
  }

  Rest.Query query(InstantSource clock) {
    Rest.Query query = new Rest.Query();
    given(clock).forEach(query::add);
    return query;
  }

  /** A list that was asked for with this filter; refuses an empty one of a queue that is not there. */
  JsonNode inQueue(Rest rest, JsonNode page) {
    if (page.path("items").isEmpty()) {
      requireQueue(rest);
    }
    return page;
  }

  /** Refuses a queue that the server does not have. */
  void requireQueue(Rest rest) {
    if (queue == null) {
      return;
    }
    Rest.Reply reply = rest.send("GET", Rest.path("v1", "queues", queue), null);
    // A key that may not look at queues is not told more than that nothing was found.
    if (reply.status() == 404) {
      throw rest.refused(reply);
    }
  }

  /** The filter as the body of a bulk request. */
  ObjectNode body(InstantSource clock) {
    ObjectNode body = Json.object();
    given(clock).forEach(body::put);
    return body;
  }

  /** The filter for people: " with queue=emails", or nothing. */
  String words(InstantSource clock) {
    List<String> parts = given(clock).entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue())
        .toList();
    return parts.isEmpty() ? "" : " with " + String.join(", ", parts);
  }
}
