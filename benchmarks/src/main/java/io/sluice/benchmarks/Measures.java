package io.sluice.benchmarks;

import io.sluice.JobRequest;
import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.SluiceBuilder;
import io.sluice.store.JobStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** What is measured of a store, each through the library as a user would call it. */
final class Measures {
  private static final int BULK = 5_000;
  private static final int CALLERS = 16;
  private static final int SLOTS = 20;
  private static final List<Integer> MANY_SLOTS = List.of(1, 5, 10, 20, 50);
  private static final List<Integer> FEW_SLOTS = List.of(1, 20, 50);
  private static final long PATIENCE_MINUTES = 10;
  private static final long HANDLER_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Subject subject;
  private final Size size;
  private final Figures figures;

  Measures(Subject subject, Size size, Figures figures) {
    this.subject = subject;
    this.size = size;
    this.figures = figures;
  }

  private void note(String what, double value) {
    figures.add(subject.name() + " " + what, value);
  }

  private static JobRequest job() {
    return Jobs.of("noop", Payload.ONE);
  }

  private static void bulk(Sluice sluice, int jobs) {
    for (int left = jobs; left > 0; left -= BULK) {
      List<JobRequest> batch = new ArrayList<>();
      for (int i = Math.min(left, BULK); i > 0; i--) {
        batch.add(job());
      }
      sluice.enqueueAll(batch);
    }
  }

  private SluiceBuilder on(JobStore store) {
    return Sluice.builder(store).slots(SLOTS);
  }

  void bulkEnqueue() throws Exception {
    try (Sluice sluice = on(subject.fresh()).build().start()) {
      long start = System.nanoTime();
      bulk(sluice, size.jobs());
      note("bulk enqueue/s", perSecond(size.jobs(), start));
    }
  }

  void singleEnqueue() throws Exception {
    note("single enqueue/s, 16 callers", median(i -> {
      try (Sluice sluice = on(subject.fresh()).build().start()) {
        sluice.enqueue(job());
        return Crew.virtualRate(
            CALLERS, size.singles() / CALLERS, n -> () -> sluice.enqueue(job()));
      }
    }));
  }

  /** One taking of a figure, the first of which is number 0. */
  private interface Taking {
    double take(int number) throws Exception;
  }

  /** The median of some takings, because one takes hardly a second. */
  private double median(Taking taking) throws Exception {
    double[] rates = new double[size.takings()];
    for (int i = 0; i < rates.length; i++) {
      rates[i] = taking.take(i);
    }
    return median(rates);
  }

  private static double median(double... rates) {
    Arrays.sort(rates);
    return rates[rates.length / 2];
  }

  /** No-op jobs a second. */
  void drain() throws Exception {
    note("drained jobs/s", median(i -> {
      Cost cost = new Cost(subject);
      Runnable end = i == 0 ? () -> cost.note(size.jobs(), this::note) : () -> {};
      return median(stretches(1, 0, cost::begin, end));
    }));
  }

  /** The same, stretch by stretch, in front of so many that go on waiting. */
  void drain(String name, int behind) throws Exception {
    note(name, median(stretches(size.takings(), behind, System::gc, () -> {})));
  }

  /**
   * Jobs a second, of which as many as a figure takes are done for each stretch.
   *
   * @param end called when the last is done and the processes that did it are still there
   */
  private double[] stretches(int count, int behind, Runnable begin, Runnable end) throws Exception {
    int jobs = size.jobs();
    AtomicLongArray ends = new AtomicLongArray(count + 1);
    AtomicInteger done = new AtomicInteger();
    CountDownLatch last = new CountDownLatch(1);
    try (Sluice sluice = on(subject.fresh())
        .handler("noop", Payload.class, (job, c) -> {
          int number = done.incrementAndGet();
          if (number % jobs == 0 && number <= count * jobs) {
            ends.set(number / jobs, System.nanoTime());
            if (number == count * jobs) {
              last.countDown();
            }
          }
        })
        .build()) {
      sluice.start();
      sluice.pause("default");
      bulk(sluice, count * jobs + behind);
      begin.run();
      ends.set(0, System.nanoTime());
      sluice.resume("default");
      await(last);
      end.run();
      sluice.pause("default");
    }
    return IntStream.range(0, count)
        .mapToDouble(i -> jobs * 1e9 / (ends.get(i + 1) - ends.get(i)))
        .toArray();
  }

  private static double perSecond(int jobs, long start) {
    return jobs * 1e9 / (System.nanoTime() - start);
  }

  private static void await(CountDownLatch done) throws InterruptedException {
    if (!done.await(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
      throw new IllegalStateException(done.getCount() + " jobs are not done");
    }
  }

  /**
   * From the call of enqueue to the first line of the handler, while nothing else goes on. The first
   * jobs do not count: connections are opened and statements planned for the first time.
   */
  void latency() throws Exception {
    SynchronousQueue<Long> started = new SynchronousQueue<>();
    try (Sluice sluice = on(subject.fresh())
        .handler("noop", Payload.class, (job, c) -> started.put(System.nanoTime()))
        .build()
        .start()) {
      double[] millis = new double[size.latencies()];
      for (int i = -Producer.WARM_UP; i < millis.length; i++) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        long start = System.nanoTime();
        sluice.enqueue(job());
        millis[Math.max(0, i)] = (started.take() - start) / 1e6;
      }
      noteLatency("same process", millis);
    }
  }

  /** The same with the producer in a process of its own, on the clock that both share. */
  void latencyAcross() throws Exception {
    if (!(subject instanceof Subject.Postgres postgres)) {
      return;
    }
    List<Double> millis = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch done = new CountDownLatch(size.latencies());
    try (Sluice sluice = on(postgres.fresh())
        .handler("warm-up", Producer.Sent.class, (job, c) -> {})
        .handler("timed", Producer.Sent.class, (job, c) -> {
          millis.add((System.nanoTime() - job.payload().nanoTime()) / 1e6);
          done.countDown();
        })
        .build()
        .start()) {
      Producer.start(postgres, size.latencies());
      await(done);
      noteLatency("another process", millis.stream().mapToDouble(d -> d).toArray());
    }
  }

  private void noteLatency(String where, double[] millis) {
    Arrays.sort(millis);
    note("enqueue to start, " + where + ", p50 ms", millis[millis.length / 2]);
    note("enqueue to start, " + where + ", p99 ms", millis[(int) (millis.length * 0.99)]);
  }

  /** Jobs a second of handlers that wait for 10 ms, as slots are added. */
  void slots() throws Exception {
    for (int slots : size.equals(Size.QUICK) ? FEW_SLOTS : MANY_SLOTS) {
      AtomicInteger ended = new AtomicInteger();
      try (Sluice sluice = Sluice.builder(subject.fresh())
          .slots(slots)
          .handler("noop", Payload.class, (job, c) -> {
            waitTenMillis();
            ended.incrementAndGet();
          })
          .build()) {
        sluice.start();
        bulk(sluice, Math.max(100, slots * size.slotMillis() / 5));
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(Math.min(200, size.slotMillis())));
        int before = ended.get();
        long start = System.nanoTime();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(size.slotMillis()));
        note("jobs/s of 10 ms, %d slots".formatted(slots), perSecond(ended.get() - before, start));
        sluice.pause("default");
      }
    }
  }

  private static void waitTenMillis() {
    long end = System.nanoTime() + HANDLER_NANOS;
    for (long left = HANDLER_NANOS; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
