package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Graphs of jobs for people. */
class GraphTextTest {
  private static String node(String id, String rest) {
    return "{\"id\":\"%s\",\"name\":\"%s\",\"type\":\"t\",\"queue\":\"q\",%s}"
        .formatted(id, id, rest);
  }

  private static String drawn(String nodes, String edges, String more) {
    return GraphText.of(
            Json.read("{\"nodes\":[%s],\"edges\":[%s],%s}".formatted(nodes, edges, more)),
            "c",
            Desk.pace())
        .replace(System.lineSeparator(), "\n");
  }

  @Test
  void diamond_isATree_inWhichTheSecondWayLeadsBack() {
    String nodes = String.join(
        ",",
        node(
            "a",
            "\"state\":\"COMPLETED\",\"startedAt\":\"2026-01-31T09:59:50Z\","
                + "\"finishedAt\":\"2026-01-31T09:59:51.500Z\""),
        node("b", "\"state\":\"RUNNING\",\"startedAt\":\"2026-01-31T09:59:52Z\""),
        node("c", "\"state\":\"DEAD\""),
        node("d", "\"state\":\"SCHEDULED\",\"missing\":1,\"failed\":1"),
        "{\"id\":\"x\",\"name\":\"night\\u001b[31m\",\"state\":\"SCHEDULED\",\"missing\":0,\"failed\":2}");
    String edges =
        "{\"from\":\"a\",\"to\":\"b\"},{\"from\":\"a\",\"to\":\"c\"},{\"from\":\"b\",\"to\":\"d\"},"
            + "{\"from\":\"c\",\"to\":\"d\"},{\"from\":\"gone\",\"to\":\"a\"}";
    assertThat(drawn(
            nodes, edges, "\"criticalPath\":[\"a\",\"b\",\"d\"],\"cutOff\":true,\"batch\":\"y\""))
        .isEqualTo("""
        * a  COMPLETED (1.5s)  t in q
        ├─ * b  RUNNING (8s)  t in q
        │  └─ * d  SCHEDULED (waits for 1)  t in q
        └─ c  DEAD  t in q  <- this one
           └─ * d, see above
        night [31m  SCHEDULED (held: 2 did not complete)  batch

        * is the chain by which it takes as long as it does
        there are more: only the nearest 5 are shown
        it is in batch y: 'sluice batches show y' tells more
        """);
  }

  @Test
  void graph_isOver_whenAllOfItIs() {
    String over = "{\"nodes\":[{\"state\":\"DEAD\"},{\"state\":\"%s\"}]}";
    assertThat(GraphText.isOver(Json.read(over.formatted("COMPLETED")))).isTrue();
    assertThat(GraphText.isOver(Json.read(over.formatted("RUNNING")))).isFalse();
  }
}
