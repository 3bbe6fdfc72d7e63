package io.sluice.crashtest;

import io.sluice.Job;
import io.sluice.JobRequest;
import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.store.ClaimRef;
import io.sluice.store.Finish;
import io.sluice.store.ForwardingStore;
import io.sluice.store.JobStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * One of two processes, each of which runs one of two jobs that a third one waits for. An engine as any
 * other, but that it tells its store the end of its job when the other one does so, and the director is ready.
 */
final class PairProcess {
  static final String LEFT = "left";
  static final String RIGHT = "right";
  static final int PARTIES = 3;
  static final int DIRECTOR = 2;

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int LONGEST_LAG_NANOS = 400_000;

  /** The payload: which round, and whether it shall fail for good. */
  record Round(long number, boolean fails) {
    JobRequest of(String side) {
      return Jobs.of(side, this).maxAttempts(1);
    }
  }

  private final Member self;
  private final String side;
  private final Meeting meeting;
  private final Map<UUID, Long> rounds = new ConcurrentHashMap<>();

  private PairProcess(Member self, String side) {
    this.self = self;
    this.side = side;
    this.meeting = meeting(self.folder());
  }

  public static void main(String[] args) throws InterruptedException {
    new PairProcess(Member.of(args), args[0]).work();
  }

  static Meeting meeting(Path folder) {
    return Meeting.at(folder.resolve("meeting"), PARTIES);
  }

  private void work() throws InterruptedException {
    Sluice.builder(new Punctual(self.store()))
        .name(self.who())
        .slots(1)
        .lease(self.lease())
        .poll(POLL)
        .handler(side, Round.class, (job, context) -> handle(job))
        .build()
        .start();
    self.journal().write(new Entry.Ready(Clock.now(), self.who()));
    new CountDownLatch(1).await();
  }

  private void handle(Job<Round> job) {
    rounds.put(job.id(), job.payload().number());
    if (job.payload().fails()) {
      throw new IllegalStateException("fails as told");
    }
  }

  /** Waits for the others before it ends the job of a round, and writes down how long the store took. */
  private final class Punctual extends ForwardingStore {
    Punctual(JobStore store) {
      super(store);
    }

    @Override
    public Set<ClaimRef> finish(List<Finish> finishes) {
      Long round = finishes.stream()
          .map(finish -> rounds.remove(finish.ref().job()))
          .filter(number -> number != null)
          .findFirst()
          .orElse(null);
      if (round == null) {
        return super.finish(finishes);
      }
      meeting.join(side.equals(LEFT) ? 0 : 1, round, PATIENCE);
      lag(round);
      long begin = Clock.now();
      Set<ClaimRef> ended = super.finish(finishes);
      self.journal().write(new Entry.Told(begin, self.who(), round, Clock.now()));
      return ended;
    }
  }

  /** Lets one of the two be a little later, so that their statements meet at different points. */
  private void lag(long round) {
    int lag = new SplittableRandom(round).nextInt(-LONGEST_LAG_NANOS, LONGEST_LAG_NANOS);
    long end = Clock.now() + (side.equals(LEFT) ? lag : -lag);
    while (Clock.now() - end < 0) {
      Thread.onSpinWait();
    }
  }
}
