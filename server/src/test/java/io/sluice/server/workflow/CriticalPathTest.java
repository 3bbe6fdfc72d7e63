package io.sluice.server.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.Graph;
import io.sluice.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CriticalPathTest {
  private static final Instant START = Instant.parse("2026-01-31T10:00:00Z");

  private final List<Graph.Node> nodes = new ArrayList<>();
  private final List<Graph.Edge> edges = new ArrayList<>();

  private static UUID id(String name) {
    return new UUID(0, name.charAt(0));
  }

  /** A job that ran from this second to that one; null where it has not begun or not ended. */
  private CriticalPathTest ran(String name, @Nullable Integer from, @Nullable Integer to) {
    nodes.add(new Graph.Node(
        id(name),
        name,
        "t",
        "q",
        JobState.PENDING,
        AfterPolicy.CANCEL,
        0,
        0,
        START,
        from == null ? null : START.plusSeconds(from),
        to == null ? null : START.plusSeconds(to)));
    return this;
  }

  private CriticalPathTest edge(String from, String to) {
    edges.add(new Graph.Edge(id(from), id(to)));
    return this;
  }

  private String path(int now) {
    StringBuilder path = new StringBuilder();
    CriticalPath.of(new Graph(nodes, edges, false), START.plusSeconds(now))
        .forEach(id -> path.append((char) id.getLeastSignificantBits()));
    return path.toString();
  }

  private void diamond() {
    edge("a", "b").edge("a", "c").edge("b", "d").edge("c", "d");
  }

  @Test
  void chainThatTookTheLongest_isTheOne() {
    ran("d", 9, 10).ran("c", 2, 9).ran("b", 2, 3).ran("a", 0, 2).diamond();
    assertThat(path(10)).isEqualTo("acd");
  }

  @Test
  void jobThatRuns_countsUntilNow() {
    ran("a", 0, 2).ran("b", 2, 5).ran("c", 2, null).ran("d", null, null).diamond();
    assertThat(path(4)).isEqualTo("abd");
    assertThat(path(6)).isEqualTo("acd");
  }

  @Test
  void whereNothingRanYet_itIsTheLongestChain() {
    ran("x", null, null).ran("a", null, null).ran("b", null, null).edge("a", "b");
    assertThat(path(5)).isEqualTo("ab");
  }

  @Test
  void edgeToWhatWasCutOff_isLeftOut() {
    ran("a", 0, 1).edge("z", "a").edge("a", "y");
    assertThat(path(1)).isEqualTo("a");
  }
}
