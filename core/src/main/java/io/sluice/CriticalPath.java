package io.sluice;

import io.sluice.Graph.Edge;
import io.sluice.Graph.Node;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The chain in a graph by which it takes as long as it does; see {@link Graph#criticalPath}. */
final class CriticalPath {
  private final Map<UUID, Node> nodes = new LinkedHashMap<>();
  private final Map<UUID, List<Node>> before = new HashMap<>();
  private final Map<UUID, List<Node>> after = new HashMap<>();
  /** How many nodes that have not ended follow each other up to a node, with itself. */
  private final Map<UUID, Integer> open = new HashMap<>();

  private CriticalPath(Graph graph) {
    graph.nodes().forEach(node -> nodes.put(node.id(), node));
    for (Edge edge : graph.edges()) {
      Node from = nodes.get(edge.from());
      Node to = nodes.get(edge.to());
      if (from != null && to != null) {
        before.computeIfAbsent(to.id(), id -> new ArrayList<>()).add(from);
        after.computeIfAbsent(from.id(), id -> new ArrayList<>()).add(to);
      }
    }
    countOpen();
  }

  static List<Node> of(Graph graph) {
    return new CriticalPath(graph).path();
  }

  private void countOpen() {
    Map<UUID, Integer> waits = new HashMap<>();
    Deque<Node> free = new ArrayDeque<>();
    for (Node node : nodes.values()) {
      int missing = before(node).size();
      waits.put(node.id(), missing);
      if (missing == 0) {
        free.add(node);
      }
    }
    for (Node node = free.poll(); node != null; node = free.poll()) {
      int most = before(node).stream().mapToInt(this::open).max().orElse(0);
      open.put(node.id(), node.finishedAt() == null ? most + 1 : 0);
      for (Node next : after.getOrDefault(node.id(), List.of())) {
        if (waits.merge(next.id(), -1, Integer::sum) == 0) {
          free.add(next);
        }
      }
    }
  }

  private List<Node> path() {
    Deque<Node> path = new ArrayDeque<>();
    Set<UUID> met = new HashSet<>();
    Node at = last(
        nodes.values().stream().filter(node -> !after.containsKey(node.id())).toList());
    while (at != null && met.add(at.id())) {
      path.addFirst(at);
      at = last(before(at));
    }
    return List.copyOf(path);
  }

  /** The one that has not ended, with most that has not ended before it; else the one that ended last. */
  private @Nullable Node last(List<Node> those) {
    Comparator<Node> later =
        Comparator.<Node>comparingInt(this::open).thenComparing(CriticalPath::end);
    Node last = null;
    for (Node node : those) {
      if (last == null || later.compare(node, last) > 0) {
        last = node;
      }
    }
    return last;
  }

  private static Instant end(Node node) {
    Instant end = node.finishedAt();
    return end == null ? Instant.MAX : end;
  }

  private int open(Node node) {
    return open.getOrDefault(node.id(), 0);
  }

  private List<Node> before(Node node) {
    return before.getOrDefault(node.id(), List.of());
  }
}
