package io.sluice.engine;

import io.sluice.Defaults;
import io.sluice.ErrorClass;
import io.sluice.ErrorCode;
import io.sluice.JobError;
import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.When;
import io.sluice.store.Finish;
import io.sluice.store.LostClaim;
import io.sluice.store.LostWorker;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/**
 * Decides what becomes of the jobs of a lost worker. A job that ran alone gets a strike, and is dead
 * with the third; jobs that ran together are all suspects, without a strike, and will be started
 * alone if that is soon possible; one that must not run twice is dead, if it had started. A remote
 * worker's job becomes a suspect with its first lost lease and is handed out alone from then on; only a lease
 * that was in use is a strike, for an answer that never arrived says nothing against a job. None of this
 * costs an attempt.
 */
final class Blame {
  private final Function<LostClaim, QueueSettings> queues;

  Blame(Function<LostClaim, QueueSettings> queues) {
    this.queues = queues;
  }

  List<Finish> judge(LostWorker worker, Instant now) {
    // An engine marks one at a time; if there seem to be more, nobody knows which it was.
    boolean oneRanAlone = worker.claims().stream().filter(LostClaim::alone).count() == 1;
    return worker.claims().stream()
        .map(claim -> finish(claim, verdict(claim, worker, oneRanAlone, now)))
        .toList();
  }

  /** A worker that was taken for lost may be alive, and start a job after the look at its claims. */
  private static Finish finish(LostClaim claim, Verdict verdict) {
    return claim.started()
        ? new Finish(claim.ref(), verdict)
        : Finish.unlessStarted(claim.ref(), verdict);
  }

  private Verdict verdict(LostClaim claim, LostWorker worker, boolean oneRanAlone, Instant now) {
    if (claim.ownLease()) {
      boolean alone = claim.strikes().isSuspect() && worker.claims().size() == 1;
      JobError error = error(claim, worker, now);
      return claim.started() && alone
          ? struck(claim, error)
          : again(claim.strikes().suspected(), error);
    }
    boolean fragile = isFragile(claim, worker);
    boolean noted = claim.strikes().isSuspect() || fragile;
    boolean other = oneRanAlone && !claim.alone();
    if ((noted && !claim.started()) || (other && !fragile)) {
      return Verdict.unspent(claim.strikes());
    }
    JobError error = error(claim, worker, now);
    if (fragile) {
      return dead(error, claim);
    }
    if (!oneRanAlone && worker.claims().size() > 1) {
      return again(claim.strikes().suspected(), error);
    }
    return struck(claim, error);
  }

  private Verdict struck(LostClaim claim, JobError error) {
    Strikes strikes = claim.strikes().struck();
    return strikes.alone() >= Defaults.STRIKES ? dead(error, claim) : again(strikes, error);
  }

  private static boolean isFragile(LostClaim claim, LostWorker worker) {
    return worker.fragileTypes().contains(claim.lane().type());
  }

  private static Verdict again(Strikes strikes, JobError error) {
    return new Verdict.Again(JobState.PENDING, When.now(), false, strikes, error);
  }

  private Verdict dead(JobError error, LostClaim claim) {
    QueueSettings queue = queues.apply(claim);
    JobState state = queue.deadLetter() ? JobState.DEAD : JobState.FAILED;
    return new Verdict.End(
        state, null, ErrorCode.WORKER_LOST.name(), error, queue.retention().of(state));
  }

  private static JobError error(LostClaim claim, LostWorker worker, Instant now) {
    return new JobError(
        now,
        claim.attempt(),
        ErrorClass.UNKNOWN,
        ErrorCode.WORKER_LOST.name(),
        "worker " + worker.name() + " was lost while it held the job",
        null,
        null,
        null);
  }
}
