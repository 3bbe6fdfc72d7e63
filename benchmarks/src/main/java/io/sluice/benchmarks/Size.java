package io.sluice.benchmarks;

/** How much a run does: the full size, or just enough to see that everything works. */
record Size(
    int rounds, int jobs, int takings, int waiting, int singles, int latencies, int slotMillis) {
  static final Size FULL = new Size(3, 50_000, 3, 1_000_000, 20_000, 300, 3_000);
  /** Enough for the compiler of the virtual machine to have seen everything. */
  static final Size WARM_UP = new Size(1, 50_000, 9, 50_000, 20_000, 100, 500);

  static final Size QUICK = new Size(1, 300, 1, 1_000, 160, 10, 200);
}
