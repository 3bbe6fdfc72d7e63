package io.sluice.server.urlgroup;

import io.sluice.JobState;
import java.util.Map;

/** The jobs of a group by state, and those of them that ended a short while ago. */
record Figures(Map<JobState, Long> jobs, Map<JobState, Long> ended) {

  long jobs(JobState state) {
    return jobs.getOrDefault(state, 0L);
  }

  /** Jobs that were done a short while ago. */
  long completed() {
    return ended.getOrDefault(JobState.COMPLETED, 0L);
  }

  /** Jobs that failed for good a short while ago. */
  long failed() {
    return ended.getOrDefault(JobState.DEAD, 0L) + ended.getOrDefault(JobState.FAILED, 0L);
  }

  long calls() {
    return completed() + failed();
  }

  double failureRate() {
    return calls() == 0 ? 0 : (double) failed() / calls();
  }
}
