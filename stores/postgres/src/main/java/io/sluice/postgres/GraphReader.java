package io.sluice.postgres;

import io.sluice.AfterPolicy;
import io.sluice.Graph;
import io.sluice.JobState;
import io.sluice.Result;
import io.sluice.store.Documents;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What people and handlers see of jobs that wait for each other. */
final class GraphReader {
  private final Database database;

  GraphReader(Database database) {
    this.database = database;
  }

  List<Result> predecessors(UUID job) {
    return database.run(connection -> predecessors(connection, job));
  }

  private List<Result> predecessors(Connection connection, UUID job) throws SQLException {
    try (Call call = database.call(connection, "predecessors")) {
      return call.set("id", job).list(GraphReader::predecessor);
    }
  }

  /** What is known of a predecessor without its result; a batch leaves its counts. */
  private static Result predecessor(ResultSet row) throws SQLException {
    int code = row.getInt("state");
    JobState state = row.wasNull() ? null : States.state(code);
    boolean ofBatch = row.getObject("total") != null && state != null && state.isFinal();
    return new Result(
        row.getString("name"),
        row.getObject("id", UUID.class),
        state,
        ofBatch ? Documents.of(BatchRows.counts(row)) : null);
  }

  List<Result> results(UUID job, long maxBytes) {
    return database.run(connection -> {
      List<Result> known = predecessors(connection, job);
      Map<Integer, String> left = left(connection, job, known, maxBytes);
      List<Result> results = new ArrayList<>(known.size());
      for (int i = 0; i < known.size(); i++) {
        Result one = known.get(i);
        String json = left.get(i);
        results.add(json == null ? one : new Result(one.name(), one.id(), one.state(), json));
      }
      return results;
    });
  }

  /** What those jobs left that left something, by their position. */
  private Map<Integer, String> left(
      Connection connection, UUID job, List<Result> known, long maxBytes) throws SQLException {
    Map<Integer, String> left = new HashMap<>();
    if (known.isEmpty()) {
      return left;
    }
    try (Call call = database.call(connection, "results-within")) {
      call.set("ids", known.stream().map(Result::id).toList())
          .set("bytes", maxBytes)
          .each(row -> {
            if (row.getBoolean("too_large")) {
              throw Result.tooLarge(job, maxBytes);
            }
            left.put(row.getInt("place") - 1, row.getString("result"));
          });
    }
    return left;
  }

  Optional<Graph> graph(UUID job, int max) {
    return byIndex(connection -> {
      List<UUID> found = hanging(connection, job, max + 1);
      List<UUID> shown = found.size() > max ? found.subList(0, max) : found;
      List<Graph.Node> nodes = nodes(connection, shown);
      if (nodes.stream().noneMatch(node -> node.id().equals(job))) {
        return Optional.empty();
      }
      return Optional.of(new Graph(nodes, edges(connection, nodes), found.size() > max));
    });
  }

  private List<UUID> hanging(Connection connection, UUID job, int max) throws SQLException {
    try (Call call = database.call(connection, "hanging")) {
      return call.set("id", job).set("max", max).list(row -> row.getObject("id", UUID.class));
    }
  }

  private List<Graph.Node> nodes(Connection connection, List<UUID> ids) throws SQLException {
    try (Call call = database.call(connection, "nodes")) {
      return call.set("ids", ids).list(GraphReader::node);
    }
  }

  private static Graph.Node node(ResultSet row) throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    String name = row.getString("name");
    return new Graph.Node(
        id,
        name == null ? id.toString() : name,
        row.getString("type"),
        row.getString("queue"),
        States.state(row.getInt("state")),
        policy(row.getString("policy")),
        row.getInt("missing"),
        row.getInt("failed"),
        Times.read(row, "created_at"),
        Times.readOrNull(row, "started_at"),
        Times.readOrNull(row, "finished_at"));
  }

  private static AfterPolicy policy(@Nullable String name) {
    return name == null ? AfterPolicy.CANCEL : AfterPolicy.valueOf(name);
  }

  /** The links between nodes that are shown. */
  private List<Graph.Edge> edges(Connection connection, List<Graph.Node> nodes)
      throws SQLException {
    Set<UUID> shown = new HashSet<>();
    nodes.forEach(node -> shown.add(node.id()));
    try (Call call = database.call(connection, "edges")) {
      return call
          .set("ids", List.copyOf(shown))
          .list(row -> new Graph.Edge(
              row.getObject("predecessor", UUID.class), row.getObject("successor", UUID.class)))
          .stream()
          .filter(edge -> shown.contains(edge.from()))
          .toList();
    }
  }

  List<UUID> successors(UUID job, int max) {
    return byIndex(connection -> {
      try (Call call = database.call(connection, "successors")) {
        return call.set("id", job).set("max", max).list(row -> row.getObject("id", UUID.class));
      }
    });
  }

  /**
   * Walks from job to job. A plan made while the tables were small reads them whole at every step, and is
   * kept when they have grown: a chain of some thousands then ran into its time limit.
   */
  private <T> T byIndex(Database.Work<T> walk) {
    return database.transact(connection -> {
      try (Call call = database.call(connection, "plan-by-index")) {
        call.execute();
      }
      return walk.on(connection);
    });
  }
}
