package io.sluice.benchmarks.compare;

import io.sluice.JobRequest;
import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.benchmarks.ChildJvm;
import io.sluice.benchmarks.Crew;
import io.sluice.benchmarks.Payload;
import io.sluice.postgres.PostgresStore;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * One build's side of a comparison: a process that does what its input orders, one order a line, and
 * answers each with jobs, nanoseconds, and nanoseconds of its own CPU time, behind {@code figure} and a tab.
 *
 * <p>Builds of different ages are compared by this protocol and the script {@code benchmarks/workload} that starts
 * this class. Orders, answers, the number of slots and callers, the sizes of calls and payloads and the memory of the
 * JVM stay as they are: another value would look like another speed of the engine.
 *
 * <pre>
 *   single N   enqueue N jobs one by one, 16 callers
 *   bulk N     enqueue N jobs, 5,000 a call
 *   drain N    run N waiting jobs, which do nothing
 * </pre>
 */
public final class Workload {
  private static final int SLOTS = 20;
  private static final int CALLERS = 16;
  private static final int BULK = 5_000;
  private static final int DAYS = 8;
  private static final String TYPE = "noop";
  private static final String QUEUE = "default";

  private final Sluice sluice;
  private volatile CountDownLatch waiting = new CountDownLatch(0);

  private Workload(String url, String schema) {
    sluice = Sluice.builder(store(url, schema))
        .slots(SLOTS)
        .handler(TYPE, Payload.class, (job, context) -> waiting.countDown())
        .build()
        .start();
    sluice.pause(QUEUE);
  }

  /** A store with a whole week of partitions, as a server has that has run for a while. */
  private static PostgresStore store(String url, String schema) {
    PostgresStore store = PostgresStore.builder().url(url).schema(schema).build();
    store.open();
    for (int day = 0; day < DAYS; day++) {
      store.purge();
    }
    return store;
  }

  /** Arguments: the JDBC address of the database, and the name of a schema for this build alone. */
  public static void main(String[] args) throws Exception {
    Workload workload = new Workload(args[0], args[1]);
    try (BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        ChildJvm.tell(workload.answer(order));
      }
    } finally {
      workload.sluice.close();
    }
  }

  private String answer(String order) throws Exception {
    String[] words = order.split(" ", 2);
    int jobs = Integer.parseInt(words[1]);
    System.gc();
    long cpu = cpuNanos();
    long start = System.nanoTime();
    switch (words[0]) {
      case "single" -> single(jobs);
      case "bulk" -> bulk(jobs);
      case "drain" -> drain(jobs);
      default -> throw new IllegalArgumentException("unknown order: " + order);
    }
    return "%d %d %d".formatted(jobs, System.nanoTime() - start, cpuNanos() - cpu);
  }

  private void single(int jobs) throws Exception {
    if (jobs % CALLERS != 0) {
      throw new IllegalArgumentException(jobs + " jobs are no multiple of " + CALLERS);
    }
    Crew.virtualRate(CALLERS, jobs / CALLERS, caller -> () -> sluice.enqueue(job()));
  }

  private void bulk(int jobs) {
    for (int left = jobs; left > 0; left -= BULK) {
      List<JobRequest> call = new ArrayList<>();
      for (int i = Math.min(left, BULK); i > 0; i--) {
        call.add(job());
      }
      sluice.enqueueAll(call);
    }
  }

  private void drain(int jobs) throws InterruptedException {
    waiting = new CountDownLatch(jobs);
    sluice.resume(QUEUE);
    waiting.await();
    sluice.pause(QUEUE);
  }

  private static JobRequest job() {
    return Jobs.of(TYPE, Payload.ONE);
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }
}
