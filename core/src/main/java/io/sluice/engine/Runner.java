package io.sluice.engine;

import io.sluice.Batch;
import io.sluice.Detail;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.Job;
import io.sluice.JobContext;
import io.sluice.JobType;
import io.sluice.Outcome;
import io.sluice.SluiceException;
import io.sluice.store.ClaimedJob;
import io.sluice.store.JobStore;
import io.sluice.store.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the handler of claimed jobs and hands each one's outcome on, judged. */
final class Runner {
  private static final Logger LOG = LoggerFactory.getLogger(Runner.class);

  private final JobStore store;
  private final Tools tools;
  private final Judge judge;
  private final QueueCache queues;
  private final Book book;
  private final Circuits circuits;
  private final Entrance entrance;

  /** Where a runner looks and writes while it works. */
  record Book(
      Lease lease,
      Attempts attempts,
      Solitude solitude,
      Finisher finisher,
      Notes notes,
      Events events) {}

  Runner(
      JobStore store,
      Tools tools,
      QueueCache queues,
      Book book,
      Circuits circuits,
      Entrance entrance) {
    this.store = store;
    this.tools = tools;
    this.judge = new Judge(tools);
    this.queues = queues;
    this.book = book;
    this.circuits = circuits;
    this.entrance = entrance;
  }

  /** Runs a unit on the calling thread. Returns when its handler has ended. */
  void run(Unit unit) {
    try {
      run(unit, unit.first().type);
    } catch (Throwable e) {
      LOG.error("a runner failed on job {}", unit.first().ref().job(), e);
      unit.attempts.forEach(a -> settle(a, Outcome.failed(e)));
    }
  }

  private <T> void run(Unit unit, JobType<T> type) {
    List<Begun<T>> begun = new ArrayList<>();
    if (!endSolitude(unit)) {
      return;
    }
    for (Attempt attempt : unit.attempts) {
      begin(attempt, unit, type, begun);
    }
    if (begun.isEmpty()) {
      return;
    }
    switch (type.work()) {
      case JobType.Work.Single<T> single -> runOne(begun.getFirst(), type, single);
      case JobType.Work.Many<T> many -> runMany(begun, type, many);
    }
  }

  /** A job whose handler may be called. */
  private record Begun<T>(Attempt attempt, Job<T> job, RunningContext context) {}

  /** Has the store know that whoever ran alone does so no longer; without that, nothing starts. */
  private boolean endSolitude(Unit unit) {
    try {
      book.solitude.end();
      return true;
    } catch (SluiceException e) {
      LOG.warn("job {} was not started: {}", unit.first().ref().job(), e.getMessage());
      unit.attempts.forEach(this::giveBack);
      return false;
    }
  }

  private <T> void begin(Attempt attempt, Unit unit, JobType<T> type, List<Begun<T>> begun) {
    if (attempt.isSettled() || !mayBegin(attempt, unit, type)) {
      return;
    }
    if (!attempt.enter(tools.nanoTime().getAsLong())) {
      interrupted(attempt);
      return;
    }
    try {
      Job<T> job = job(attempt.claimed, decoded(attempt, type));
      type.check().check(job.payload());
      begun.add(new Begun<>(attempt, job, context(attempt)));
      book.events.job(Event.Kind.STARTED, attempt, null);
    } catch (Throwable e) {
      leave(attempt);
      conclude(attempt, Outcome.failed(e));
    }
  }

  private <T> T decoded(Attempt attempt, JobType<T> type) {
    T payload = tools.codec().decode(attempt.claimed.spec().payload(), type.payload());
    if (payload == null) {
      throw SluiceException.invalid("payload", "must not be null");
    }
    return payload;
  }

  private boolean mayBegin(Attempt attempt, Unit unit, JobType<?> type) {
    if (isExpired(attempt) && !wasReplayed(attempt)) {
      return false;
    }
    if (isNoted(attempt, type) && !noteStart(attempt, unit)) {
      return false;
    }
    if (!book.lease.mayStart(attempt.worker())) {
      giveBack(attempt);
      return false;
    }
    return true;
  }

  private boolean isExpired(Attempt attempt) {
    Instant expiry = attempt.expiry();
    return expiry != null && !storeTime(attempt).isBefore(expiry);
  }

  private Instant storeTime(Attempt attempt) {
    return attempt.storeTime(tools.nanoTime().getAsLong());
  }

  /** Lets an expired job run that a person wanted to run again, and ends another one. */
  private boolean wasReplayed(Attempt attempt) {
    try {
      boolean replayed = store
          .find(attempt.ref().job(), Detail.STATE)
          .map(job -> job.status().replays() > 0)
          .orElse(false);
      if (replayed) {
        attempt.outliveExpiry();
      } else {
        settle(attempt, Outcome.cancel(Judge.EXPIRED));
      }
      return replayed;
    } catch (SluiceException e) {
      LOG.warn("job {} was not started: {}", attempt.ref().job(), e.getMessage());
      giveBack(attempt);
      return false;
    }
  }

  /** The start is written down only where a later rescue needs to know of it. */
  private static boolean isNoted(Attempt attempt, JobType<?> type) {
    return !type.isIdempotent() || attempt.claimed.strikes().isSuspect();
  }

  private boolean noteStart(Attempt attempt, Unit unit) {
    try {
      if (book.solitude.begin(attempt.ref(), unit)) {
        return true;
      }
      drop(attempt);
    } catch (SluiceException e) {
      LOG.warn("job {} was not started: {}", attempt.ref().job(), e.getMessage());
      giveBack(attempt);
    }
    return false;
  }

  private <T> void runOne(Begun<T> begun, JobType<T> type, JobType.Work.Single<T> single) {
    Outcome outcome;
    try {
      type.before().run(begun.job);
      outcome = begun.context.completed(single.handler().handle(begun.job, begun.context));
      type.after().run(begun.job);
    } catch (Throwable e) {
      outcome = onError(type, begun.job, e);
    } finally {
      leave(begun.attempt);
    }
    conclude(begun.attempt, outcome);
  }

  private <T> void runMany(List<Begun<T>> begun, JobType<T> type, JobType.Work.Many<T> many) {
    Map<UUID, JobContext> contexts = new HashMap<>();
    begun.forEach(b -> contexts.put(b.job.id(), b.context));
    Batch<T> batch = new Batch<>(begun.stream().map(Begun::job).toList(), contexts);
    Throwable thrown = null;
    try {
      for (Begun<T> one : begun) {
        type.before().run(one.job);
      }
      many.handler().handle(batch);
      for (Begun<T> one : begun) {
        type.after().run(one.job);
      }
    } catch (Throwable e) {
      thrown = e;
    } finally {
      begun.forEach(one -> leave(one.attempt));
    }
    for (Begun<T> one : begun) {
      conclude(one.attempt, outcomeOf(one, type, batch, thrown));
    }
  }

  private static <T> Outcome outcomeOf(
      Begun<T> one, JobType<T> type, Batch<T> batch, @Nullable Throwable thrown) {
    return batch
        .answerFor(one.job.id())
        .map(one.context::completed)
        .orElseGet(() -> thrown == null
            ? one.context.completed(Outcome.done())
            : onError(type, one.job, thrown));
  }

  private static void leave(Attempt attempt) {
    attempt.leave();
    // An interrupt was meant for the handler; what follows must not be cut short by it.
    Thread.interrupted();
  }

  private static <T> Outcome onError(JobType<T> type, Job<T> job, Throwable error) {
    if (!(error instanceof Exception exception)) {
      LOG.error("the handler of {} failed badly on job {}", type.name(), job.id(), error);
      return Outcome.failed(error);
    }
    try {
      Outcome decided = type.errorHook().onError(job, exception);
      return decided == null ? Outcome.failed(exception) : decided;
    } catch (Throwable e) {
      exception.addSuppressed(e);
      return Outcome.failed(exception);
    }
  }

  private void conclude(Attempt attempt, @Nullable Outcome outcome) {
    if (attempt.over() == Attempt.Over.SHUTDOWN && !(outcome instanceof Outcome.Failed)) {
      // It ended by itself in spite of the interruption: what it did counts.
      settle(attempt, outcome);
    } else if (attempt.over() != null) {
      interrupted(attempt);
    } else if (attempt.isCompleting()) {
      // Takes effect only if the transaction did not: then the claim still stands.
      settle(attempt, Outcome.failed(notCommitted()));
    } else {
      settle(attempt, outcome);
    }
  }

  private static SluiceException notCommitted() {
    return new SluiceException(
        ErrorCode.CONFLICT, "the transaction given to completeWith was not committed");
  }

  /** Ends an attempt the way its interruption demands, whatever the handler answered. */
  void interrupted(Attempt attempt) {
    Attempt.Over over = attempt.over();
    if (over == null) {
      return;
    }
    switch (over) {
      case TIMED_OUT -> settle(attempt, Outcome.failed(timedOut(attempt)));
      case CANCELLED, LOST -> drop(attempt);
      case SHUTDOWN -> shutDown(attempt);
    }
  }

  private static SluiceException timedOut(Attempt attempt) {
    return new SluiceException(
        ErrorCode.MESSAGE_TIMEOUT,
        "the handler of " + attempt.type.name() + " did not end within " + attempt.timeout);
  }

  private void shutDown(Attempt attempt) {
    boolean begun = attempt.startedAt() != 0;
    if (begun && !attempt.type.isIdempotent()) {
      settle(attempt, Outcome.dead("interrupted by shutdown and not idempotent"));
    } else {
      giveBack(attempt);
    }
  }

  /** Returns the job as if it had not been claimed. */
  void giveBack(Attempt attempt) {
    if (attempt.settle()) {
      circuits.ended(attempt.lane(), attempt.tickets(), CallEnd.NOTHING);
      book.finisher.submit(attempt, Verdict.unspent(attempt.claimed.strikes()), 0);
    }
  }

  private void drop(Attempt attempt) {
    if (attempt.settle()) {
      circuits.ended(attempt.lane(), attempt.tickets(), CallEnd.NOTHING);
      book.attempts.remove(attempt);
      if (attempt.over() != Attempt.Over.CANCELLED) {
        book.events.job(Event.Kind.LOST, attempt, "the claim had ended");
      }
    }
  }

  private void settle(Attempt attempt, @Nullable Outcome outcome) {
    if (attempt.settle()) {
      book.notes.write(attempt);
      long nanos =
          attempt.startedAt() == 0 ? 0 : tools.nanoTime().getAsLong() - attempt.startedAt();
      Verdict verdict = verdict(attempt, outcome);
      circuits.ended(attempt.lane(), attempt.tickets(), callEnd(attempt, verdict, outcome, nanos));
      book.finisher.submit(attempt, verdict, nanos);
    }
  }

  private CallEnd callEnd(Attempt attempt, Verdict verdict, @Nullable Outcome outcome, long nanos) {
    // Whoever completes in a transaction of its own gets a failure here that is for naught.
    return attempt.isCompleting()
        ? CallEnd.well(nanos)
        : CallEnd.of(verdict, nanos, CallEnd.asked(outcome, tools.clock().instant()));
  }

  /** A settled attempt must get a verdict: whatever users' code does in here is a failure. */
  private Verdict verdict(Attempt attempt, @Nullable Outcome outcome) {
    Judge.Case of = caseOf(attempt);
    try {
      return judge.judge(outcome, of);
    } catch (Throwable e) {
      LOG.error("the outcome of job {} could not be judged", attempt.ref().job(), e);
      return judge.judgePlainly(of);
    }
  }

  private Judge.Case caseOf(Attempt attempt) {
    ClaimedJob claimed = attempt.claimed;
    Judge.Case of = new Judge.Case(
        claimed.attempt(),
        attempt.policy,
        claimed.spec().retry() != null,
        queues.of(claimed.lane()),
        claimed.strikes(),
        attempt.expiry(),
        storeTime(attempt));
    return attempt.tickets().stream().anyMatch(Circuit.Ticket::probe) ? of.asProbe() : of;
  }

  private RunningContext context(Attempt attempt) {
    return new RunningContext(
        attempt, store, book.events, tools.clock(), outcome -> verdict(attempt, outcome), entrance);
  }

  private static <T> Job<T> job(ClaimedJob claimed, T payload) {
    return new Job<>(
        claimed.ref().job(),
        claimed.lane(),
        payload,
        claimed.attempt(),
        claimed.createdAt(),
        claimed.spec().priority(),
        claimed.spec().metadata());
  }
}
