package io.sluice.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Both builds run and every figure is there; what the figures are is not for a test to say. */
@Tag("slow")
class CompareTest {
  @TempDir
  Path folder;

  @Test
  void quickComparisonOfABuildWithItself_hasEveryFigure() throws Exception {
    Path json = folder.resolve("compare.json");
    Path workload = workload();
    Compare.main(
        new String[] {workload.toString(), workload.toString(), "--quick", "--json", json.toString()
        });
    JsonNode data = JsonMapper.builder().build().readTree(Files.readString(json));
    assertThat(data.get("pairs").asInt()).isEqualTo(4);
    assertThat(data.get("verdict").asString()).startsWith("Verdict: ");
    for (Phase phase : Phase.values()) {
      for (Measurement.Figure figure : Measurement.Figure.values()) {
        JsonNode row = data.get(phase.title() + ", " + figure.unit());
        assertThat(row.propertyNames()).contains("ours", "theirs", "ratio", "low", "high");
        // Few jobs take less CPU time than the system's unit of it.
        if (figure != Measurement.Figure.CPU) {
          assertThat(row.get("ours").asDouble()).as(phase + " " + figure).isPositive();
          assertThat(row.get("low").asDouble())
              .isLessThanOrEqualTo(row.get("high").asDouble());
        }
      }
    }
  }

  /** A script like benchmarks/workload, with the classes of this test run. */
  private Path workload() throws IOException {
    Path script = folder.resolve("workload");
    Files.writeString(script, """
        #!/bin/sh
        exec '%s/bin/java' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '%s' %s "$@"
        """.formatted(
            System.getProperty("java.home"),
            System.getProperty("java.class.path"),
            Workload.class.getName()));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script;
  }

  @Test
  void wrongArguments_areRefused_beforeAnythingIsDone() {
    assertThatThrownBy(() -> CompareOptions.of("ours")).hasMessageStartingWith("usage: ");
    assertThatThrownBy(() -> CompareOptions.of("--quick", "--json"))
        .hasMessageStartingWith("usage: ");
    assertThatThrownBy(() -> CompareOptions.of("a", "b", "--quik")).hasMessageEndingWith("--quik");
    assertThatThrownBy(() -> CompareOptions.of("a", "b", "--json"))
        .hasMessage("--json must name a file");
    assertThatThrownBy(() -> CompareOptions.of("a", "b", "--json", "/no/such/folder/f"))
        .hasMessage("--json must name a file in an existing folder, was /no/such/folder/f");
  }
}
