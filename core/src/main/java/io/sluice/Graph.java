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

  /**
   * The critical path so far, from its first node to its last. It ends at the last node for which none
   * waits: of those that have not ended the one with the longest row of nodes before it that have not ended
   * either, and when all have ended the one that ended last. Going back from there, each step leads to the
   * predecessor chosen by the same rule, which is the one that is or was waited for longest, until one that
   * waits for none. Of equals, the one that stands first in {@code nodes} or {@code edges} is taken; of a
   * graph that is cut off, the path is that of the part which is there.
   */
  public List<Node> criticalPath() {
    return CriticalPath.of(this);
  }
}
