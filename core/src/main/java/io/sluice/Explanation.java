package io.sluice;

import java.util.List;
import java.util.UUID;

/** Why a job does not run now: every reason that holds, the most decisive first, and all of it in a line. */
public record Explanation(UUID id, JobState state, String headline, List<Reason> reasons) {
  public Explanation {
    reasons = List.copyOf(reasons);
  }
}
