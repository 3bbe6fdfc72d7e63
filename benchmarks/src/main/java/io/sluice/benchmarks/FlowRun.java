package io.sluice.benchmarks;

import io.sluice.JobRequest;
import io.sluice.Jobs;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.Sluice;
import io.sluice.store.JobStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** What flow control costs and does: limits that are never reached, fairness, and many lanes. */
final class FlowRun {
  private static final int SLOTS = 20;
  private static final int BULK = 5_000;
  private static final int CLAIM = 100;
  private static final int OTHERS = 9;
  private static final int PER_SECOND = 10;
  private static final long HANDLER_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long PATIENCE_MINUTES = 10;
  static final String TYPE = "noop";

  /** How much is done. */
  record Extent(int rounds, int takings, int jobs, int backlog, int seconds, List<Integer> lanes) {
    static final Extent FULL = new Extent(3, 3, 50_000, 1_000_000, 20, List.of(10, 1_000, 10_000));
    static final Extent QUICK = new Extent(1, 1, 400, 500, 1, List.of(10, 200));

    /** A single round is to see that everything works: nobody reads its figures. */
    boolean warmsUp() {
      return rounds > 1;
    }
  }

  private final Extent extent;
  private final Figures figures = new Figures();

  FlowRun(Extent extent) {
    this.extent = extent;
  }

  Figures run(Consumer<String> say) throws Exception {
    try (Database database = new Database()) {
      Subject subject = new Subject.Postgres(database);
      if (extent.warmsUp()) {
        say.accept("warming up");
        drained(subject, QueueSettings.of("default"));
      }
      for (int round = 1; round <= extent.rounds(); round++) {
        say.accept("round " + round + " of " + extent.rounds() + ": limits that are never reached");
        limits(subject);
        say.accept("  lanes");
        for (int taking = 0; taking < extent.takings(); taking++) {
          for (int lanes : extent.lanes()) {
            lanes(subject, lanes);
          }
        }
        say.accept("  equal backlogs");
        figures.add("Jain's index of three equal backlogs", jain(subject));
        say.accept("  small tenants alone, then beside a large backlog");
        for (int taking = 0; taking < extent.takings(); taking++) {
          figures.add("p99 ms of nine tenants alone", waits(subject, database, 0));
          figures.add(
              "p99 ms of nine tenants beside a backlog",
              waits(subject, database, extent.backlog()));
        }
      }
    }
    multiples();
    return figures;
  }

  private void multiples() {
    figures.addMultiple("drained jobs/s, limited", "drained jobs/s", "unlimited");
    String most = claimTime(extent.lanes().getLast());
    figures.addMultiple(most, claimTime(extent.lanes().getFirst()), "fewest lanes");
    figures.addMultiple(
        "p99 ms of nine tenants beside a backlog", "p99 ms of nine tenants alone", "alone");
  }

  private static String claimTime(int lanes) {
    return "claim ms, %,d lanes".formatted(lanes);
  }

  /** Takings of both kinds by turns, so that both feel the same weather. */
  private void limits(Subject subject) throws Exception {
    QueueSettings free = QueueSettings.of("default");
    QueueSettings limited =
        free.withMaxConcurrent(1_000_000).withRateLimit(new RateLimit(1_000_000, 1_000_000));
    for (int i = 0; i < extent.takings(); i++) {
      figures.add("drained jobs/s", drained(subject, free));
      figures.add("drained jobs/s, limited", drained(subject, limited));
    }
  }

  private double drained(Subject subject, QueueSettings queue) throws Exception {
    CountDownLatch done = new CountDownLatch(extent.jobs());
    try (Sluice sluice = Sluice.builder(subject.fresh())
        .slots(SLOTS)
        .queue(queue)
        .handler(TYPE, Payload.class, (job, c) -> done.countDown())
        .build()
        .start()) {
      sluice.pause("default");
      bulk(sluice, extent.jobs(), i -> job());
      long start = System.nanoTime();
      sluice.resume("default");
      await(done);
      return extent.jobs() * 1e9 / (System.nanoTime() - start);
    }
  }

  /** The time of a look for work and the taking of 100 jobs, with so many lanes that all have some. */
  private void lanes(Subject subject, int lanes) throws Exception {
    Timings claims = new Timings();
    CountDownLatch done = new CountDownLatch(extent.jobs());
    JobStore store = new TimedStore(new EvenClaims(subject.fresh(), CLAIM), claims);
    try (Sluice sluice = Sluice.builder(store)
        .slots(SLOTS)
        .handler(TYPE, Payload.class, (job, c) -> {
          pause();
          done.countDown();
        })
        .build()
        .start()) {
      sluice.pause("default");
      bulk(sluice, extent.jobs(), i -> job().limitKey("key-" + i % lanes));
      claims.take();
      long start = System.nanoTime();
      sluice.resume("default");
      awaitHalf(done);
      Timings.Sorted times = claims.take();
      figures.add(claimTime(lanes), times.at(0.5));
      figures.add(
          "claims/s, %,d lanes".formatted(lanes),
          times.millis().size() * 1e9 / (System.nanoTime() - start));
      figures.add(
          "jobs/s, %,d lanes".formatted(lanes),
          extent.jobs() / 2.0 * 1e9 / (System.nanoTime() - start));
      sluice.pause("default");
    }
  }

  /** While half of them are left, every lane has work: that is what is to be measured. */
  private void awaitHalf(CountDownLatch done) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(PATIENCE_MINUTES);
    while (done.getCount() > extent.jobs() / 2) {
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException(done.getCount() + " jobs are not done");
      }
      LockSupport.parkNanos(HANDLER_NANOS);
    }
  }

  /** How evenly three tenants with as much to do are served, when half of all is done. */
  private double jain(Subject subject) throws Exception {
    int tenants = 3;
    AtomicIntegerArray served = new AtomicIntegerArray(tenants);
    CountDownLatch done = new CountDownLatch(extent.jobs());
    try (Sluice sluice = Sluice.builder(subject.fresh())
        .slots(SLOTS)
        .handler(TYPE, Payload.class, (job, c) -> {
          pause();
          served.incrementAndGet(Integer.parseInt(job.lane().tenant().substring(1)));
          done.countDown();
        })
        .build()
        .start()) {
      for (int t = 0; t < tenants; t++) {
        sluice.queues().save(QueueSettings.of("t" + t, "default").withPaused(true));
        String tenant = "t" + t;
        bulk(sluice, extent.jobs() / tenants, i -> job().tenant(tenant));
      }
      for (int t = 0; t < tenants; t++) {
        sluice.queues().save(QueueSettings.of("t" + t, "default"));
      }
      awaitHalf(done);
      double sum = 0;
      double squares = 0;
      for (int t = 0; t < tenants; t++) {
        sum += served.get(t);
        squares += (double) served.get(t) * served.get(t);
        sluice.queues().pause("t" + t, "default", true);
      }
      return sum * sum / (tenants * squares);
    }
  }

  /**
   * From the call of enqueue to the start of the handler, for nine tenants that send a little each. The
   * backlog is on disk before: how long a million jobs take to be written is another question.
   */
  private double waits(Subject subject, Database database, int backlog) throws Exception {
    Timings waits = new Timings();
    try (Sluice sluice = Sluice.builder(subject.fresh())
        .slots(SLOTS)
        .handler(TYPE, Payload.class, (job, c) -> pause())
        .handler("timed", Feeders.Timed.class, (job, c) -> {
          waits.add(System.nanoTime() - job.payload().nanoTime());
          pause();
        })
        .build()
        .start()) {
      sluice.queues().save(QueueSettings.of("large", "default").withPaused(true));
      bulk(sluice, backlog, i -> job().tenant("large"));
      database.run("checkpoint");
      sluice.queues().save(QueueSettings.of("large", "default"));
      send(sluice, Math.min(3, extent.seconds()));
      waits.take();
      send(sluice, extent.seconds());
      requireBacklog(sluice, backlog);
      sluice.queues().pause("large", "default", true);
      return waits.take().at(0.99);
    }
  }

  private void requireBacklog(Sluice sluice, int backlog) {
    boolean lasted = sluice.stats().counts().stream()
        .anyMatch(count -> count.tenant().equals("large") && !count.state().isFinal());
    if (backlog == Extent.FULL.backlog() && !lasted) {
      throw new IllegalStateException("the backlog was done before its time");
    }
  }

  static void send(Sluice sluice, int seconds) throws InterruptedException {
    List<Thread> senders = new ArrayList<>();
    for (int s = 0; s < OTHERS; s++) {
      String tenant = "small" + s;
      long offset = TimeUnit.SECONDS.toNanos(1) / PER_SECOND * s / OTHERS;
      senders.add(Thread.ofPlatform().start(() -> {
        long next = System.nanoTime() + offset;
        for (int i = 0; i < seconds * PER_SECOND; i++) {
          LockSupport.parkNanos(next - System.nanoTime());
          sluice.enqueue(
              Jobs.of("timed", new Feeders.Timed(System.nanoTime(), "")).tenant(tenant));
          next += TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
        }
      }));
    }
    for (Thread sender : senders) {
      sender.join();
    }
  }

  private static JobRequest job() {
    return Jobs.of(TYPE, Payload.ONE);
  }

  static void bulk(Sluice sluice, int jobs, IntFunction<JobRequest> job) {
    for (int from = 0; from < jobs; from += BULK) {
      List<JobRequest> batch = new ArrayList<>();
      for (int i = from; i < Math.min(jobs, from + BULK); i++) {
        batch.add(job.apply(i));
      }
      sluice.enqueueAll(batch);
    }
  }

  static void pause() {
    long end = System.nanoTime() + HANDLER_NANOS;
    for (long left = HANDLER_NANOS; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  static void await(CountDownLatch done) throws InterruptedException {
    if (!done.await(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
      throw new IllegalStateException(done.getCount() + " jobs are not done");
    }
  }
}
