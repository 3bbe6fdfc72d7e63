package io.sluice.testkit;

import io.sluice.CancelResult;
import io.sluice.Detail;
import io.sluice.Enqueued;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.LogLine;
import io.sluice.Page;
import io.sluice.PageSize;
import io.sluice.WaitingJobs;
import io.sluice.store.Breakers;
import io.sluice.store.CancelledJob;
import io.sluice.store.Claim;
import io.sluice.store.ClaimRef;
import io.sluice.store.Claimed;
import io.sluice.store.Count;
import io.sluice.store.Finish;
import io.sluice.store.HeldJob;
import io.sluice.store.JobStore;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneView;
import io.sluice.store.Limits;
import io.sluice.store.Links;
import io.sluice.store.Look;
import io.sluice.store.NewJob;
import io.sluice.store.Promotion;
import io.sluice.store.Queues;
import io.sluice.store.ReasonCount;
import io.sluice.store.Standing;
import io.sluice.store.Wakeups;
import io.sluice.store.Workers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A store that fails on demand, in front of one that works: for tests of what your code does when its
 * store is gone. A failed call throws PERSISTENCE_FAILURE, as a real store does. Its faults also hold
 * for the calls of {@link #queues} and {@link #workers}; opening, closing, the clock and wake-ups never
 * fail. A method is known by its name, as in {@code onlyOn("insert", "heartbeat")}.
 */
public final class FlakyStore implements JobStore {
  private final JobStore store;
  private final Faults faults = new Faults();
  private final Queues queues;
  private final Workers workers;
  private volatile boolean deaf;

  public FlakyStore(JobStore store) {
    this.store = store;
    this.queues = new FlakyQueues(store.queues(), faults);
    this.workers = new FlakyWorkers(store.workers(), faults);
  }

  // ---- what goes wrong

  /** The next so many calls throw and do nothing. */
  public void failNext(int calls) {
    faults.failNext(calls);
  }

  /** Every call throws and does nothing, until {@link #mend}. */
  public void failUntilMended() {
    faults.down(true);
  }

  /** The next so many calls do their work and then throw: the reply is lost, the write is not. */
  public void loseReplies(int calls) {
    faults.loseReplies(calls);
  }

  /** Faults hold for the methods of these names only; other calls neither fail nor count down. */
  public void onlyOn(String... methods) {
    faults.only(Set.of(methods));
  }

  /** Calls of this method do their work, and their reply is held back until {@link #mend}. */
  public void holdReplies(String method) {
    faults.hold(method);
  }

  /** Whoever listens to wake-ups from now on hears none. */
  public void loseWakeups() {
    deaf = true;
  }

  /** Ends all faults. */
  public void mend() {
    faults.clear();
  }

  /** How many calls there were, failed or not. */
  public long calls() {
    return faults.calls();
  }

  /** How many calls there were of one method, failed or not. */
  public int calls(String method) {
    return faults.calls(method);
  }

  // ---- the store

  @Override
  public void open() {
    store.open();
  }

  @Override
  public Instant now() {
    return store.now();
  }

  @Override
  public List<Enqueued> insert(List<NewJob> jobs) {
    return faults.pass("insert", () -> store.insert(jobs));
  }

  @Override
  public LaneView look(Look look) {
    return faults.pass("look", () -> store.look(look));
  }

  @Override
  public List<LaneHead> heads(String tenant, String queue) {
    return faults.pass("look", () -> store.heads(tenant, queue));
  }

  @Override
  public Claimed claim(Claim claim) {
    return faults.pass("claim", () -> store.claim(claim));
  }

  @Override
  public boolean started(ClaimRef ref, boolean alone) {
    return faults.pass("started", () -> store.started(ref, alone));
  }

  @Override
  public Set<ClaimRef> finish(List<Finish> finishes) {
    return faults.pass("finish", () -> store.finish(finishes));
  }

  @Override
  public boolean progress(ClaimRef ref, int percent, String message) {
    return faults.pass("progress", () -> store.progress(ref, percent, message));
  }

  @Override
  public boolean log(ClaimRef ref, List<String> lines) {
    return faults.pass("log", () -> store.log(ref, lines));
  }

  @Override
  public Optional<Instant> extend(ClaimRef ref, Duration lease) {
    return faults.pass("extend", () -> store.extend(ref, lease));
  }

  @Override
  public Optional<HeldJob> held(ClaimRef ref) {
    return faults.pass("held", () -> store.held(ref));
  }

  @Override
  public CancelResult cancel(UUID job, String reason, Duration keepFor) {
    return faults.pass("cancel", () -> store.cancel(job, reason, keepFor));
  }

  @Override
  public List<CancelledJob> cancelAll(List<UUID> jobs, String reason) {
    return faults.pass("cancelAll", () -> store.cancelAll(jobs, reason));
  }

  @Override
  public List<UUID> cancelWaiting(WaitingJobs which, String reason, Duration keepFor, int max) {
    return faults.pass("cancelWaiting", () -> store.cancelWaiting(which, reason, keepFor, max));
  }

  @Override
  public List<UUID> replayAll(List<UUID> jobs) {
    return faults.pass("replay", () -> store.replayAll(jobs));
  }

  @Override
  public boolean hurry(UUID job) {
    return faults.pass("hurry", () -> store.hurry(job));
  }

  @Override
  public List<UUID> deleteAll(List<UUID> jobs) {
    return faults.pass("delete", () -> store.deleteAll(jobs));
  }

  @Override
  public Promotion promote(int max) {
    return faults.pass("promote", () -> store.promote(max));
  }

  @Override
  public List<UUID> expire(int max) {
    return faults.pass("expire", () -> store.expire(max));
  }

  @Override
  public long purge() {
    return faults.pass("purge", store::purge);
  }

  @Override
  public Optional<JobRecord> find(UUID job, Detail detail) {
    return faults.pass("find", () -> store.find(job, detail));
  }

  @Override
  public Page<JobRecord> page(JobFilter filter, @Nullable String cursor, PageSize size) {
    return faults.pass("page", () -> store.page(filter, cursor, size));
  }

  @Override
  public List<LogLine> logs(UUID job) {
    return faults.pass("logs", () -> store.logs(job));
  }

  @Override
  public List<Count> counts(@Nullable String tenant) {
    return faults.pass("counts", () -> store.counts(tenant));
  }

  @Override
  public List<Count> unfinished(@Nullable String tenant) {
    return faults.pass("unfinished", () -> store.unfinished(tenant));
  }

  @Override
  public Optional<Instant> oldestReady(@Nullable String tenant) {
    return faults.pass("oldestReady", () -> store.oldestReady(tenant));
  }

  @Override
  public long deadLetters(long most) {
    return faults.pass("deadLetters", () -> store.deadLetters(most));
  }

  @Override
  public List<ReasonCount> deadReasons(JobFilter filter) {
    return faults.pass("deadReasons", () -> store.deadReasons(filter));
  }

  @Override
  public Standing standing(UUID job, int most) {
    return faults.pass("standing", () -> store.standing(job, most));
  }

  @Override
  public Queues queues() {
    return queues;
  }

  @Override
  public Limits limits() {
    return new FlakyLimits(store.limits(), faults);
  }

  @Override
  public Breakers breakers() {
    return new FlakyBreakers(store.breakers(), faults);
  }

  @Override
  public Links links() {
    return new FlakyLinks(store.links(), faults);
  }

  @Override
  public Workers workers() {
    return workers;
  }

  @Override
  public Wakeups wakeups() {
    return deaf ? listener -> () -> {} : store.wakeups();
  }

  @Override
  public void close() {
    store.close();
  }
}
