package io.sluice.engine;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import java.util.UUID;

/** A running job as a member of its batch: by its claim it may add to that. */
record Membership(ClaimRef by, UUID batch, String tenant) {
  static Membership of(ClaimedJob job) {
    UUID batch = job.spec().ties().batch();
    if (batch == null) {
      throw new SluiceException(
          ErrorCode.CONFLICT,
          "job " + job.ref().job() + " is in no batch: enqueue it in one to add to that");
    }
    return new Membership(job.ref(), batch, job.lane().tenant());
  }

  /** Refuses what is of another tenant. */
  void check(String other) {
    if (!tenant.equals(other)) {
      throw SluiceException.invalid(
          "tenant", "must be '" + tenant + "' as that of the job, was '" + other + "'");
    }
  }
}
