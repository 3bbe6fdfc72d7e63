package io.sluice.server.job;

import io.sluice.Explanation;
import io.sluice.JobState;
import io.sluice.Reason;
import io.sluice.ReasonCode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Why a job does not run now, as it is answered. */
record ExplanationView(UUID id, JobState state, String headline, List<Because> reasons) {

  /** One of the reasons. */
  record Because(
      ReasonCode code,
      String message,
      @Nullable Instant until,
      String remedy,
      Map<String, Object> details) {
    static Because of(Reason reason) {
      return new Because(
          reason.code(), reason.sentence(), reason.until(), reason.remedy(), reason.details());
    }
  }

  static ExplanationView of(Explanation explanation) {
    return new ExplanationView(
        explanation.id(),
        explanation.state(),
        explanation.headline(),
        explanation.reasons().stream().map(Because::of).toList());
  }
}
