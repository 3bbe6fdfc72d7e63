package io.sluice.benchmarks;

import io.sluice.BatchRequest;
import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.postgres.PostgresStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/** A batch of very many jobs, added some thousand at a time by a process with little memory, and run by it. */
final class HugeBatch {
  private static final double MIB = 1 << 20;
  private static final String HEAP = "-Xmx256m";

  private HugeBatch() {}

  /** Runs it in a process of its own and takes over the figures that it prints. */
  static void measure(Subject.Postgres subject, int jobs, Figures figures)
      throws IOException, InterruptedException {
    subject.fresh().close();
    List<String> line = ChildJvm.line(
        System.getProperty("java.class.path"),
        List.of(HEAP),
        HugeBatch.class,
        List.of(subject.database().url(), subject.schema(), Integer.toString(jobs)));
    Process process =
        new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (Optional<String> told = ChildJvm.hear(output);
          told.isPresent();
          told = ChildJvm.hear(output)) {
        String[] figure = told.get().split("\t", 2);
        figures.add(figure[0].formatted(jobs), Double.parseDouble(figure[1]));
      }
    }
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the batch of " + jobs + " failed: see above");
    }
  }

  public static void main(String[] args) throws Exception {
    int jobs = Integer.parseInt(args[2]);
    CountDownLatch done = new CountDownLatch(jobs);
    CountDownLatch called = new CountDownLatch(1);
    try (Sluice sluice = Sluice.builder(
            PostgresStore.builder().url(args[0]).schema(args[1]).build())
        .slots(WorkflowRun.SLOTS)
        .handler(WorkflowRun.TYPE, Payload.class, (job, c) -> done.countDown())
        .handler(WorkflowRun.CALLBACK, Payload.class, (job, c) -> called.countDown())
        .build()
        .start()) {
      sluice.pause("default");
      UUID batch = enqueue(sluice, jobs);
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      tell(
          "%,d in a batch: heap in use, MiB", (runtime.totalMemory() - runtime.freeMemory()) / MIB);
      long start = System.nanoTime();
      sluice.resume("default");
      WorkflowRun.await(done);
      tell("%,d in a batch: drained jobs/s", jobs * 1e9 / (System.nanoTime() - start));
      WorkflowRun.await(called);
      WorkflowRun.requireCounts(sluice.batches().find(batch).orElseThrow(), jobs);
      tell("%,d in a batch: heap at most, MiB", heapAtMost() / MIB);
    }
  }

  private static UUID enqueue(Sluice sluice, int jobs) {
    BatchRequest request = BatchRequest.named("huge")
        .callback(Jobs.of(WorkflowRun.CALLBACK, Payload.ONE))
        .open();
    long start = System.nanoTime();
    UUID batch = sluice.enqueue(request).id();
    for (int from = 0; from < jobs; from += WorkflowRun.BULK) {
      int count = Math.min(WorkflowRun.BULK, jobs - from);
      sluice.batches().add(batch, WorkflowRun.jobs(count));
    }
    sluice.batches().close(batch);
    tell("%,d in a batch: enqueued jobs/s", jobs * 1e9 / (System.nanoTime() - start));
    return batch;
  }

  private static double heapAtMost() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .map(MemoryPoolMXBean::getPeakUsage)
        .mapToDouble(usage -> usage.getUsed())
        .sum();
  }

  private static void tell(String figure, double value) {
    ChildJvm.tell(figure + "\t" + value);
  }
}
