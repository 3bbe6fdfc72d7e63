package io.sluice.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.function.ObjDoubleConsumer;

/** What a stretch of work costs: CPU, write-ahead log, memory. */
final class Cost {
  private static final double MIB = 1 << 20;

  private final Subject subject;
  private double cpu;
  private long wal;

  Cost(Subject subject) {
    this.subject = subject;
  }

  void begin() {
    System.gc();
    cpu = cpuSeconds();
    wal = walBytes();
  }

  void note(int jobs, ObjDoubleConsumer<String> figure) {
    figure.accept("CPU microseconds per drained job", (cpuSeconds() - cpu) * 1e6 / jobs);
    if (subject instanceof Subject.Postgres) {
      figure.accept("WAL bytes per drained job", (double) (walBytes() - wal) / jobs);
    }
    Runtime runtime = Runtime.getRuntime();
    figure.accept("heap in use, MiB", (runtime.totalMemory() - runtime.freeMemory()) / MIB);
    figure.accept("process memory, MiB", residentBytes() / MIB);
  }

  private double cpuSeconds() {
    double ours = ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean os
        ? os.getProcessCpuTime() / 1e9
        : 0;
    return subject instanceof Subject.Postgres p ? ours + p.database().cpuSeconds() : ours;
  }

  private long walBytes() {
    return subject instanceof Subject.Postgres p ? p.database().walBytes() : 0;
  }

  private static double residentBytes() {
    return Resident.bytes();
  }
}
