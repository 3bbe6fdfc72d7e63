package io.sluice.engine;

import io.sluice.store.Finish;
import io.sluice.store.JobStore;
import io.sluice.store.LostClaim;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims that the store counts as this engine's and that it never heard of, because the answer was lost. A
 * database may write such a claim long after the call has failed, so they are looked for as long as the engine
 * works. The look reads all that runs, so it is made apart from claims and heartbeats, which must be quick.
 */
final class Strays {
  private static final Logger LOG = LoggerFactory.getLogger(Strays.class);

  private final JobStore store;
  private final Lease lease;
  private final Attempts attempts;
  private final Duration every;
  private volatile List<LostClaim> seen = List.of();

  Strays(JobStore store, Lease lease, Attempts attempts, Duration every) {
    this.store = store;
    this.lease = lease;
    this.attempts = attempts;
    this.every = every;
  }

  /** Notes what the engine does not know of now; the answer of a claim may be on its way and tell of it. */
  Duration look() {
    if (lease.isHeld()) {
      seen = unknown(store.workers().held(lease.worker()));
    }
    return every;
  }

  /** Gives back what is still unknown. Called between two claims, when no answer is on its way. */
  void giveBack() {
    List<LostClaim> strays = unknown(seen);
    if (!strays.isEmpty()) {
      LOG.warn("{} jobs were claimed in an answer that was lost; they go back", strays.size());
      store.finish(strays.stream()
          .map(stray -> new Finish(stray.ref(), Verdict.unspent(stray.strikes())))
          .toList());
    }
    seen = List.of();
  }

  private List<LostClaim> unknown(List<LostClaim> claims) {
    return claims.stream().filter(claim -> attempts.find(claim.ref()).isEmpty()).toList();
  }
}
