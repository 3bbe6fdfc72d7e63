package io.sluice.crashtest;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Carries out the steps of a schedule, each on a thread of its own, and writes down from when to when. */
final class Mischief {
  private static final Duration SLOWNESS = Duration.ofMillis(20);
  private static final Duration STEP = Duration.ofHours(1);
  private static final Duration REPLY = Duration.ofSeconds(1);
  private static final String TERMINATE = """
      select pg_terminate_backend(s.pid) from (
        select pid from pg_stat_activity where application_name = 'sluice' order by random() limit 3) s
      """;

  private final Server server;
  private final Crew crew;
  private final Journal journal;
  private final AtomicInteger faults = new AtomicInteger();
  private final ReentrantLock database = new ReentrantLock();
  private final ReentrantLock clocks = new ReentrantLock();
  private final List<Thread> threads = new ArrayList<>();
  private final Optional<DatabaseClock> clock;

  Mischief(Server server, Crew crew, Journal journal, Optional<DatabaseClock> clock) {
    this.server = server;
    this.crew = crew;
    this.journal = journal;
    this.clock = clock;
  }

  int count() {
    return faults.get();
  }

  void carryOut(Schedule schedule) throws InterruptedException {
    for (Schedule.Step step : schedule.steps()) {
      Clock.restUntil(crew.begin() + step.after().toNanos());
      threads.add(Thread.ofVirtual().start(() -> carryOut(step)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void carryOut(Schedule.Step step) {
    try {
      apply(step, crew.child(step.target()), crew.proxy(step.target()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void apply(Schedule.Step step, Child child, Proxy proxy) throws InterruptedException {
    switch (step.kind()) {
      case KILL_WORKER, KILL_PRODUCER -> {
        if (child.isAlive()) {
          during(step, child.who(), child::kill, () -> crew.replace(step.target()));
        }
      }
      case PAUSE_WORKER, PAUSE_PRODUCER -> during(step, child.who(), child::pause, child::resume);
      case KILL_DATABASE -> killDatabase(step);
      case HOLD_BACK -> holdBack(step, child.who(), proxy);
      case HALF_OPEN -> during(step, child.who(), proxy::swallow, proxy::forward);
      case DELAY -> during(step, child.who(), () -> proxy.delay(SLOWNESS), proxy::forward);
      case CUT -> during(step, child.who(), proxy::cut, () -> {});
      case TERMINATE -> during(step, "", this::terminateSome, () -> {});
      case LOST_REPLY -> {
        Runnable lose = () -> proxy.loseReplies(statements -> true, 2);
        during(step.lasting(REPLY), child.who(), lose, () -> {});
      }
      case LATE_COMMIT -> {
        LateCommits late = new LateCommits(server, crew);
        during(step, "", () -> late.make(step.number(), step.lasting()));
      }
      case OPEN_TRANSACTION -> {
        OpenTransactions open = new OpenTransactions(server, crew, journal);
        during(step, "", () -> open.hold(step.number(), step.lasting()));
      }
      case CLOCK_STEP -> stepClock(step, clock.orElseThrow());
      case STALL -> throw new IllegalArgumentException("a stall cannot be made");
    }
  }

  /** Harm that takes its own time. */
  private interface Harm {
    void run() throws InterruptedException;
  }

  private void during(Schedule.Step step, String who, Harm harm) throws InterruptedException {
    int fault = faults.incrementAndGet();
    journal.write(new Entry.Begin(Clock.now(), fault, step.kind(), who));
    harm.run();
    journal.write(new Entry.Over(Clock.now(), fault));
  }

  private void during(Schedule.Step step, String who, Runnable harm, Runnable mend)
      throws InterruptedException {
    during(step, who, harm, mend, () -> false);
  }

  /** Harms, and mends when the time of the step is over or when there is a reason to do so earlier. */
  private void during(
      Schedule.Step step, String who, Runnable harm, Runnable mend, BooleanSupplier early)
      throws InterruptedException {
    int fault = faults.incrementAndGet();
    journal.write(new Entry.Begin(Clock.now(), fault, step.kind(), who));
    harm.run();
    Clock.awaits(step.lasting(), early);
    mend.run();
    journal.write(new Entry.Over(Clock.now(), fault));
  }

  /** Lets a worker's words arrive at the worst of times: when another has just got its jobs. */
  private void holdBack(Schedule.Step step, String who, Proxy proxy) throws InterruptedException {
    try (Takeover takeover = new Takeover(server)) {
      takeover.watch(who);
      during(step, who, proxy::holdBack, proxy::forward, takeover::isSeen);
    }
  }

  private void killDatabase(Schedule.Step step) throws InterruptedException {
    database.lock();
    try {
      during(step, "", server::kill, server::restart);
    } finally {
      database.unlock();
    }
  }

  private void stepClock(Schedule.Step step, DatabaseClock stepped) throws InterruptedException {
    clocks.lock();
    try {
      during(step, "", () -> stepped.step(STEP.negated()), () -> stepped.step(Duration.ZERO));
    } finally {
      clocks.unlock();
    }
  }

  private void terminateSome() {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(TERMINATE);
    } catch (SQLException e) {
      // The database is down: nobody is left to terminate.
    }
  }
}
