package io.sluice.benchmarks;

import io.sluice.store.Claim;
import io.sluice.store.Claimed;
import io.sluice.store.ForwardingStore;
import io.sluice.store.JobStore;

/**
 * A store that hands out no more than so many jobs at a time. An engine asks for the more the longer the
 * claim before took, so times of claims can be compared only when these are of one size.
 */
final class EvenClaims extends ForwardingStore {
  private final int most;

  EvenClaims(JobStore store, int most) {
    super(store);
    this.most = most;
  }

  @Override
  public Claimed claim(Claim claim) {
    int max = Math.min(most, claim.max());
    return super.claim(new Claim(
        claim.worker(), claim.lanes(), max, claim.lease(), claim.starts(), claim.bytes()));
  }
}
