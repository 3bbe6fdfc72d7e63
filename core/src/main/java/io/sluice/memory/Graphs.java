package io.sluice.memory;

import io.sluice.AfterPolicy;
import io.sluice.Graph;
import io.sluice.Result;
import io.sluice.store.Documents;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What can be seen of jobs that wait for one another. */
final class Graphs {
  private final Shelf shelf;
  private final Instant now;

  Graphs(Shelf shelf, Instant now) {
    this.shelf = shelf;
    this.now = now;
  }

  List<Result> predecessors(UUID id) {
    return results(id)
        .map(result -> new Result(result.name(), result.id(), result.state(), null))
        .toList();
  }

  List<Result> results(UUID id, long maxBytes) {
    List<Result> results = results(id).toList();
    long bytes = results.stream()
        .mapToLong(result -> result.json() == null ? 0 : result.json().length())
        .sum();
    if (bytes > maxBytes) {
      throw Result.tooLarge(id, maxBytes);
    }
    return results;
  }

  private Stream<Result> results(UUID id) {
    JobEntry job = shelf.find(id, now);
    return job == null ? Stream.empty() : job.ties.stream().map(this::result);
  }

  private Result result(Tie tie) {
    JobEntry job = shelf.find(tie.from, now);
    if (job != null) {
      String json = job.ending == null ? null : job.ending.result();
      return new Result(tie.name, tie.from, job.state, json);
    }
    BatchEntry batch = shelf.links.find(tie.from, now);
    if (batch == null) {
      return new Result(tie.name, tie.from, null, null);
    }
    String counts = batch.isOver() ? Documents.of(batch.counts()) : null;
    return new Result(tie.name, tie.from, batch.state(), counts);
  }

  List<UUID> successors(UUID id, int max) {
    Set<UUID> found = new LinkedHashSet<>();
    Deque<UUID> next = new ArrayDeque<>(List.of(id));
    while (!next.isEmpty() && found.size() < max) {
      for (Tie tie : shelf.links.behind(next.removeFirst())) {
        if (tie.open && tie.to.wait != null && found.add(tie.to.id)) {
          next.add(tie.to.id);
        }
      }
    }
    return found.stream().limit(max).toList();
  }

  Optional<Graph> graph(UUID id, int max) {
    Map<UUID, Graph.Node> nodes = new LinkedHashMap<>();
    Deque<UUID> next = new ArrayDeque<>(List.of(id));
    boolean cutOff = false;
    while (!next.isEmpty() && !cutOff) {
      UUID one = next.removeFirst();
      Graph.Node node = nodes.containsKey(one) ? null : node(one);
      if (node != null) {
        cutOff = nodes.size() == max;
        if (!cutOff) {
          nodes.put(one, node);
          neighbours(one).forEach(next::add);
        }
      }
    }
    return nodes.isEmpty()
        ? Optional.empty()
        : Optional.of(new Graph(List.copyOf(nodes.values()), edges(nodes.keySet()), cutOff));
  }

  private Stream<UUID> neighbours(UUID id) {
    JobEntry job = shelf.find(id, now);
    Stream<UUID> before = job == null ? Stream.empty() : job.ties.stream().map(tie -> tie.from);
    return Stream.concat(before, shelf.links.behind(id).stream().map(tie -> tie.to.id));
  }

  private List<Graph.Edge> edges(Set<UUID> shown) {
    List<Graph.Edge> edges = new ArrayList<>();
    for (UUID from : shown) {
      for (Tie tie : shelf.links.behind(from)) {
        if (shown.contains(tie.to.id)) {
          edges.add(new Graph.Edge(from, tie.to.id));
        }
      }
    }
    return edges;
  }

  private Graph.@Nullable Node node(UUID id) {
    JobEntry job = shelf.find(id, now);
    BatchEntry batch = job == null ? shelf.links.find(id, now) : null;
    return job != null ? node(job) : batch != null ? node(batch) : null;
  }

  private Graph.Node node(JobEntry job) {
    return new Graph.Node(
        job.id,
        nameOf(job.id),
        job.lane.lane.type(),
        job.lane.lane.queue(),
        job.state,
        job.spec.ties().policy(),
        job.wait == null ? 0 : job.wait.missing,
        job.wait == null ? 0 : job.wait.failed,
        job.createdAt,
        job.startedAt,
        job.ending == null ? null : job.ending.at());
  }

  private Graph.Node node(BatchEntry batch) {
    return new Graph.Node(
        batch.facts.id(),
        nameOf(batch.facts.id()),
        null,
        null,
        batch.state(),
        AfterPolicy.CANCEL,
        0,
        0,
        batch.facts.createdAt(),
        null,
        batch.ending == null ? null : batch.ending.at());
  }

  /** The name by which the first that waits for it knows it. */
  private String nameOf(UUID id) {
    return shelf.links.behind(id).stream().map(tie -> tie.name).findFirst().orElseGet(id::toString);
  }
}
