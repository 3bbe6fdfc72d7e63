package io.sluice;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Jobs and batches that wait for one another, as far as they hang together; cut off when there are too many. */
public record Graph(List<Node> nodes, List<Edge> edges, boolean cutOff) {
  /**
   * A job, or a batch, which has no type and no queue. The name is the one that others know it by, or its id.
   * {@code missing} counts those it still waits for, {@code failed} those that did not complete.
   */
  public record Node(
      UUID id,
      String name,
      @Nullable String type,
      @Nullable String queue,
      JobState state,
      AfterPolicy policy,
      int missing,
      int failed,
      Instant createdAt,
      @Nullable Instant startedAt,
      @Nullable Instant finishedAt) {
    public boolean isBatch() {
      return type == null;
    }
  }

  /** {@code to} waits for {@code from}. */
  public record Edge(UUID from, UUID to) {}

  public Graph {
    nodes = List.copyOf(nodes);
    edges = List.copyOf(edges);
  }
}
