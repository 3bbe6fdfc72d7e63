package io.sluice.store;

import io.sluice.JobError;
import io.sluice.JobState;
import io.sluice.When;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How an attempt ended, decided by the engine; a store only writes it down. */
public sealed interface Verdict {
  /** The error to keep with the job, if there is one; the newest of them are kept, oldest first. */
  @Nullable
  JobError error();

  /** The job is over and kept for a while. */
  record End(
      JobState state,
      @Nullable String result,
      @Nullable String reason,
      @Nullable JobError error,
      Duration keepFor)
      implements Verdict {
    public End {
      if (!JobState.RUNNING.canBecome(state) || !state.isFinal()) {
        throw new IllegalArgumentException("a running job cannot end as " + state);
      }
    }
  }

  /**
   * The job runs again. When its moment has come it is PENDING at once, otherwise it waits in {@code
   * state}, SCHEDULED or RETRYING. Unless {@code spent}, the attempt is given back.
   */
  record Again(
      JobState state,
      When when,
      boolean spent,
      Strikes strikes,
      @Nullable JobError error) implements Verdict {
    public Again {
      if (state != JobState.SCHEDULED && state != JobState.RETRYING && state != JobState.PENDING) {
        throw new IllegalArgumentException("a job cannot wait as " + state);
      }
    }
  }

  /** Back to where it came from, as if it had not been claimed. */
  static Verdict unspent(Strikes strikes) {
    return new Again(JobState.PENDING, When.now(), false, strikes, null);
  }
}
