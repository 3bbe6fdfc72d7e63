package io.sluice.engine;

import io.sluice.AttemptFailure;
import io.sluice.BatchRequest;
import io.sluice.BatchStarted;
import io.sluice.Defaults;
import io.sluice.Detail;
import io.sluice.Enqueued;
import io.sluice.ErrorClass;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.JobError;
import io.sluice.JobRecord;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.RemoteClaim;
import io.sluice.RemoteFailure;
import io.sluice.RemoteHeartbeat;
import io.sluice.RemoteJob;
import io.sluice.RemoteProgress;
import io.sluice.RemoteWorkers;
import io.sluice.Result;
import io.sluice.RetryPolicy;
import io.sluice.SluiceException;
import io.sluice.When;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.HeldJob;
import io.sluice.store.JobBytes;
import io.sluice.store.JobStore;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves remote workers: what they do to a job goes by the same judge as what a handler does. */
final class RemoteDesk implements RemoteWorkers {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteDesk.class);

  private final JobStore store;
  private final Judge judge;
  private final QueueCache queues;
  private final Outcomes outcomes;
  private final Visits visits;
  private final RemoteQueue line;
  private final Entrance entrance;

  /** Where remote workers wait for jobs, how often they look by themselves, and where jobs come in. */
  record Doors(Board board, Duration poll, Entrance entrance) {}

  RemoteDesk(JobStore store, Tools tools, QueueCache queues, Outcomes outcomes, Doors doors) {
    this.store = store;
    this.judge = new Judge(tools);
    this.queues = queues;
    this.outcomes = outcomes;
    this.visits = new Visits(store.workers(), tools.nanoTime());
    this.entrance = doors.entrance;
    this.line = new RemoteQueue(
        store,
        queues,
        doors.board,
        visits,
        new RemoteQueue.Flow(outcomes.circuits(), doors.poll),
        tools.nanoTime());
  }

  @Override
  public List<RemoteJob> claim(RemoteClaim claim) {
    return line.claim(claim, this::handOut);
  }

  @Override
  public void giveBack(String tenant, ClaimRef lease) {
    store.held(lease).filter(held -> isOf(tenant, held)).ifPresent(held -> {
      store.finish(List.of(new Finish(lease, Verdict.unspent(held.job().strikes()))));
      outcomes.circuits().endedElsewhere(held.job().lane(), CallEnd.NOTHING);
      line.ended(lease);
    });
  }

  /**
   * The jobs of a claim that the worker gets: those past their own expiry it does not. Where that fails all of
   * them go back, for the worker hears of none.
   */
  private List<RemoteJob> handOut(RemoteClaim claim, List<ClaimedJob> claimed) {
    List<ClaimedJob> admitted = new ArrayList<>();
    try {
      for (ClaimedJob job : claimed) {
        if (!isExpired(job) && isAdmitted(job)) {
          admitted.add(job);
        }
      }
      return handOutWithResults(claim, admitted);
    } catch (RuntimeException e) {
      admitted.forEach(job -> outcomes.circuits().endedElsewhere(job.lane(), CallEnd.NOTHING));
      line.giveBack(claimed);
      throw e;
    }
  }

  /** Hands out the jobs whose payloads and results one answer has room for, the first in any case. */
  private List<RemoteJob> handOutWithResults(RemoteClaim claim, List<ClaimedJob> jobs) {
    List<RemoteJob> out = new ArrayList<>();
    long bytes = 0;
    for (ClaimedJob job : jobs) {
      long room = out.isEmpty() ? Defaults.MAX_RESULTS_BYTES : Defaults.MAX_CLAIM_BYTES - bytes;
      List<Result> results =
          room <= 0 ? null : results(job, room, out.isEmpty()).orElse(null);
      if (room <= 0) {
        putBack(job);
      } else if (results != null) {
        RemoteJob handed = handOut(claim, job, results);
        bytes += bytes(handed);
        out.add(handed);
      }
    }
    return out;
  }

  private static long bytes(RemoteJob job) {
    return JobBytes.of(job.job())
        + job.results().stream()
            .mapToLong(result -> result.json() == null ? 0 : result.json().length())
            .sum();
  }

  private void putBack(ClaimedJob job) {
    outcomes.circuits().endedElsewhere(job.lane(), CallEnd.NOTHING);
    line.giveBack(List.of(job));
  }

  private RemoteJob handOut(RemoteClaim claim, ClaimedJob job, List<Result> results) {
    outcomes.tell(Event.Kind.STARTED, job, null);
    return RemoteJobs.of(job, claim, new RemoteJobs.Past(errors(job), results));
  }

  /**
   * What those left that the job waited for; empty when that is not to be had, and the job goes back. The first of a
   * claim, which has all the room there is, fails for good when its results are too large.
   */
  private Optional<List<Result>> results(ClaimedJob job, long room, boolean first) {
    if (!job.spec().ties().waits()) {
      return Optional.of(List.of());
    }
    try {
      return Optional.of(store.links().results(job.ref().job(), room));
    } catch (SluiceException e) {
      if (e.code() != ErrorCode.RESULTS_TOO_LARGE) {
        LOG.warn("job {} goes back: its results are not there: {}", job.ref(), e.getMessage());
        putBack(job);
      } else if (first) {
        failForGood(job, e);
      } else {
        putBack(job);
      }
      return Optional.empty();
    }
  }

  private void failForGood(ClaimedJob job, SluiceException e) {
    AttemptFailure failure =
        new AttemptFailure(ErrorClass.VALIDATION, e.code().name(), String.valueOf(e.getMessage()));
    Verdict verdict = Judge.failedForGood(failure, caseOf(new HeldJob(job, Duration.ZERO)));
    if (!store.finish(List.of(new Finish(job.ref(), verdict))).isEmpty()) {
      outcomes.tell(job, verdict, 0);
    }
    outcomes.circuits().endedElsewhere(job.lane(), CallEnd.NOTHING);
    line.ended(job.ref());
  }

  /** Gives a job back for which a breaker opened after its claim, or that is one too many to try. */
  private boolean isAdmitted(ClaimedJob job) {
    boolean admitted = outcomes.circuits().admit(job.lane()).isPresent();
    if (!admitted) {
      line.giveBack(List.of(job));
    }
    return admitted;
  }

  /** What went wrong before, which a claim itself does not answer; most jobs have no before. */
  private List<JobError> errors(ClaimedJob job) {
    if (job.ref().turn() == 1) {
      return List.of();
    }
    try {
      return store
          .find(job.ref().job(), Detail.STATE)
          .map(found -> found.status().errors())
          .orElse(List.of());
    } catch (SluiceException e) {
      // The job is claimed: without its history it can be done, unhanded it would lose its lease.
      LOG.warn("job {} is handed out without its earlier errors: {}", job.ref(), e.getMessage());
      return List.of();
    }
  }

  private boolean isExpired(ClaimedJob job) {
    Instant now = job.claimedAt();
    if (expiry(job, now) == null || !isPast(job, now)) {
      return false;
    }
    Duration keep = queues.of(job.lane()).retention().of(JobState.CANCELLED);
    Verdict verdict = new Verdict.End(JobState.CANCELLED, null, Judge.EXPIRED, null, keep);
    if (!store.finish(List.of(new Finish(job.ref(), verdict))).isEmpty()) {
      outcomes.tell(job, verdict, 0);
    }
    line.ended(job.ref());
    return true;
  }

  private static boolean isPast(ClaimedJob job, Instant now) {
    Instant expiry = job.spec().expiresAt();
    return expiry != null && !now.isBefore(expiry);
  }

  /** When the job is no longer wanted; never, if a person ran it again after that. */
  private @Nullable Instant expiry(ClaimedJob job, Instant now) {
    boolean replayed = isPast(job, now)
        && store
            .find(job.ref().job(), Detail.STATE)
            .filter(j -> j.status().replays() > 0)
            .isPresent();
    return replayed ? null : job.spec().expiresAt();
  }

  @Override
  public RemoteHeartbeat heartbeat(
      String tenant, ClaimRef lease, Duration extendBy, @Nullable RemoteProgress progress) {
    RemoteClaim.checkLease("extendBy", extendBy);
    HeldJob held = store.held(lease).filter(h -> isOf(tenant, h)).orElse(null);
    Optional<Instant> until = held == null ? Optional.empty() : store.extend(lease, extendBy);
    if (held == null || until.isEmpty()) {
      return afterTheEnd(tenant, lease);
    }
    if (progress != null) {
      note(held.job(), progress);
    }
    visits.heardOf(held.job().ref().worker());
    return new RemoteHeartbeat(false, until.get());
  }

  private RemoteHeartbeat afterTheEnd(String tenant, ClaimRef lease) {
    if (find(tenant, lease).state() != JobState.CANCELLED) {
      throw lost(lease);
    }
    return new RemoteHeartbeat(true, null);
  }

  private void note(ClaimedJob job, RemoteProgress progress) {
    String message = Judge.text(progress.message());
    if (store.progress(job.ref(), progress.percent(), message)) {
      outcomes.tell(Event.Kind.PROGRESS, job, progress.percent() + "% " + message);
    }
  }

  @Override
  public void complete(String tenant, ClaimRef lease, @Nullable String result) {
    String json = result == null ? null : checked(result);
    HeldJob held = held(tenant, lease);
    end(held, Judge.completed(json, caseOf(held)), Optional.empty());
  }

  private static String checked(String result) {
    if (result.length() > Defaults.MAX_PAYLOAD_BYTES) {
      throw SluiceException.invalid(
          "result", "must be at most " + Defaults.MAX_PAYLOAD_BYTES + " characters of JSON");
    }
    return JsonText.check("result", result);
  }

  @Override
  public JobState fail(String tenant, ClaimRef lease, RemoteFailure failure) {
    AttemptFailure known =
        new AttemptFailure(failure.errorClass(), failure.code(), failure.message());
    Instant retryAt = failure.retryAt();
    HeldJob held = held(tenant, lease);
    Judge.Case of = caseOf(held);
    Verdict verdict = failure.retry()
        ? judge.failed(retryAt == null ? known : known.withRetry(When.at(retryAt)), of)
        : Judge.failedForGood(known, of);
    end(held, verdict, timeTo(retryAt, of.now()));
    return switch (verdict) {
      case Verdict.End end -> end.state();
      case Verdict.Again again ->
        again.when().from(of.now()).isAfter(of.now()) ? again.state() : JobState.PENDING;
    };
  }

  private static Optional<Duration> timeTo(@Nullable Instant until, Instant now) {
    return Optional.ofNullable(until).map(at -> Duration.between(now, at));
  }

  private void end(HeldJob held, Verdict verdict, Optional<Duration> asked) {
    ClaimedJob job = held.job();
    if (store.finish(List.of(new Finish(job.ref(), verdict))).isEmpty()) {
      throw lost(job.ref());
    }
    line.ended(job.ref());
    long nanos = held.heldFor().toNanos();
    outcomes.circuits().endedElsewhere(job.lane(), CallEnd.of(verdict, nanos, asked));
    outcomes.tell(job, verdict, nanos);
    visits.heardOf(held.job().ref().worker());
  }

  private HeldJob held(String tenant, ClaimRef lease) {
    return store.held(lease).filter(h -> isOf(tenant, h)).orElseThrow(() -> {
      find(tenant, lease);
      return lost(lease);
    });
  }

  /** A lease of which its worker spoke, so that it is known to have reached the worker. */
  private HeldJob inUse(String tenant, ClaimRef lease) {
    HeldJob held = held(tenant, lease);
    store.started(lease, false);
    return held;
  }

  private static boolean isOf(String tenant, HeldJob held) {
    return held.job().lane().tenant().equals(tenant);
  }

  private JobRecord find(String tenant, ClaimRef lease) {
    return store
        .find(lease.job(), Detail.STATE)
        .filter(job -> job.tenant().equals(tenant))
        .orElseThrow(
            () -> new SluiceException(ErrorCode.NOT_FOUND, "there is no job " + lease.job()));
  }

  private static SluiceException lost(ClaimRef lease) {
    return new SluiceException(
        ErrorCode.LEASE_LOST,
        "the lease of job " + lease.job() + " is over: it was finished, expired or cancelled");
  }

  private Judge.Case caseOf(HeldJob held) {
    ClaimedJob job = held.job();
    QueueSettings queue = queues.of(job.lane());
    RetryPolicy own = job.spec().retry();
    RetryPolicy policy = own != null ? own : queue.retry();
    Instant now = held.now();
    return new Judge.Case(
        job.attempt(),
        policy != null ? policy : Defaults.RETRY,
        own != null,
        queue,
        job.strikes(),
        expiry(job, now),
        now);
  }

  @Override
  public List<Enqueued> addToBatch(String tenant, ClaimRef lease, List<JobRequest> jobs) {
    HeldJob held = inUse(tenant, lease);
    List<Enqueued> added = entrance.addWithin(Membership.of(held.job()), jobs);
    visits.heardOf(held.job().ref().worker());
    return added;
  }

  @Override
  public BatchStarted startBatch(String tenant, ClaimRef lease, BatchRequest batch) {
    HeldJob held = inUse(tenant, lease);
    BatchStarted started = entrance.startWithin(Membership.of(held.job()), batch);
    visits.heardOf(held.job().ref().worker());
    return started;
  }
}
