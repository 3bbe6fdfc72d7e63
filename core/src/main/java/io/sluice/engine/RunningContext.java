package io.sluice.engine;

import io.sluice.BatchRequest;
import io.sluice.BatchStarted;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.JobContext;
import io.sluice.JobRequest;
import io.sluice.Outcome;
import io.sluice.Progress;
import io.sluice.Result;
import io.sluice.SluiceException;
import io.sluice.store.Finish;
import io.sluice.store.JobStore;
import io.sluice.store.TransactionalStore;
import io.sluice.store.Verdict;
import java.sql.Connection;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A handler's view of the attempt it is making. */
final class RunningContext implements JobContext {
  private final Attempt attempt;
  private final JobStore store;
  private final Events events;
  private final InstantSource clock;
  private final Function<@Nullable Outcome, Verdict> judge;
  private final Entrance entrance;
  private final Instant deadline;
  private volatile @Nullable Object result;
  private volatile @Nullable List<Result> results;

  RunningContext(
      Attempt attempt,
      JobStore store,
      Events events,
      InstantSource clock,
      Function<@Nullable Outcome, Verdict> judge,
      Entrance entrance) {
    this.attempt = attempt;
    this.store = store;
    this.events = events;
    this.clock = clock;
    this.judge = judge;
    this.entrance = entrance;
    this.deadline = clock.instant().plus(attempt.timeout);
  }

  @Override
  public Instant deadline() {
    return deadline;
  }

  @Override
  public boolean isOver() {
    return attempt.over() != null;
  }

  @Override
  public void progress(int percent, String message) {
    if (percent < 0 || percent > 100) {
      throw SluiceException.invalid("percent", "must be 0 to 100, was " + percent);
    }
    attempt.note(new Progress(percent, Judge.text(message), clock.instant()));
    events.job(Event.Kind.PROGRESS, attempt, percent + "% " + message);
  }

  @Override
  public void log(String line) {
    attempt.note(Judge.text(line));
  }

  @Override
  public void result(Object value) {
    result = value;
  }

  /** The outcome of a handler that returned, with the result that was set on the way. */
  @Nullable
  Outcome completed(@Nullable Outcome outcome) {
    return outcome instanceof Outcome.Done done && done.result() == null && result != null
        ? new Outcome.Done(result)
        : outcome;
  }

  @Override
  public List<Result> results() {
    List<Result> known = results;
    if (known == null) {
      known = attempt.claimed.spec().ties().waits()
          ? store.links().results(attempt.ref().job())
          : List.of();
      results = known;
    }
    return known;
  }

  @Override
  public List<Enqueued> addToBatch(List<JobRequest> jobs) {
    return entrance.addWithin(Membership.of(attempt.claimed), jobs);
  }

  @Override
  public BatchStarted startBatch(BatchRequest batch) {
    return entrance.startWithin(Membership.of(attempt.claimed), batch);
  }

  @Override
  public void completeWith(Connection connection) {
    if (!(store instanceof TransactionalStore transactional)) {
      throw new SluiceException(
          ErrorCode.UNSUPPORTED, "this store cannot complete a job in a transaction of yours");
    }
    Verdict done = judge.apply(completed(Outcome.done()));
    if (!transactional.finish(connection, new Finish(attempt.ref(), done))) {
      throw new SluiceException(
          ErrorCode.LEASE_LOST, "job " + attempt.ref().job() + " is no longer this worker's");
    }
    attempt.completing();
  }
}
