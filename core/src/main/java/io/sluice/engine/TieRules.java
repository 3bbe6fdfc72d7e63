package io.sluice.engine;

import io.sluice.AfterPolicy;
import io.sluice.JobRequest;
import io.sluice.Names;
import io.sluice.Predecessor;
import io.sluice.SluiceException;
import io.sluice.Ties;

/** What a job may say of those it waits for, and of its batch. */
final class TieRules {
  private TieRules() {}

  static Ties check(Ties ties) {
    if (ties.waits()) {
      checkAfter(ties);
    } else if (ties.policy() != AfterPolicy.CANCEL) {
      throw SluiceException.invalid(
          "afterPolicy", "is for a job that waits for others: name them in after, or leave it out");
    }
    return ties;
  }

  private static void checkAfter(Ties ties) {
    for (int i = 0; i < ties.after().size(); i++) {
      Predecessor predecessor = ties.after().get(i);
      Names.checkStep("after[" + i + "].name", predecessor.name());
      if (predecessor.id().equals(ties.batch())) {
        throw SluiceException.invalid(
            "after", "must not name its own batch " + ties.batch() + ": neither would ever end");
      }
    }
  }

  /** Refuses what no job of a batch may be: one with a key of its own, or of another tenant. */
  static void checkMember(JobRequest job, String tenant) {
    if (job.idempotencyKey().isPresent()) {
      throw SluiceException.invalid(
          "idempotencyKey", "is not for a job of a batch: give the batch one");
    }
    if (!job.lane().tenant().equals(tenant)) {
      throw SluiceException.invalid(
          "tenant",
          "must be '" + tenant + "' as that of the batch, was '" + job.lane().tenant() + "'");
    }
  }
}
