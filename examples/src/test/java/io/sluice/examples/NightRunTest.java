package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of a graph does what it says. */
class NightRunTest {
  @Test
  @Timeout(60)
  void nightRun_runsEachJobAfterThoseItWaitsFor_andTheCallbackLast() throws Exception {
    List<String> said = NightRun.run(MemoryStore.create());
    assertThat(said)
        .startsWith("load orders")
        .contains("clean page 1", "clean page 2")
        .containsSubsequence("count totals of [3,4]", "report totals: \"totals\"")
        .containsSubsequence("count regions of [3,4]", "report regions: \"regions\"")
        .endsWith(
            "the night run is over: {\"total\":6,\"completed\":6,\"failed\":0,\"cancelled\":0}")
        .hasSize(8);
  }
}
