package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.BatchRecord;
import io.sluice.BatchStarted;
import io.sluice.Enqueued;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.QueueSettings;
import io.sluice.Uuid7;
import io.sluice.store.Claim;
import io.sluice.store.ClaimRef;
import io.sluice.store.Claimed;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.JobStore;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneQuota;
import io.sluice.store.Links;
import io.sluice.store.LostClaim;
import io.sluice.store.LostWorker;
import io.sluice.store.NewJob;
import io.sluice.store.StartTimes;
import io.sluice.store.Verdict;
import io.sluice.store.WorkerSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A store and a clock with the moves that tests make, in their own words. */
public final class Bench implements AutoCloseable {
  /** Longer than any clock step of a test that is not about leases. */
  private static final Duration LONG_LEASE = Duration.ofDays(3650);

  private static final Comparator<LaneHead> BY_PRIORITY_AND_AGE =
      Comparator.comparingInt(LaneHead::priority).thenComparing(LaneHead::first);

  private final StoreLab lab;
  private final Uuid7 ids;
  private Optional<Long> steadyWorker = Optional.empty();

  public Bench(StoreLab lab) {
    this.lab = lab;
    this.ids = new Uuid7(lab.clock(), new SplittableRandom(7));
    lab.store().open();
  }

  public JobStore store() {
    return lab.store();
  }

  /** A second instance on the same data, or the same one where the store cannot be shared. */
  public JobStore other() {
    JobStore other = lab.second().orElse(lab.store());
    other.open();
    return other;
  }

  public StoreLab lab() {
    return lab;
  }

  public Instant now() {
    return lab.clock().instant();
  }

  public Instant advance(Duration step) {
    return lab.clock().advance(step);
  }

  // ---- making jobs

  /** An id that nothing has yet. */
  public UUID id() {
    return ids.next();
  }

  public NewJob made(Draft draft) {
    return draft.as(ids.next());
  }

  public List<NewJob> made(int n, Draft draft) {
    return IntStream.range(0, n).mapToObj(i -> made(draft)).toList();
  }

  /** Inserts a plain job that is due. */
  public UUID add() {
    return add(Draft.job());
  }

  public UUID add(Draft draft) {
    return insert(draft).getFirst().id();
  }

  /** Inserts jobs in one call and returns their ids in order. */
  public List<UUID> add(int n, Draft draft) {
    return store().insert(made(n, draft)).stream().map(Enqueued::id).toList();
  }

  public List<UUID> add(int n) {
    return add(n, Draft.job());
  }

  /** Inserts these in one call. */
  public List<Enqueued> insert(Draft... drafts) {
    return store().insert(Arrays.stream(drafts).map(this::made).toList());
  }

  /** Inserts a job and moves it into a state; its lane must hold no other ready job. */
  public UUID addIn(JobState state, Draft draft) {
    return switch (state) {
      case SCHEDULED -> add(draft.in(Duration.ofMinutes(1)));
      case PENDING -> add(draft);
      case RUNNING -> claim(add(draft)).ref().job();
      case RETRYING, COMPLETED, FAILED, DEAD, CANCELLED -> {
        ClaimRef ref = claim(add(draft)).ref();
        assertThat(finish(ref, Verdicts.into(state))).isTrue();
        yield ref.job();
      }
    };
  }

  public UUID addIn(JobState state) {
    return addIn(state, Draft.job());
  }

  /** Starts a batch of these jobs. */
  public BatchStarted start(BatchDraft batch, Draft... jobs) {
    return start(batch, Arrays.stream(jobs).map(this::made).toList());
  }

  public BatchStarted start(BatchDraft batch, List<NewJob> jobs) {
    return links().start(batch.as(), jobs.stream().map(batch::member).toList());
  }

  public BatchRecord batch(UUID id) {
    return links().find(id).orElseThrow(() -> new AssertionError("no batch " + id));
  }

  public Links links() {
    return store().links();
  }

  /** Makes a queue of the default tenant. */
  public void makeQueue(String name) {
    store().queues().save(QueueSettings.of(name));
  }

  // ---- workers

  /** The id of a worker whose lease does not run out in a test. */
  public long worker() {
    if (steadyWorker.isEmpty()) {
      steadyWorker = Optional.of(worker("steady", LONG_LEASE));
    }
    return steadyWorker.get();
  }

  public long worker(String name, Duration lease) {
    return store().workers().register(spec(name), lease);
  }

  public static WorkerSpec spec(String name) {
    return new WorkerSpec(name, 10, Set.of(Draft.TYPE), Set.of());
  }

  // ---- claiming

  /** Claims for the steady worker what is first by priority and age, in any lane. */
  public List<ClaimedJob> claim(int max) {
    return claim(store(), worker(), max);
  }

  public List<ClaimedJob> claim(long worker, int max) {
    return claim(store(), worker, max);
  }

  public List<ClaimedJob> claim(JobStore through, long worker, int max) {
    return claim(through, worker, max, Duration.ZERO).jobs();
  }

  /** As {@link #claim(int)}, of jobs that may start until so long from now, and with what held it back. */
  public Claimed claim(int max, Duration ahead) {
    return claim(store(), worker(), max, ahead);
  }

  private static Claimed claim(JobStore through, long worker, int max, Duration ahead) {
    List<LaneQuota> lanes = through.heads().stream()
        .sorted(BY_PRIORITY_AND_AGE)
        .map(head -> new LaneQuota(head.laneId(), head.priority(), max))
        .toList();
    return through.claim(new Claim(worker, lanes, max, null, new StartTimes(ahead, Duration.ZERO)));
  }

  /** Claims the one job that is first, for the steady worker. */
  public ClaimedJob claimOne() {
    return claimOne(worker());
  }

  public ClaimedJob claimOne(long worker) {
    List<ClaimedJob> claimed = claim(worker, 1);
    assertThat(claimed).as("a ready job").hasSize(1);
    return claimed.getFirst();
  }

  /** Claims this job, which must be first in its lane, for the steady worker. */
  public ClaimedJob claim(UUID job) {
    return claim(worker(), job);
  }

  public ClaimedJob claim(long worker, UUID job) {
    JobRecord record = find(job);
    List<ClaimedJob> claimed =
        claimLane(worker, record.lane(), record.priority().value(), 1);
    assertThat(claimed).extracting(c -> c.ref().job()).containsExactly(job);
    return claimed.getFirst();
  }

  /** Inserts a job and claims it. */
  public ClaimedJob running() {
    return claim(add());
  }

  public List<ClaimedJob> claimLane(long worker, Lane lane, int priority, int max) {
    List<LaneQuota> lanes = store().heads().stream()
        .filter(head -> head.lane().equals(lane) && head.priority() == priority)
        .map(head -> new LaneQuota(head.laneId(), head.priority(), max))
        .toList();
    return store().claim(new Claim(worker, lanes, max)).jobs();
  }

  /** The head of a lane and priority, which must have ready work. */
  public LaneHead head(Lane lane, int priority) {
    return store().heads().stream()
        .filter(head -> head.lane().equals(lane) && head.priority() == priority)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no ready work in " + lane + " at " + priority));
  }

  public static List<UUID> idsOf(List<ClaimedJob> claimed) {
    return claimed.stream().map(c -> c.ref().job()).toList();
  }

  // ---- ending claims

  /** True when the verdict took effect. */
  public boolean finish(ClaimRef ref, Verdict verdict) {
    return store().finish(List.of(new Finish(ref, verdict))).contains(ref);
  }

  /** Claims a job, which must be first in its lane, and ends it in this state. */
  public void end(UUID job, JobState state) {
    assertThat(finish(claim(job).ref(), Verdicts.into(state))).isTrue();
  }

  public boolean complete(ClaimedJob claimed) {
    return finish(claimed.ref(), Verdicts.completed());
  }

  /** The claims that could be rescued now, whoever held them. */
  public List<LostClaim> lostClaims() {
    List<LostClaim> claims = new ArrayList<>();
    for (LostWorker worker : store().workers().lost(100)) {
      claims.addAll(worker.claims());
    }
    return claims;
  }

  // ---- looking

  public JobRecord find(UUID job) {
    return store().find(job).orElseThrow(() -> new AssertionError("no job " + job));
  }

  /** Why a job ended. */
  public @Nullable String reason(UUID job) {
    return find(job).status().reason();
  }

  public JobState state(UUID job) {
    return find(job).state();
  }

  /** The ids of jobs on the first page that fit, newest first. */
  public List<UUID> listed(JobFilter filter) {
    return store().page(filter, null, 100).items().stream().map(JobRecord::id).toList();
  }

  @Override
  public void close() {
    lab.close();
  }
}
