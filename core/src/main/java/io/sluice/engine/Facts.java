package io.sluice.engine;

import io.sluice.BatchRecord;
import io.sluice.Breaker;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.LimitState;
import io.sluice.Reason;
import io.sluice.Result;
import io.sluice.RetryPolicy;
import io.sluice.store.QueueRecord;
import io.sluice.store.Standing;
import io.sluice.store.WorkerRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of a job when it is explained. {@code workers} are those that live. A job that
 * runs or is over has no surroundings that matter: they are left empty then.
 */
record Facts(
    JobRecord job,
    Instant now,
    RetryPolicy policy,
    @Nullable QueueRecord queue,
    List<WorkerRecord> workers,
    Turn turn,
    Holds holds) {

  /**
   * What a ready job waits for: its place, the job that a strict order puts first, and the limits that it
   * is under, the widest first. {@code before} are those that a job waits for which is not ready.
   */
  record Turn(
      Standing standing, @Nullable JobRecord first, List<LimitState> limits, List<Before> before) {
    static final Turn NONE = new Turn(Standing.NONE, null, List.of());

    Turn(Standing standing, @Nullable JobRecord first, List<LimitState> limits) {
      this(standing, first, limits, List.of());
    }

    static Turn after(List<Before> before) {
      return new Turn(Standing.NONE, null, List.of(), before);
    }
  }

  /** A job, or a batch, that another one waits for, and what is known of it. */
  record Before(Result known, @Nullable BatchRecord batch) {
    /** What is not known any more is over. */
    boolean isOpen() {
      JobState state = known.state();
      return batch == null ? state != null && !state.isFinal() : !batch.isOver();
    }

    boolean isFailed() {
      JobState state = known.state();
      return !isOpen() && state != null && state.isReplayable();
    }
  }

  /**
   * What holds its lane back as a whole: the breakers that it is under, whether the application does, and
   * what that tells of it, and until when its receiver is left alone, if it asked for that.
   */
  record Holds(
      List<Breaker> breakers,
      boolean held,
      List<Reason> known,
      @Nullable Instant leftAloneUntil) {
    static final Holds NONE = new Holds(List.of(), false, List.of(), null);
  }

  /** A job that runs or is over. */
  Facts(JobRecord job, Instant now, RetryPolicy policy) {
    this(job, now, policy, null, List.of(), Turn.NONE, Holds.NONE);
  }

  /** True for a job that waits for others, or is held because of one. */
  static boolean isTied(JobRecord job) {
    return job.state() == JobState.SCHEDULED
        && job.status().runAt() == null
        && job.spec().ties().waits();
  }

  /** The live workers that take this job. */
  List<WorkerRecord> takers() {
    return workers.stream()
        .filter(w -> w.spec().handles(job.tenant(), job.queue(), job.type()))
        .toList();
  }

  /** The live workers that the tenant of the job may know of: the engines, and its own. */
  List<WorkerRecord> visible() {
    return workers.stream()
        .filter(w -> w.spec().tenant() == null || job.tenant().equals(w.spec().tenant()))
        .toList();
  }
}
