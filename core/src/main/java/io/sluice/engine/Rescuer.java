package io.sluice.engine;

import io.sluice.Event;
import io.sluice.JobState;
import io.sluice.store.ClaimRef;
import io.sluice.store.Finish;
import io.sluice.store.JobStore;
import io.sluice.store.LostClaim;
import io.sluice.store.LostWorker;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes jobs back from workers that are gone. */
final class Rescuer {
  private static final Logger LOG = LoggerFactory.getLogger(Rescuer.class);
  private static final int WORKERS = 20;

  private final JobStore store;
  private final Blame blame;
  private final Duration every;
  private final Events events;

  Rescuer(JobStore store, QueueCache queues, Duration every, Events events) {
    this.store = store;
    this.blame = new Blame(claim -> queues.of(claim.lane()));
    this.every = every;
    this.events = events;
  }

  Duration runOnce() {
    List<LostWorker> lost = store.workers().lost(WORKERS);
    RuntimeException trouble = null;
    for (LostWorker worker : lost) {
      try {
        rescue(worker);
      } catch (RuntimeException e) {
        // The jobs of the others do not wait for this one.
        trouble = e;
      }
    }
    if (trouble != null) {
      throw trouble;
    }
    return lost.size() == WORKERS ? Duration.ZERO : every;
  }

  /** Looks for claims whose own lease ran out, which may be a shorter one than the workers'. */
  Duration runLapsed(Duration soon) {
    return store.workers().haveLapsed() ? least(runOnce(), soon) : soon;
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void rescue(LostWorker worker) {
    List<Finish> finishes = blame.judge(worker, store.now());
    Set<ClaimRef> rescued = SplitFinish.write(store, finishes);
    if (!rescued.isEmpty()) {
      LOG.warn(
          "worker {} ({}) was lost: {} jobs rescued", worker.name(), worker.id(), rescued.size());
    }
    Map<ClaimRef, LostClaim> claims =
        worker.claims().stream().collect(Collectors.toMap(LostClaim::ref, c -> c));
    for (Finish finish : finishes) {
      if (rescued.contains(finish.ref()) && finish.verdict() instanceof Verdict.End end) {
        tell(claims.get(finish.ref()), end);
      }
    }
  }

  private void tell(@Nullable LostClaim claim, Verdict.End end) {
    if (claim != null && end.state() == JobState.DEAD) {
      events.job(
          Event.Kind.DEAD, claim.ref().job(), claim.lane(), claim.attempt(), false, end.reason());
    }
  }
}
