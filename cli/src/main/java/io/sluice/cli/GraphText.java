package io.sluice.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Jobs that wait for one another, drawn as a tree: below each job stands what waits for it. One that waits
 * for several stands below the first of them in full, and below the others by its name.
 */
final class GraphText {
  private final Map<String, JsonNode> nodes = new LinkedHashMap<>();
  private final Map<String, List<String>> next = new HashMap<>();
  private final Set<String> later = new HashSet<>();
  private final Set<String> critical = new HashSet<>();
  private final Set<String> drawn = new HashSet<>();
  private final StringBuilder text = new StringBuilder();
  private final String asked;
  private final InstantSource clock;

  private GraphText(JsonNode graph, String asked, InstantSource clock) {
    this.asked = asked;
    this.clock = clock;
    graph.path("nodes").valueStream().forEach(node -> nodes.put(Json.text(node, "id"), node));
    graph.path("criticalPath").valueStream().forEach(id -> critical.add(Json.text(id)));
    graph.path("edges").valueStream().forEach(edge -> {
      String from = Json.text(edge, "from");
      String to = Json.text(edge, "to");
      if (nodes.containsKey(from) && nodes.containsKey(to)) {
        next.computeIfAbsent(from, id -> new ArrayList<>()).add(to);
        later.add(to);
      }
    });
  }

  /** The graph in which this job is. */
  static String of(JsonNode graph, String asked, InstantSource clock) {
    GraphText drawing = new GraphText(graph, asked, clock);
    drawing.nodes.keySet().stream()
        .filter(id -> !drawing.later.contains(id))
        .forEach(id -> drawing.draw(id, "", ""));
    drawing.line("");
    drawing.line("* is the chain by which it takes as long as it does");
    if (graph.path("cutOff").asBoolean()) {
      drawing.line("there are more: only the nearest " + drawing.nodes.size() + " are shown");
    }
    String batch = Json.text(graph, "batch");
    if (!batch.isEmpty()) {
      drawing.line("it is in batch " + batch + ": 'sluice batches show " + batch + "' tells more");
    }
    return drawing.text.toString();
  }

  static boolean isOver(JsonNode graph) {
    return graph.path("nodes").valueStream().allMatch(JobText::isOver);
  }

  private void draw(String id, String before, String below) {
    JsonNode node = nodes.getOrDefault(id, Json.object());
    String mark = critical.contains(id) ? "* " : "";
    if (!drawn.add(id)) {
      line(before + mark + name(node) + ", see above");
      return;
    }
    line(before + mark + name(node) + "  " + state(node) + "  " + what(node)
        + (id.equals(asked) ? "  <- this one" : ""));
    List<String> successors = next.getOrDefault(id, List.of());
    for (int i = 0; i < successors.size(); i++) {
      boolean last = i == successors.size() - 1;
      draw(successors.get(i), below + (last ? "└─ " : "├─ "), below + (last ? "   " : "│  "));
    }
  }

  private void line(String line) {
    text.append(line.stripTrailing()).append(System.lineSeparator());
  }

  private static String name(JsonNode node) {
    return Words.line(Json.text(node, "name"));
  }

  private static String what(JsonNode node) {
    return Json.text(node, "type").isEmpty()
        ? "batch"
        : Json.text(node, "type") + " in " + Json.text(node, "queue");
  }

  /** The state, and how long it took or what it waits for. */
  private String state(JsonNode node) {
    String state = Json.text(node, "state");
    long missing = node.path("missing").asLong();
    long failed = node.path("failed").asLong();
    if (state.equals("SCHEDULED") && missing > 0) {
      return state + " (waits for " + missing + ")";
    }
    if (state.equals("SCHEDULED") && failed > 0) {
      return state + " (held: " + failed + " did not complete)";
    }
    String start = Json.text(node, "startedAt");
    if (start.isEmpty() || state.equals("PENDING") || state.equals("RETRYING")) {
      return state;
    }
    String end = Json.text(node, "finishedAt");
    Duration took = Duration.between(
        Instant.parse(start), end.isEmpty() ? clock.instant() : Instant.parse(end));
    return state + " (" + Times.readable(Math.max(0, took.toMillis()) + "ms") + ")";
  }
}
