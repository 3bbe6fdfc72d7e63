package io.sluice.engine;

import io.sluice.store.ClaimRef;
import io.sluice.store.Finish;
import io.sluice.store.JobStore;
import io.sluice.store.LostClaim;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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

  /** Notes what the engine does not know of; the answer of a claim may be on its way and name it. */
  Duration look() {
    if (lease.isHeld()) {
      seen = unknown();
    }
    return every;
  }

  /**
   * Gives back what is still unknown. Called between two claims, when no answer is on its way. Reads once more, because
   * a claim that came and ended during the look is unknown, too.
   */
  void giveBack() {
    if (seen.isEmpty()) {
      return;
    }
    Set<ClaimRef> unheardOf = seen.stream().map(LostClaim::ref).collect(Collectors.toSet());
    seen = List.of();
    List<LostClaim> strays =
        unknown().stream().filter(claim -> unheardOf.contains(claim.ref())).toList();
    if (!strays.isEmpty()) {
      LOG.warn("{} jobs were claimed in an answer that was lost; they go back", strays.size());
      SplitFinish.write(
          store,
          strays.stream()
              .map(stray -> new Finish(stray.ref(), Verdict.unspent(stray.strikes())))
              .toList());
    }
  }

  /** What the engine knows is noted before the store is asked: what has ended by then is not in its answer. */
  private List<LostClaim> unknown() {
    Set<ClaimRef> known = Set.copyOf(attempts.refs());
    return store.workers().held(lease.worker()).stream()
        .filter(claim -> !known.contains(claim.ref()))
        .toList();
  }
}
