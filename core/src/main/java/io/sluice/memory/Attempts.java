package io.sluice.memory;

import io.sluice.JobState;
import io.sluice.LogLine;
import io.sluice.Progress;
import io.sluice.store.Allowance;
import io.sluice.store.Claim;
import io.sluice.store.ClaimRef;
import io.sluice.store.Claimed;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.HeldJob;
import io.sluice.store.LaneFlow;
import io.sluice.store.LaneQuota;
import io.sluice.store.SpentLimit;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What workers do with jobs: claim them, tell of them, end the claim. */
final class Attempts {
  private final Shelf shelf;
  private final Instant now;

  Attempts(Shelf shelf, Instant now) {
    this.shelf = shelf;
    this.now = now;
  }

  Claimed claim(Claim claim) {
    List<ClaimedJob> claimed = new ArrayList<>();
    WorkerEntry worker = shelf.workers.find(claim.worker());
    if (worker == null || !worker.isLive(now)) {
      return Claimed.NOTHING;
    }
    Duration lease = claim.lease();
    Hold hold = new Hold(worker, now, false, false, lease == null ? null : now.plus(lease));
    Allowance allowance = shelf.flow.allowance(now, claim.starts());
    Load load = new Load(claim.bytes());
    for (LaneQuota quota : claim.lanes()) {
      LaneEntry lane = shelf.lanes.find(quota.laneId());
      if (lane != null && !lane.queue.isPaused()) {
        int most = Math.min(quota.quota(), claim.max() - claimed.size());
        claimed.addAll(take(lane.known(quota.priority()), most, hold, allowance, load));
      }
    }
    List<SpentLimit> spent = spent(claim, allowance);
    shelf.flow.buckets.putAll(allowance.changed());
    return new Claimed(claimed, spent, load.refused);
  }

  /** The payloads that a claim has room for, and the lanes of which one was too large for it. */
  private static final class Load {
    private final boolean any;
    private final Set<Integer> refused = new HashSet<>();
    private long left;
    private boolean empty = true;

    Load(long bytes) {
      this.any = bytes > 0;
      this.left = bytes;
    }

    boolean takes(JobEntry job) {
      int bytes = job.spec.payload().length();
      boolean large = bytes > Claim.SMALL;
      if (large && !(any && empty) && bytes > left) {
        refused.add(job.lane.id);
        return false;
      }
      left -= bytes;
      empty &= !large;
      return true;
    }
  }

  private List<ClaimedJob> take(
      @Nullable Fifo fifo, int most, Hold hold, Allowance allowance, Load load) {
    List<ClaimedJob> claimed = new ArrayList<>();
    boolean more = true;
    for (int i = 0; i < most && more && fifo != null && !fifo.isEmpty(); i++) {
      JobEntry job = first(fifo);
      if (!load.takes(job)) {
        more = false;
      } else if (job.lane.flow.isFree()) {
        claimed.add(take(job, hold));
      } else {
        Optional<Duration> start = start(job, allowance);
        start.ifPresent(time -> claimed.add(take(job, hold).withStartIn(time)));
        more = start.isPresent();
      }
    }
    return claimed;
  }

  /** The job that is next in the order of the lane, where that is one of these, else the oldest. */
  private JobEntry first(Fifo fifo) {
    JobEntry oldest = fifo.first();
    LaneFlow.Order order = oldest.lane.flow.order();
    JobEntry next = order == null ? null : shelf.flow.next(order);
    return next != null && next.lane.equals(oldest.lane) && next.priority() == oldest.priority()
        ? next
        : oldest;
  }

  /** The time from now at which a job may start by its limits and its order; empty when it may not. */
  private Optional<Duration> start(JobEntry job, Allowance allowance) {
    LaneFlow flow = job.lane.flow;
    return isNext(job, flow, allowance)
        ? allowance.grant(job.lane.id, flow.bounds(), job.spec.cost())
        : Optional.empty();
  }

  /** True when a job may run by the order it is in; else the order is noted. */
  private boolean isNext(JobEntry job, LaneFlow flow, Allowance allowance) {
    LaneFlow.Order order = flow.order();
    if (order == null || job.equals(shelf.flow.next(order))) {
      return true;
    }
    allowance.note(order.scope(), job.lane.id, null);
    return false;
  }

  /** What held lanes back, or would hold the next job of them. */
  private List<SpentLimit> spent(Claim claim, Allowance allowance) {
    for (LaneQuota quota : claim.lanes()) {
      LaneEntry lane = shelf.lanes.find(quota.laneId());
      if (lane != null && !lane.flow.isFree()) {
        allowance.isHeld(lane.id, lane.flow.bounds(), 1);
        LaneFlow.Order order = lane.flow.order();
        if (order != null && shelf.flow.next(order) == null) {
          allowance.note(order.scope(), lane.id, null);
        }
      }
    }
    return allowance.spent();
  }

  private ClaimedJob take(JobEntry job, Hold hold) {
    shelf.run(job, hold, now);
    job.turn++;
    job.attempt++;
    job.startedAt = now;
    job.progress = null;
    return claimed(job, hold);
  }

  private static ClaimedJob claimed(JobEntry job, Hold hold) {
    return new ClaimedJob(
        job.ref(),
        job.lane.lane,
        job.spec,
        job.createdAt,
        hold.claimedAt(),
        job.attempt,
        job.strikes,
        hold.until());
  }

  Optional<Instant> extend(ClaimRef ref, Duration lease) {
    JobEntry job = leased(ref);
    if (job == null || job.hold == null) {
      return Optional.empty();
    }
    Instant until = now.plus(lease);
    job.hold = job.hold.inUseUntil(until);
    return Optional.of(until);
  }

  Optional<HeldJob> held(ClaimRef ref) {
    JobEntry job = leased(ref);
    return job == null || job.hold == null
        ? Optional.empty()
        : Optional.of(
            new HeldJob(claimed(job, job.hold), Duration.between(job.hold.claimedAt(), now)));
  }

  /** The job of a claim that stands under a lease of its own. */
  private @Nullable JobEntry leased(ClaimRef ref) {
    JobEntry job = shelf.held(ref);
    boolean leased =
        job != null && job.hold != null && job.hold.until() != null && !job.hold.hasLapsed(now);
    return leased ? job : null;
  }

  boolean started(ClaimRef ref, boolean alone) {
    JobEntry job = shelf.held(ref);
    if (job == null || job.hold == null) {
      return false;
    }
    if (!job.hold.started()) {
      job.startedAt = now;
    }
    job.hold = job.hold.withStart(alone);
    return true;
  }

  Set<ClaimRef> finish(List<Finish> finishes) {
    Set<ClaimRef> done = HashSet.newHashSet(finishes.size());
    List<JobEntry> over = new ArrayList<>(finishes.size());
    for (Finish finish : finishes) {
      JobEntry job = shelf.held(finish.ref());
      if (job != null && !(finish.onlyUnstarted() && job.hasStarted())) {
        finish(job, finish.verdict());
        done.add(finish.ref());
        if (job.state.isFinal()) {
          over.add(job);
        }
      }
    }
    new Waking(shelf, now).ended(over);
    return done;
  }

  private void finish(JobEntry job, Verdict verdict) {
    job.keep(verdict.error());
    switch (verdict) {
      case Verdict.End end ->
        shelf.end(job, end.state(), Ending.of(now, end.keepFor(), end.result(), end.reason()));
      case Verdict.Again again -> again(job, again);
    }
  }

  private void again(JobEntry job, Verdict.Again again) {
    if (!again.spent()) {
      job.attempt--;
    }
    job.strikes = again.strikes();
    job.startedAt = null;
    Instant runAt = again.when().from(now);
    if (!runAt.isAfter(now)) {
      shelf.ready(job, now);
    } else {
      boolean failed = again.state() == JobState.RETRYING;
      shelf.defer(job, failed ? JobState.RETRYING : JobState.SCHEDULED, runAt, now);
    }
  }

  boolean progress(ClaimRef ref, int percent, String message) {
    JobEntry job = shelf.held(ref);
    if (job == null) {
      return false;
    }
    job.progress = new Progress(percent, message, now);
    job.updatedAt = now;
    return true;
  }

  boolean log(ClaimRef ref, List<String> lines) {
    JobEntry job = shelf.held(ref);
    if (job == null) {
      return false;
    }
    job.keep(lines.stream().map(line -> new LogLine(now, job.attempt, line)).toList());
    return true;
  }
}
