package io.sluice.benchmarks;

import io.sluice.BatchRecord;
import io.sluice.BatchRequest;
import io.sluice.JobRequest;
import io.sluice.Jobs;
import io.sluice.QueueSettings;
import io.sluice.Sluice;
import io.sluice.SluiceBuilder;
import io.sluice.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** What batches and graphs cost: jobs of a batch beside plain ones, a graph of layers, and a huge batch. */
final class WorkflowRun {
  static final int SLOTS = 20;
  static final int BULK = 5_000;
  static final String TYPE = "noop";
  static final String CALLBACK = "callback";
  private static final long PATIENCE_MINUTES = 10;

  /** How much is done: a graph has so many layers of so many jobs. */
  record Extent(int rounds, int takings, List<Integer> batches, int layers, int width, int huge) {
    static final Extent FULL = new Extent(3, 5, List.of(10_000, 50_000), 20, 50, 1_000_000);
    static final Extent QUICK = new Extent(1, 1, List.of(100, 6_000), 5, 10, 6_000);

    /** A single round is to see that everything works: nobody reads its figures. */
    boolean warmsUp() {
      return rounds > 1;
    }
  }

  /** The place of a job in a graph. */
  record Node(int layer, int place) {}

  private final Extent extent;
  private final Figures figures = new Figures();

  WorkflowRun(Extent extent) {
    this.extent = extent;
  }

  Figures run(Consumer<String> say) throws Exception {
    try (Database database = new Database()) {
      Subject.Postgres subject = new Subject.Postgres(database);
      if (extent.warmsUp()) {
        say.accept("warming up");
        plain(subject, extent.batches().getLast());
        batch(subject, extent.batches().getLast());
        graph(subject);
      }
      for (int round = 1; round <= extent.rounds(); round++) {
        say.accept(
            "round " + round + " of " + extent.rounds() + ": plain jobs and batches by turns");
        for (int jobs : extent.batches()) {
          takings(subject, jobs);
        }
        say.accept("  a graph");
        graph(subject).record(figures);
      }
      say.accept("a batch of %,d in a process of 256 MiB".formatted(extent.huge()));
      HugeBatch.measure(subject, extent.huge(), figures);
    }
    for (int jobs : extent.batches()) {
      figures.addMultiple(ofABatch(jobs), plain(jobs), "plain");
    }
    return figures;
  }

  private static String plain(int jobs) {
    return "drained jobs/s, %,d plain".formatted(jobs);
  }

  private static String ofABatch(int jobs) {
    return "drained jobs/s, %,d of a batch".formatted(jobs);
  }

  /** Both kinds by turns, so that both feel the same weather, and now the one first, now the other. */
  private void takings(Subject subject, int jobs) throws Exception {
    for (int i = 0; i < extent.takings(); i++) {
      if (i % 2 == 0) {
        figures.add(plain(jobs), plain(subject, jobs));
        batch(subject, jobs).record(jobs, figures);
      } else {
        batch(subject, jobs).record(jobs, figures);
        figures.add(plain(jobs), plain(subject, jobs));
      }
    }
  }

  private double plain(Subject subject, int jobs) throws Exception {
    CountDownLatch done = new CountDownLatch(jobs);
    try (Sluice sluice = on(subject)
        .handler(TYPE, Payload.class, (job, c) -> done.countDown())
        .build()
        .start()) {
      sluice.pause("default");
      for (int from = 0; from < jobs; from += BULK) {
        sluice.enqueueAll(jobs(Math.min(BULK, jobs - from)));
      }
      long start = System.nanoTime();
      sluice.resume("default");
      await(done);
      return jobs * 1e9 / (System.nanoTime() - start);
    }
  }

  private static SluiceBuilder on(Subject subject) {
    return Sluice.builder(subject.fresh()).slots(SLOTS).queue(QueueSettings.of("default"));
  }

  static List<JobRequest> jobs(int count) {
    List<JobRequest> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jobs.add(Jobs.of(TYPE, Payload.ONE));
    }
    return jobs;
  }

  /** What a batch took. */
  private record Taken(double perSecond, double millisToCallback) {
    void record(int jobs, Figures figures) {
      figures.add(ofABatch(jobs), perSecond);
      figures.add("ms from last job to callback, %,d".formatted(jobs), millisToCallback);
    }
  }

  private Taken batch(Subject subject, int jobs) throws Exception {
    CountDownLatch done = new CountDownLatch(jobs);
    CountDownLatch called = new CountDownLatch(1);
    AtomicLong moment = new AtomicLong();
    AtomicInteger calls = new AtomicInteger();
    try (Sluice sluice = on(subject)
        .handler(TYPE, Payload.class, (job, c) -> done.countDown())
        .handler(CALLBACK, Payload.class, (job, c) -> {
          moment.set(System.nanoTime());
          calls.incrementAndGet();
          called.countDown();
        })
        .build()
        .start()) {
      sluice.pause("default");
      UUID batch = enqueue(sluice, jobs);
      long start = System.nanoTime();
      sluice.resume("default");
      await(done);
      long end = System.nanoTime();
      await(called);
      requireCounts(sluice.batches().find(batch).orElseThrow(), jobs);
      if (calls.get() != 1) {
        throw new IllegalStateException("the callback ran " + calls + " times");
      }
      return new Taken(jobs * 1e9 / (end - start), Math.max(0, moment.get() - end) / 1e6);
    }
  }

  /** The smallest in one call, the others into an open batch that is closed afterwards. */
  private UUID enqueue(Sluice sluice, int jobs) {
    BatchRequest request = BatchRequest.named("benchmark").callback(Jobs.of(CALLBACK, Payload.ONE));
    if (jobs == extent.batches().getFirst()) {
      jobs(jobs).forEach(request::add);
      return sluice.enqueue(request).id();
    }
    UUID batch = sluice.enqueue(request.open()).id();
    for (int from = 0; from < jobs; from += BULK) {
      sluice.batches().add(batch, jobs(Math.min(BULK, jobs - from)));
    }
    sluice.batches().close(batch);
    return batch;
  }

  static void requireCounts(BatchRecord batch, int jobs) {
    if (!batch.isOver() || batch.counts().total() != jobs || !batch.counts().succeeded()) {
      throw new IllegalStateException("the batch of " + jobs + " jobs stands at " + batch);
    }
  }

  /** What a graph took: to enqueue it, and from then until all of it was done. */
  private record Drawn(int nodes, double enqueueMillis, double runMillis) {
    void record(Figures figures) {
      figures.add("ms to enqueue a graph of %,d".formatted(nodes), enqueueMillis);
      figures.add("ms from there until all %,d were done".formatted(nodes), runMillis);
    }
  }

  /** Layers of jobs, each of which waits for two of the layer before. */
  private Drawn graph(Subject subject) throws Exception {
    int nodes = extent.layers() * extent.width();
    AtomicIntegerArray ended = new AtomicIntegerArray(nodes);
    AtomicInteger early = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(nodes);
    try (Sluice sluice = on(subject)
        .handler(TYPE, Node.class, (job, c) -> {
          Node node = job.payload();
          if (node.layer() > 0
              && waitsFor(node).stream().anyMatch(n -> ended.get(number(n)) != 1)) {
            early.incrementAndGet();
          }
          ended.incrementAndGet(number(node));
          done.countDown();
        })
        .build()
        .start()) {
      BatchRequest request = request();
      long start = System.nanoTime();
      sluice.enqueue(request);
      long taken = System.nanoTime();
      await(done);
      long end = System.nanoTime();
      if (early.get() > 0) {
        throw new IllegalStateException(early + " jobs ran before those they wait for");
      }
      return new Drawn(nodes, (taken - start) / 1e6, (end - taken) / 1e6);
    }
  }

  private BatchRequest request() {
    BatchRequest request = BatchRequest.named("graph");
    for (int layer = 0; layer < extent.layers(); layer++) {
      for (int place = 0; place < extent.width(); place++) {
        Node node = new Node(layer, place);
        Step step = request.add(name(node), Jobs.of(TYPE, node));
        if (layer > 0) {
          waitsFor(node).forEach(other -> step.after(name(other)));
        }
      }
    }
    return request;
  }

  private List<Node> waitsFor(Node node) {
    int before = node.layer() - 1;
    return List.of(
        new Node(before, node.place()), new Node(before, (node.place() + 1) % extent.width()));
  }

  private int number(Node node) {
    return node.layer() * extent.width() + node.place();
  }

  private static String name(Node node) {
    return node.layer() + "." + node.place();
  }

  static void await(CountDownLatch done) throws InterruptedException {
    if (!done.await(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
      throw new IllegalStateException(done.getCount() + " jobs are not done");
    }
  }
}
