package io.sluice.benchmarks;

import io.sluice.store.Claim;
import io.sluice.store.Claimed;
import io.sluice.store.ForwardingStore;
import io.sluice.store.JobStore;
import io.sluice.store.LaneView;
import io.sluice.store.Look;

/**
 * A store that takes the time of claims: of the look for ready work together with the taking of it, or of
 * the look alone when it found nothing. For one engine, which looks and takes by turns.
 */
final class TimedStore extends ForwardingStore {
  private final Timings claims;
  private volatile long looked;

  TimedStore(JobStore store, Timings claims) {
    super(store);
    this.claims = claims;
  }

  @Override
  public LaneView look(Look look) {
    long start = System.nanoTime();
    LaneView view = super.look(look);
    looked = System.nanoTime() - start;
    if (view.heads().isEmpty()) {
      claims.add(looked);
    }
    return view;
  }

  @Override
  public Claimed claim(Claim claim) {
    long start = System.nanoTime();
    Claimed jobs = super.claim(claim);
    claims.add(looked + System.nanoTime() - start);
    looked = 0;
    return jobs;
  }
}
