package io.sluice.crashtest;

import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.postgres.PostgresStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * A producer, made to be killed: enqueues numbered jobs at a steady pace and writes down what it was
 * answered. An enqueue whose answer did not come is repeated with the same key, by this process or by
 * the one that is started in its place.
 */
final class ProducerProcess {
  static final String ROLE = "producer";

  private static final int THREADS = 4;
  /** Jobs come in heaps, so that workers are now full and now idle. */
  private static final int BURST = 40;

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
      for (Work work : share) {
        Clock.restUntil(begin + work.seq() / BURST * BURST * interval);
        while (!isTaken(sluice, work)) {
          Clock.rest(PAUSE);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isTaken(Sluice sluice, Work work) {
    String key = work.key();
    Journal journal = self.journal();
    journal.write(new Entry.Invoke(Clock.now(), self.who(), key, work));
    try {
      Enqueued answer = sluice.enqueue(work.request());
      journal.write(new Entry.Ok(Clock.now(), self.who(), key, answer.id()));
      return true;
    } catch (SluiceException e) {
      boolean unsure = e.code() == ErrorCode.PERSISTENCE_FAILURE;
      journal.write(
          unsure
              ? new Entry.Unknown(Clock.now(), self.who(), key)
              : new Entry.Fail(Clock.now(), self.who(), key, e.toString()));
      return false;
    }
  }
}
