package io.sluice.benchmarks.compare;

/** What one phase of one build took. */
record Measurement(double jobsPerSecond, double cpuMicrosPerJob, double walBytesPerJob) {
  /** A figure of a phase that two builds are compared by. */
  enum Figure {
    RATE("jobs/s"),
    CPU("CPU microseconds per job"),
    WAL("WAL bytes per job");

    private final String unit;

    Figure(String unit) {
      this.unit = unit;
    }

    String unit() {
      return unit;
    }
  }

  double get(Figure figure) {
    return switch (figure) {
      case RATE -> jobsPerSecond;
      case CPU -> cpuMicrosPerJob;
      case WAL -> walBytesPerJob;
    };
  }
}
