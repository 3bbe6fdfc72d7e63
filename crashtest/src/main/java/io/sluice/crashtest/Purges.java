package io.sluice.crashtest;

import io.sluice.Defaults;
import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.WaitingJobs;
import io.sluice.postgres.PostgresStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Purges all the time, and has something to purge: jobs that came in, and were over, days ago by the clock of
 * the store that they are written through.
 */
final class Purges implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration KEPT = Duration.ofHours(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int JOBS = 5;
  private static final int LEAST_DAYS = 3;
  private static final int DAYS = 10;

  private final RandomGenerator random;
  private final PostgresStore past;
  private final PostgresStore present;
  private final Sluice sluice;
  private final Thread thread;
  private volatile Duration ago = Duration.ofDays(LEAST_DAYS);
  private volatile boolean ended;
  private final AtomicLong gone = new AtomicLong();

  /** Begins at once. */
  Purges(Server server, long seed) {
    InstantSource clock = () -> InstantSource.system().instant().minus(ago);
    random = new Random(seed);
    past = PostgresStore.builder()
        .url(server.url())
        .statementTimeout(TIMEOUT)
        .clock(clock)
        .build();
    present =
        PostgresStore.builder().url(server.url()).statementTimeout(TIMEOUT).build();
    sluice =
        Sluice.builder(past).clock(clock).withoutWork().withoutDuties().build().start();
    thread = Thread.ofPlatform().daemon().name("purges").start(this::go);
  }

  private void go() {
    try {
      while (!ended) {
        round();
        Clock.rest(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void round() {
    ago = Duration.ofDays(LEAST_DAYS + random.nextInt(DAYS));
    try {
      for (int i = 0; i < JOBS; i++) {
        sluice.enqueue(Jobs.of(Work.OLD).queue(Work.OLD));
      }
      cancel();
      gone.addAndGet(present.purge());
    } catch (SluiceException e) {
      // The database went down in the middle: the next round goes on from there.
    }
  }

  private void cancel() {
    WaitingJobs old = WaitingJobs.ofQueue(Defaults.TENANT, Work.OLD);
    past.cancelWaiting(old, "it is old", KEPT, 1_000);
  }

  /** How many jobs were purged. */
  long gone() {
    return gone.get();
  }

  /** Brings no more, and leaves none waiting. */
  void end() throws InterruptedException {
    ended = true;
    thread.join();
    cancel();
  }

  @Override
  public void close() {
    ended = true;
    thread.interrupt();
    sluice.close();
    present.close();
  }
}
