package io.sluice.crashtest;

import io.sluice.AfterPolicy;
import io.sluice.BatchStarted;
import io.sluice.ErrorCode;
import io.sluice.JobRequest;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.postgres.PostgresStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A producer, made to be killed: enqueues numbered jobs at a steady pace and writes down what it was
 * answered, and batches among them. An enqueue whose answer did not come is repeated with the same key, by
 * this process or by the one that is started in its place.
 */
final class ProducerProcess {
  static final String ROLE = "producer";

  private static final int THREADS = 4;
  /** Jobs come in heaps, so that workers are now full and now idle. */
  static final int HEAP = 40;

  private static final Duration EXPIRY = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Member self;
  private final long jobs;
  private final long begin;
  private final long interval;

  /** After the common ones come: how many jobs, the moment of the first, nanoseconds between two. */
  private ProducerProcess(Member self, String[] args) {
    this.self = self;
    this.jobs = Long.parseLong(args[5]);
    this.begin = Long.parseLong(args[6]);
    this.interval = Long.parseLong(args[7]);
  }

  public static void main(String[] args) throws InterruptedException {
    new ProducerProcess(Member.of(args), args).produce();
    Runtime.getRuntime().halt(0);
  }

  private void produce() throws InterruptedException {
    Set<String> taken = new HashSet<>();
    for (Entry entry : Journal.read(self.folder(), ROLE)) {
      if (entry instanceof Entry.Ok ok) {
        taken.add(ok.key());
      }
    }
    Sluice sluice = start();
    self.journal().write(new Entry.Ready(Clock.now(), self.who()));
    List<Work> open = LongStream.range(0, jobs)
        .mapToObj(seq -> Work.of(self.seed(), seq, self.lease()))
        .filter(work -> !taken.contains(work.key()))
        .toList();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int mine = i;
      List<Work> share = open.stream().filter(work -> thread(work) == mine).toList();
      threads.add(Thread.ofPlatform().start(() -> enqueue(sluice, share)));
    }
    List<BatchPlan> plans = IntStream.range(0, (int) (jobs / BatchPlan.EVERY))
        .mapToObj(BatchPlan::new)
        .filter(plan -> !taken.contains(plan.callback().key()))
        .toList();
    threads.add(Thread.ofPlatform().start(() -> enqueueBatches(sluice, plans)));
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Ordered work goes by one thread, one after the other. */
  private static int thread(Work work) {
    boolean ordered = work.type().equals(Work.FIFO) || work.type().equals(Work.STRICT);
    return ordered ? 0 : (int) (1 + work.seq() % (THREADS - 1));
  }

  private Sluice start() throws InterruptedException {
    while (true) {
      PostgresStore store = self.store();
      try {
        return Sluice.builder(store)
            .name(self.who())
            .lease(self.lease())
            .build()
            .start();
      } catch (SluiceException e) {
        store.close();
        Clock.rest(PAUSE);
      }
    }
  }

  private void enqueue(Sluice sluice, List<Work> share) {
    try {
      UUID last = null;
      for (Work work : share) {
        Clock.restUntil(begin + work.seq() / HEAP * HEAP * interval);
        JobRequest request = request(work, last);
        last = untilTaken(List.of(work), () -> List.of(sluice.enqueue(request).id()))
            .getFirst();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static JobRequest request(Work work, @Nullable UUID last) {
    JobRequest request = work.request();
    if (work.expires()) {
      request.expiresAt(InstantSource.system().instant().plus(EXPIRY));
    }
    // Often at the very moment at which the other one ends.
    return last != null && work.follows()
        ? request.after(last).afterPolicy(AfterPolicy.RUN)
        : request;
  }

  private void enqueueBatches(Sluice sluice, List<BatchPlan> plans) {
    try {
      for (BatchPlan plan : plans) {
        Clock.restUntil(begin + (long) plan.number() * BatchPlan.EVERY * interval);
        List<Work> works = new ArrayList<>(plan.members());
        works.add(plan.callback());
        untilTaken(works, () -> ids(sluice.enqueue(plan.request())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<UUID> ids(BatchStarted batch) {
    List<UUID> ids = new ArrayList<>();
    batch.jobs().forEach(job -> ids.add(job.id()));
    UUID callback = batch.callback();
    if (callback != null) {
      ids.add(callback);
    }
    return ids;
  }

  /** Repeats it until it is answered, writes that down, and returns the ids of what was taken. */
  private List<UUID> untilTaken(List<Work> works, Supplier<List<UUID>> enqueue)
      throws InterruptedException {
    Journal journal = self.journal();
    while (true) {
      works.forEach(
          work -> journal.write(new Entry.Invoke(Clock.now(), self.who(), work.key(), work)));
      try {
        List<UUID> ids = enqueue.get();
        long now = Clock.now();
        for (int i = 0; i < works.size(); i++) {
          journal.write(new Entry.Ok(now, self.who(), works.get(i).key(), ids.get(i)));
        }
        return ids;
      } catch (SluiceException e) {
        works.forEach(work -> journal.write(refused(work.key(), e)));
        Clock.rest(PAUSE);
      }
    }
  }

  private Entry refused(String key, SluiceException e) {
    return e.code() == ErrorCode.PERSISTENCE_FAILURE
        ? new Entry.Unknown(Clock.now(), self.who(), key)
        : new Entry.Fail(Clock.now(), self.who(), key, e.toString());
  }
}
