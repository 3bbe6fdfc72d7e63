package io.sluice.postgres;

import io.sluice.JobState;
import java.util.Collection;

/** The numbers that stand for states in the tables. They never change their meaning. */
final class States {
  private States() {}

  static short code(JobState state) {
    return switch (state) {
      case SCHEDULED -> 1;
      case PENDING -> 2;
      case RUNNING -> 3;
      case RETRYING -> 4;
      case COMPLETED -> 5;
      case FAILED -> 6;
      case DEAD -> 7;
      case CANCELLED -> 8;
    };
  }

  static JobState state(int code) {
    for (JobState state : JobState.values()) {
      if (code(state) == code) {
        return state;
      }
    }
    throw new IllegalArgumentException("no state has the code " + code);
  }

  static Short[] codes(Collection<JobState> states) {
    return states.stream().map(States::code).toArray(Short[]::new);
  }
}
