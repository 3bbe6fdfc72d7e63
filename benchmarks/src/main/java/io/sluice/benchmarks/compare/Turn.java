package io.sluice.benchmarks.compare;

import io.sluice.benchmarks.compare.Measurement.Figure;
import java.util.Map;
import java.util.Objects;

/** What a build took for all phases, done one after the other. */
record Turn(Map<Phase, Measurement> phases) {
  double get(Phase phase, Figure figure) {
    return Objects.requireNonNull(phases.get(phase)).get(figure);
  }
}
