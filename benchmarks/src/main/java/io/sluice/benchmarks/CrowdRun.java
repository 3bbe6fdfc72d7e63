package io.sluice.benchmarks;

import io.sluice.JobRequest;
import io.sluice.Jobs;
import io.sluice.QueueSettings;
import io.sluice.Sluice;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * What very many lanes cost the other tenants of which nothing may run: half are of a type without a handler, half
 * in a paused queue. Claims and starts of the others are taken with and without them, by turns.
 */
final class CrowdRun {
  private static final int SLOTS = 20;
  private static final int CLAIM = 100;
  private static final int LANES_WITH_WORK = 10;
  private static final int WARM_UP_SECONDS = 3;
  private static final String TENANT = "crowd";
  private static final String PAUSED = "paused";

  /** How much is done. */
  record Extent(int rounds, int lanes, int jobs, int seconds) {
    static final Extent FULL = new Extent(3, 100_000, 50_000, 20);
    static final Extent QUICK = new Extent(1, 300, 400, 1);
  }

  private final Extent extent;
  private final Figures figures = new Figures();

  CrowdRun(Extent extent) {
    this.extent = extent;
  }

  Figures run(Consumer<String> say) throws Exception {
    try (Database database = new Database()) {
      Subject subject = new Subject.Postgres(database);
      for (int round = 1; round <= extent.rounds(); round++) {
        say.accept("round " + round + " of " + extent.rounds() + ": nobody beside");
        measure(subject, database, 0);
        say.accept("  " + beside(extent.lanes()));
        measure(subject, database, extent.lanes());
      }
    }
    for (String figure : new String[] {"claim ms", "start p99 ms of nine tenants"}) {
      figures.addMultiple(
          figure + ", " + beside(extent.lanes()), figure + ", " + beside(0), beside(0));
    }
    return figures;
  }

  private static String beside(int lanes) {
    return lanes == 0 ? "alone" : "beside %,d lanes that may not run".formatted(lanes);
  }

  private void measure(Subject subject, Database database, int lanes) throws Exception {
    Timings claims = new Timings();
    Timings waits = new Timings();
    CountDownLatch done = new CountDownLatch(extent.jobs());
    try (Sluice sluice = Sluice.builder(
            new TimedStore(new EvenClaims(subject.fresh(), CLAIM), claims))
        .slots(SLOTS)
        .handler(FlowRun.TYPE, Payload.class, (job, c) -> {
          FlowRun.pause();
          done.countDown();
        })
        .handler(Feeders.TYPE, Feeders.Timed.class, (job, c) -> {
          waits.add(System.nanoTime() - job.payload().nanoTime());
          FlowRun.pause();
        })
        .build()
        .start()) {
      sluice.queues().save(QueueSettings.of(TENANT, PAUSED).withPaused(true));
      FlowRun.bulk(sluice, lanes, CrowdRun::crowded);
      database.run("checkpoint");
      figures.add("start p99 ms of nine tenants, " + beside(lanes), starts(sluice, waits));
      figures.add("claim ms, " + beside(lanes), claims(sluice, claims, done));
    }
  }

  private static JobRequest crowded(int i) {
    JobRequest job = i % 2 == 0
        ? Jobs.of("nobody", Payload.ONE)
        : Jobs.of(FlowRun.TYPE, Payload.ONE).queue(PAUSED);
    return job.tenant(TENANT).limitKey("key-" + i);
  }

  /** From the call of enqueue to the start of the handler, for nine tenants that send a little each. */
  private double starts(Sluice sluice, Timings waits) throws InterruptedException {
    FlowRun.send(sluice, Math.min(WARM_UP_SECONDS, extent.seconds()));
    waits.take();
    FlowRun.send(sluice, extent.seconds());
    return waits.take().at(0.99);
  }

  /** The time of a look for work and the taking of 100 jobs, of one tenant with a backlog. */
  private double claims(Sluice sluice, Timings claims, CountDownLatch done)
      throws InterruptedException {
    sluice.pause("default");
    FlowRun.bulk(
        sluice,
        extent.jobs(),
        i -> Jobs.of(FlowRun.TYPE, Payload.ONE).limitKey("key-" + i % LANES_WITH_WORK));
    claims.take();
    sluice.resume("default");
    FlowRun.await(done);
    return claims.take().at(0.5);
  }
}
