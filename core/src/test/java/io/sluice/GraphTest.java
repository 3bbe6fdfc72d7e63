package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Graph.Edge;
import io.sluice.Graph.Node;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which chain of a graph takes longest, so far. */
class GraphTest {
  private static final Instant START = Instant.parse("2030-01-15T12:00:00Z");

  private final List<Node> nodes = new ArrayList<>();
  private final List<Edge> edges = new ArrayList<>();

  /** A node that ended so many seconds after the start, or has not. */
  private void node(String name, @Nullable Integer ended, String... after) {
    JobState state = ended == null ? JobState.SCHEDULED : JobState.COMPLETED;
    Instant end = ended == null ? null : START.plusSeconds(ended);
    nodes.add(new Node(
        id(name), name, "t", "default", state, AfterPolicy.CANCEL, 0, 0, START, null, end));
    for (String before : after) {
      edges.add(new Edge(id(before), id(name)));
    }
  }

  private static UUID id(String name) {
    return new UUID(0, name.hashCode());
  }

  private List<String> path() {
    return new Graph(nodes, edges, false)
        .criticalPath().stream().map(Node::name).toList();
  }

  @Test
  void empty_hasNone() {
    assertThat(path()).isEmpty();
  }

  @Test
  void diamondThatIsOver_goesByTheOneThatEndedLast() {
    node("a", 1);
    node("b", 9, "a");
    node("c", 5, "a");
    node("d", 10, "b", "c");
    assertThat(path()).containsExactly("a", "b", "d");
  }

  @Test
  void diamondUnderWay_goesByTheOneThatHasNotEnded() {
    node("a", 1);
    node("b", 9, "a");
    node("c", null, "a");
    node("d", null, "b", "c");
    assertThat(path()).containsExactly("a", "c", "d");
  }

  @Test
  void ofSeveralThatHaveNotEnded_theOneWithMostBeforeIt() {
    node("a", 1);
    node("short", null, "a");
    node("long-1", null, "a");
    node("long-2", null, "long-1");
    node("end", null, "short", "long-2");
    node("other-end", null, "short");
    assertThat(path()).containsExactly("a", "long-1", "long-2", "end");
  }

  @Test
  void ofSeveralEnds_theOneThatHasNotEnded_elseTheLast() {
    node("a", 1);
    node("b", 20, "a");
    node("c", 10, "a");
    assertThat(path()).containsExactly("a", "b");
    node("d", null);
    assertThat(path()).containsExactly("d");
  }

  @Test
  void ofEquals_theFirst() {
    node("a", 1);
    node("b", 1);
    node("c", null, "b", "a");
    assertThat(path()).containsExactly("b", "c");
  }

  @Test
  void edgesToWhatWasCutOff_areLeftOut() {
    node("a", 1, "gone");
    edges.add(new Edge(id("a"), id("gone-too")));
    assertThat(path()).containsExactly("a");
  }

  @Test
  void longChain_isFoundWhole() {
    node("0", null);
    for (int i = 1; i < 1_000; i++) {
      node(String.valueOf(i), null, String.valueOf(i - 1));
    }
    assertThat(path()).hasSize(1_000).startsWith("0", "1").endsWith("999");
  }
}
