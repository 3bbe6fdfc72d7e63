package io.sluice.server.workflow;

import io.sluice.Graph;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The chain of a graph that took the longest so far: the time that each of its jobs has run, added up.
 * Where that says nothing, because nothing has run yet, it is the chain with the most jobs.
 */
final class CriticalPath {
  /** The longest way to the end of a node, and the node before it on that way. */
  private record Way(Duration took, int nodes, @Nullable UUID before) {
    private static final Way NONE = new Way(Duration.ZERO, 0, null);

    boolean isLongerThan(Way other) {
      int by = took.compareTo(other.took);
      return by > 0 || (by == 0 && nodes > other.nodes);
    }
  }

  private final Map<UUID, Graph.Node> nodes = new HashMap<>();
  private final Map<UUID, List<UUID>> next = new HashMap<>();
  private final Map<UUID, Integer> waits = new HashMap<>();
  private final Map<UUID, Way> ways = new HashMap<>();
  private final Instant now;

  private CriticalPath(Graph graph, Instant now) {
    this.now = now;
    graph.nodes().forEach(node -> nodes.put(node.id(), node));
    for (Graph.Edge edge : graph.edges()) {
      // What was cut off has edges too.
      if (nodes.containsKey(edge.from()) && nodes.containsKey(edge.to())) {
        next.computeIfAbsent(edge.from(), id -> new ArrayList<>()).add(edge.to());
        waits.merge(edge.to(), 1, Integer::sum);
      }
    }
  }

  /** The ids on the path, the first to run first. */
  static List<UUID> of(Graph graph, Instant now) {
    return new CriticalPath(graph, now).path(graph.nodes());
  }

  private List<UUID> path(List<Graph.Node> all) {
    Deque<UUID> free = new ArrayDeque<>();
    all.stream().map(Graph.Node::id).filter(id -> !waits.containsKey(id)).forEach(free::add);
    UUID last = null;
    for (UUID id = free.poll(); id != null; id = free.poll()) {
      Way way = through(id);
      if (last == null || way.isLongerThan(through(last))) {
        last = id;
      }
      for (UUID successor : next.getOrDefault(id, List.of())) {
        Way over = new Way(way.took, way.nodes, id);
        ways.merge(successor, over, (old, other) -> other.isLongerThan(old) ? other : old);
        if (waits.merge(successor, -1, Integer::sum) == 0) {
          free.add(successor);
        }
      }
    }
    LinkedList<UUID> path = new LinkedList<>();
    for (UUID id = last; id != null; id = ways.getOrDefault(id, Way.NONE).before) {
      path.addFirst(id);
    }
    return path;
  }

  /** The longest way to a node, and through it. */
  private Way through(UUID id) {
    Way before = ways.getOrDefault(id, Way.NONE);
    return new Way(before.took.plus(ran(id)), before.nodes + 1, before.before);
  }

  private Duration ran(UUID id) {
    Graph.Node node = nodes.get(id);
    Instant start = node == null ? null : start(node);
    if (node == null || start == null) {
      return Duration.ZERO;
    }
    Instant end = node.finishedAt() == null ? now : node.finishedAt();
    return end.isBefore(start) ? Duration.ZERO : Duration.between(start, end);
  }

  /** A batch goes on from the moment it is made. */
  private static @Nullable Instant start(Graph.Node node) {
    return node.isBatch() ? node.createdAt() : node.startedAt();
  }
}
