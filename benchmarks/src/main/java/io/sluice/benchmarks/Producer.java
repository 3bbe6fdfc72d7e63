package io.sluice.benchmarks;

import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.postgres.PostgresStore;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Enqueues one job after the other from a process of its own. */
final class Producer {
  /** When a job was sent, on the system's monotonic clock, which all processes share. */
  record Sent(long nanoTime) {}

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(15);
  /** How many jobs go before those that count. */
  static final int WARM_UP = 50;

  private Producer() {}

  public static void main(String[] args) {
    int jobs = Integer.parseInt(args[2]);
    try (Sluice sluice = Sluice.builder(
            PostgresStore.builder().url(args[0]).schema(args[1]).build())
        .build()
        .start()) {
      for (int i = 0; i < WARM_UP + jobs; i++) {
        LockSupport.parkNanos(PAUSE_NANOS);
        String type = i < WARM_UP ? "warm-up" : "timed";
        sluice.enqueue(Jobs.of(type, new Sent(System.nanoTime())));
      }
    }
  }

  static void start(Subject.Postgres postgres, int jobs) throws IOException {
    List<String> line = ChildJvm.line(
        System.getProperty("java.class.path"),
        List.of(),
        Producer.class,
        List.of(postgres.database().url(), postgres.schema(), Integer.toString(jobs)));
    new ProcessBuilder(line).inheritIO().start();
  }
}
