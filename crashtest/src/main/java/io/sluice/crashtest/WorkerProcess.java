package io.sluice.crashtest;

import io.sluice.Job;
import io.sluice.JobContext;
import io.sluice.JobType;
import io.sluice.Sluice;
import io.sluice.SluiceBuilder;
import io.sluice.SluiceException;
import io.sluice.postgres.PostgresStore;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** A worker, made to be killed: a real engine whose handlers write down that they ran. */
final class WorkerProcess {
  /** The worker that alone handles the ordered type. */
  static final String FIRST = "worker-0";

  private static final int SLOTS = 8;
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Member self;
  private final Duration skew;
  private final ClaimTap claims;
  private final AtomicLong runs = new AtomicLong();

  private WorkerProcess(Member self, Duration skew) {
    this.self = self;
    this.skew = skew;
    this.claims = new ClaimTap(self);
  }

  /** After the common ones may come: by how many milliseconds the clock is fast. */
  public static void main(String[] args) throws InterruptedException {
    long skew = args.length > 5 ? Long.parseLong(args[5]) : 0;
    new WorkerProcess(Member.of(args), Duration.ofMillis(skew)).work();
  }

  private void work() throws InterruptedException {
    while (!starts()) {
      Clock.rest(PAUSE);
    }
    self.journal().write(new Entry.Ready(Clock.now(), self.who()));
    new CountDownLatch(1).await();
  }

  private boolean starts() {
    PostgresStore store = self.store();
    try {
      engine(store).start();
      return true;
    } catch (SluiceException e) {
      store.close();
      return false;
    }
  }

  private Sluice engine(PostgresStore store) {
    SluiceBuilder builder = Sluice.builder(claims.on(store))
        .name(self.who())
        .slots(SLOTS)
        .lease(self.lease())
        .poll(POLL)
        .clock(InstantSource.offset(InstantSource.system(), skew))
        .handler(type(Work.PLAIN))
        .handler(type(Work.SLOW))
        .handler(type(Work.FLAKY))
        .handler(type(Work.CAPPED))
        .handler(type(Work.PACED))
        .handler(type(Work.STRICT))
        .handler(type(Work.CALLBACK))
        .handler(type(Work.MEMBER))
        .handler(type(Work.AFTERWARDS))
        .handler(type(Work.FRAGILE).idempotent(false));
    if (self.who().startsWith(FIRST)) {
      builder.handler(type(Work.FIFO).slots(1));
    }
    return builder.build();
  }

  private JobType<Work> type(String name) {
    return JobType.of(name, Work.class).handle(this::handle);
  }

  private void handle(Job<Work> job, JobContext context) throws Exception {
    Work work = job.payload();
    String run = self.who() + "/" + runs.incrementAndGet();
    self.journal()
        .write(new Entry.Start(
            Clock.now(),
            self.who(),
            run,
            job.id(),
            claims.turn(job.id()),
            job.attempt(),
            work.seq(),
            work.isIntact() ? work.checksum() : -1));
    Entry.How how = Entry.How.INTERRUPTED;
    try {
      if (work.type().equals(Work.CALLBACK)) {
        self.journal().write(OpenJobs.seenBy(self, job.id(), context));
      }
      Clock.rest(Duration.ofMillis(work.millis()));
      how = job.attempt() <= work.failures() ? Entry.How.THREW : Entry.How.DONE;
    } finally {
      self.journal().write(new Entry.End(Clock.now(), self.who(), run, how));
    }
    if (how == Entry.How.THREW) {
      throw new IOException(Rows.failure(run));
    }
    if (!work.isSilent()) {
      context.result(run);
    }
  }
}
