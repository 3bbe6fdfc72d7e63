package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The benchmark runs and writes every figure; what the figures are is not for a test to say. */
@Tag("slow")
class RunTest {
  @TempDir
  Path folder;

  @Test
  void quickRun_writesAFigureForEveryMeasure() throws Exception {
    Path json = folder.resolve("figures.json");
    Run.main(new String[] {"--quick", "--json", json.toString()});
    JsonNode figures =
        JsonMapper.builder().build().readTree(Files.readString(json)).get("figures");
    assertThat(figures.propertyNames())
        .contains(
            "bare inserts/s, 16 connections",
            "memory drained jobs/s",
            "postgres bulk enqueue/s",
            "postgres single enqueue/s, 16 callers",
            "postgres drained jobs/s",
            "postgres drained jobs/s, many waiting",
            "postgres drained jobs/s, snapshot held",
            "postgres enqueue to start, same process, p99 ms",
            "postgres enqueue to start, another process, p99 ms",
            "postgres jobs/s of 10 ms, 50 slots",
            "postgres CPU microseconds per drained job",
            "postgres WAL bytes per drained job",
            "× postgres drained jobs/s / bare inserts");
    assertThat(figures.values())
        .allSatisfy(f -> assertThat(f.get("median").asDouble()).isPositive());
  }

  @Test
  void quickRunOfFlowControl_writesAFigureForEveryMeasure() throws Exception {
    Path json = folder.resolve("flow.json");
    Run.main(new String[] {"--flow", "--quick", "--json", json.toString()});
    JsonNode figures =
        JsonMapper.builder().build().readTree(Files.readString(json)).get("figures");
    assertThat(figures.propertyNames())
        .contains(
            "× drained jobs/s, limited / unlimited",
            "claim ms, 200 lanes",
            "Jain's index of three equal backlogs",
            "p99 ms of nine tenants alone",
            "p99 ms of nine tenants beside a backlog");
    assertThat(figures.values())
        .allSatisfy(f -> assertThat(f.get("median").asDouble()).isPositive());
  }

  @Test
  void quickRunBesideLanesThatMayNotRun_writesAFigureForEveryMeasure() throws Exception {
    Path json = folder.resolve("crowd.json");
    Run.main(new String[] {"--crowd", "--quick", "--json", json.toString()});
    JsonNode figures =
        JsonMapper.builder().build().readTree(Files.readString(json)).get("figures");
    assertThat(figures.propertyNames())
        .containsExactlyInAnyOrder(
            "claim ms, alone",
            "claim ms, beside 300 lanes that may not run",
            "start p99 ms of nine tenants, alone",
            "start p99 ms of nine tenants, beside 300 lanes that may not run",
            "× claim ms, beside 300 lanes that may not run / alone",
            "× start p99 ms of nine tenants, beside 300 lanes that may not run / alone");
    assertThat(figures.values())
        .allSatisfy(f -> assertThat(f.get("median").asDouble()).isPositive());
  }

  @Test
  void quickRunOfWorkflows_writesAFigureForEveryMeasure() throws Exception {
    Path json = folder.resolve("workflows.json");
    Run.main(new String[] {"--workflows", "--quick", "--json", json.toString()});
    JsonNode figures =
        JsonMapper.builder().build().readTree(Files.readString(json)).get("figures");
    assertThat(figures.propertyNames())
        .contains(
            "drained jobs/s, 100 plain",
            "× drained jobs/s, 100 of a batch / plain",
            "× drained jobs/s, 6,000 of a batch / plain",
            "ms from last job to callback, 100",
            "ms to enqueue a graph of 50",
            "ms from there until all 50 were done",
            "6,000 in a batch: enqueued jobs/s",
            "6,000 in a batch: drained jobs/s",
            "6,000 in a batch: heap at most, MiB");
    assertThat(figures.values())
        .allSatisfy(f -> assertThat(f.get("median").asDouble()).isNotNegative());
  }
}
