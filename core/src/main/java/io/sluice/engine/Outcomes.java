package io.sluice.engine;

import io.sluice.Event;
import io.sluice.JobState;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Verdict;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and tells how attempts ended, once that is written. */
final class Outcomes {
  private static final Logger LOG = LoggerFactory.getLogger(Outcomes.class);

  private final Events events;
  private final Meter meter;
  private final Circuits circuits;

  Outcomes(Events events, Meter meter, Circuits circuits) {
    this.events = events;
    this.meter = meter;
    this.circuits = circuits;
  }

  /** What holds back jobs of remote workers, and counts what comes of them. */
  Circuits circuits() {
    return circuits;
  }

  void tell(ClaimedJob job, Verdict verdict, long nanos) {
    switch (verdict) {
      case Verdict.End end -> ended(job, end, nanos);
      case Verdict.Again again -> {
        if (again.error() != null) {
          meter.failed(nanos, true, false);
          failed(job, true, again.error().message());
        }
      }
    }
  }

  void completed(ClaimedJob job, long nanos) {
    meter.completed(nanos);
    tell(Event.Kind.COMPLETED, job, null);
  }

  private void ended(ClaimedJob job, Verdict.End end, long nanos) {
    if (end.state() == JobState.COMPLETED) {
      completed(job, nanos);
    } else if (end.state() == JobState.CANCELLED) {
      tell(Event.Kind.CANCELLED, job, end.reason());
    } else {
      LOG.warn(
          "job {} of type {} in queue {} of tenant {} is {} after attempt {}: {}",
          job.ref().job(),
          job.lane().type(),
          job.lane().queue(),
          job.lane().tenant(),
          end.state(),
          job.attempt(),
          end.error() == null ? end.reason() : end.reason() + ", " + end.error().message());
      meter.failed(nanos, false, end.state() == JobState.DEAD);
      failed(job, false, end.reason());
      if (end.state() == JobState.DEAD) {
        tell(Event.Kind.DEAD, job, end.reason());
      }
    }
  }

  private void failed(ClaimedJob job, boolean willRetry, @Nullable String detail) {
    events.job(Event.Kind.FAILED, job.ref().job(), job.lane(), job.attempt(), willRetry, detail);
  }

  void tell(Event.Kind kind, ClaimedJob job, @Nullable String detail) {
    events.job(kind, job.ref().job(), job.lane(), job.attempt(), false, detail);
  }
}
