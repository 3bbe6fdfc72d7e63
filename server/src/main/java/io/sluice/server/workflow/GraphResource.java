package io.sluice.server.workflow;

import io.sluice.AfterPolicy;
import io.sluice.Graph;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Sluice;
import io.sluice.server.access.Access;
import io.sluice.server.job.JobsResource;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Routes;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a job waits for and what waits for it, however far, as one graph. */
public final class GraphResource {
  /** The graph, and the batch that the job is in. */
  private record View(
      List<Node> nodes,
      List<Graph.Edge> edges,
      List<UUID> criticalPath,
      boolean cutOff,
      @Nullable UUID batch) {}

  private record Node(
      UUID id,
      String name,
      boolean batch,
      @Nullable String type,
      @Nullable String queue,
      JobState state,
      AfterPolicy policy,
      int missing,
      int failed,
      Instant createdAt,
      @Nullable Instant startedAt,
      @Nullable Instant finishedAt) {
    static Node of(Graph.Node node) {
      return new Node(
          node.id(),
          node.name(),
          node.isBatch(),
          node.type(),
          node.queue(),
          node.state(),
          node.policy(),
          node.missing(),
          node.failed(),
          node.createdAt(),
          node.startedAt(),
          node.finishedAt());
    }
  }

  private final Sluice sluice;

  public GraphResource(Sluice sluice) {
    this.sluice = sluice;
  }

  public Routes addTo(Routes routes) {
    return routes.get("/v1/jobs/{id}/graph", Access.READ, this::read);
  }

  private Answer read(Call call) {
    call.query().only();
    JobRecord job = JobsResource.find(sluice, call);
    Graph graph = sluice.graph(job.id()).orElseThrow(() -> JobsResource.unknown(call));
    return Answer.ok(new View(
        graph.nodes().stream().map(Node::of).toList(),
        graph.edges(),
        graph.criticalPath().stream().map(Graph.Node::id).toList(),
        graph.cutOff(),
        job.spec().ties().batch()));
  }
}
