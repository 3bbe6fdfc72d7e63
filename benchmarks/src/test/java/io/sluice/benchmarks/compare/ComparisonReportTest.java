package io.sluice.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.benchmarks.compare.Measurement.Figure;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonReportTest {
  @Test
  void oneSlowerPhase_makesTheBuildSlower() {
    ComparisonReport report = report(Map.of(Phase.DRAIN, 0.75));
    assertThat(report.interval(Phase.DRAIN, Figure.RATE))
        .isEqualTo(new RatioInterval(0.75, 0.75, 0.75));
    assertThat(report.verdict())
        .isEqualTo("Verdict: slower."
            + " single enqueue: 1.000 times the other's rate (1.000 to 1.000)."
            + " bulk enqueue: 1.000 times the other's rate (1.000 to 1.000)."
            + " drain: 0.750 times the other's rate (0.750 to 0.750).");
  }

  @Test
  void fasterAndSame_isFaster() {
    assertThat(report(Map.of(Phase.SINGLE, 1.1)).verdict()).startsWith("Verdict: faster.");
  }

  @Test
  void wideInterval_isUndecided_andNotNarrow() {
    ComparisonReport report = new ComparisonReport();
    for (double ratio : new double[] {0.7, 0.8, 1, 1.2, 1.3}) {
      report.beginGeneration();
      report.add(measured(Map.of(Phase.BULK, ratio)), measured(Map.of()));
    }
    assertThat(report.isNarrow(Comparison.NARROW)).isFalse();
    assertThat(report.verdict()).startsWith("Verdict: undecided, the interval is too wide.");
  }

  @Test
  void table_hasARowForEachFigure_andSaysWhatACostMeans() {
    String table = report(Map.of(Phase.DRAIN, 0.5)).table();
    assertThat(table.lines()).hasSize(1 + Phase.values().length * Figure.values().length);
    assertThat(table)
        .containsPattern("drain, jobs/s +500 +1,000 +0.500 +0.500 to 0.500 +slower")
        .containsPattern(
            "drain, CPU microseconds per job +60.0 +30.0 +2.000 +2.000 to 2.000 +more");
  }

  @Test
  void cost_isThatOfAllTurnsTogether_asTicksAreTooLongForOne() {
    ComparisonReport report = new ComparisonReport();
    report.beginGeneration();
    report.add(costing(0), costing(20));
    report.add(costing(40), costing(0));
    assertThat(report.interval(Phase.DRAIN, Figure.CPU).ratio()).isEqualTo(2);
    assertThat(report.table())
        .containsPattern("drain, CPU microseconds per job +20.0 +10.0 +2.000");
  }

  private static Turn costing(double cpuMicros) {
    Map<Phase, Measurement> measured = new EnumMap<>(Phase.class);
    for (Phase phase : Phase.values()) {
      measured.put(phase, new Measurement(1_000, cpuMicros, 600));
    }
    return new Turn(measured);
  }

  /** Two generations of pairs in which our build has these multiples of the other's rate. */
  private static ComparisonReport report(Map<Phase, Double> multiples) {
    ComparisonReport report = new ComparisonReport();
    for (int generation = 0; generation < 2; generation++) {
      report.beginGeneration();
      report.add(measured(multiples), measured(Map.of()));
      report.add(measured(multiples), measured(Map.of()));
    }
    return report;
  }

  private static Turn measured(Map<Phase, Double> multiples) {
    Map<Phase, Measurement> measured = new EnumMap<>(Phase.class);
    for (Phase phase : Phase.values()) {
      double multiple = multiples.getOrDefault(phase, 1.0);
      measured.put(phase, new Measurement(1_000 * multiple, 30 / multiple, 600));
    }
    return new Turn(measured);
  }
}
