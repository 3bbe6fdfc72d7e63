package io.sluice.postgres;

import io.sluice.Enqueued;
import io.sluice.JobState;
import io.sluice.SluiceException;
import java.util.UUID;

/** What became of one draft. */
sealed interface Answer {
  /** It was stored, in the lane of this number, or a job with its key was there already. */
  record Taken(UUID id, JobState state, boolean duplicate, int lane) implements Answer {
    /** The job that has the key. */
    static Taken before(UUID id, JobState state) {
      return new Taken(id, state, true, 0);
    }

    /** True when it is new and may run. */
    boolean isReady() {
      return !duplicate && state == JobState.PENDING;
    }
  }

  /** It was not stored. */
  record Refused(SluiceException why) implements Answer {}

  /** The answer to the caller, as a value or as an exception. */
  default Enqueued get() {
    return switch (this) {
      case Taken taken -> new Enqueued(taken.id(), taken.state(), taken.duplicate());
      case Refused refused -> throw refused.why();
    };
  }
}
