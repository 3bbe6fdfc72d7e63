package io.sluice.engine;

import io.sluice.Explanation;
import io.sluice.JobRecord;
import io.sluice.Reason;
import java.util.Comparator;
import java.util.List;

/** Puts into words why a job does not run now. No I/O: a function of the facts. */
final class Explainer {
  private Explainer() {}

  static Explanation explain(Facts facts) {
    JobRecord job = facts.job();
    return switch (job.state()) {
      case SCHEDULED, PENDING, RETRYING -> waiting(job, new Obstacles(facts).all());
      case RUNNING -> told(job, "The job runs", Story.running(facts));
      case COMPLETED, FAILED, DEAD, CANCELLED -> told(job, "The job is over", Story.over(facts));
    };
  }

  private static Explanation waiting(JobRecord job, List<Reason> reasons) {
    List<Reason> sorted =
        reasons.stream().sorted(Comparator.comparing(Reason::code)).toList();
    int more = sorted.size() - 1;
    String others = more == 0 ? "" : ", and for " + Words.count(more, "more reason");
    String first = Words.continued(sorted.getFirst().sentence());
    return new Explanation(job.id(), job.state(), "The job waits: " + first + others + ".", sorted);
  }

  private static Explanation told(JobRecord job, String start, Reason reason) {
    String headline = start + ": " + Words.continued(reason.sentence()) + ".";
    return new Explanation(job.id(), job.state(), headline, List.of(reason));
  }
}
