package io.sluice.server.delivery;

import io.sluice.CancelResult;
import io.sluice.Enqueued;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.LogLine;
import io.sluice.Page;
import io.sluice.WaitingJobs;
import io.sluice.store.Claim;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Count;
import io.sluice.store.Finish;
import io.sluice.store.HeldJob;
import io.sluice.store.JobStore;
import io.sluice.store.LaneHead;
import io.sluice.store.NewJob;
import io.sluice.store.Promotion;
import io.sluice.store.Queues;
import io.sluice.store.ReasonCount;
import io.sluice.store.Wakeups;
import io.sluice.store.Workers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A store that tells failure callbacks when jobs end, and is the store behind it in all else. */
final class TellingStore implements JobStore {
  private final JobStore store;
  private final FailureCallbacks callbacks;
  private final Queues queues;

  TellingStore(JobStore store, FailureCallbacks callbacks) {
    this(store, callbacks, store.queues());
  }

  /** With these queues in front of the store's own. */
  TellingStore(JobStore store, FailureCallbacks callbacks, Queues queues) {
    this.store = store;
    this.callbacks = callbacks;
    this.queues = queues;
  }

  @Override
  public Set<ClaimRef> finish(List<Finish> finishes) {
    return callbacks.finish(finishes);
  }

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
    return store.insert(jobs);
  }

  @Override
  public List<LaneHead> heads() {
    return store.heads();
  }

  @Override
  public List<ClaimedJob> claim(Claim claim) {
    return store.claim(claim);
  }

  @Override
  public boolean started(ClaimRef ref, boolean alone) {
    return store.started(ref, alone);
  }

  @Override
  public Optional<Instant> extend(ClaimRef ref, Duration lease) {
    return store.extend(ref, lease);
  }

  @Override
  public Optional<HeldJob> held(ClaimRef ref) {
    return store.held(ref);
  }

  @Override
  public boolean progress(ClaimRef ref, int percent, String message) {
    return store.progress(ref, percent, message);
  }

  @Override
  public boolean log(ClaimRef ref, List<String> lines) {
    return store.log(ref, lines);
  }

  @Override
  public CancelResult cancel(UUID job, String reason, Duration keepFor) {
    return store.cancel(job, reason, keepFor);
  }

  @Override
  public List<UUID> cancelWaiting(WaitingJobs which, String reason, Duration keepFor, int max) {
    return store.cancelWaiting(which, reason, keepFor, max);
  }

  @Override
  public boolean replay(UUID job) {
    return store.replay(job);
  }

  @Override
  public boolean delete(UUID job) {
    return store.delete(job);
  }

  @Override
  public Promotion promote(int max) {
    return store.promote(max);
  }

  @Override
  public List<UUID> expire(int max, Duration keepFor) {
    return store.expire(max, keepFor);
  }

  @Override
  public long purge() {
    return store.purge();
  }

  @Override
  public Optional<JobRecord> find(UUID job) {
    return store.find(job);
  }

  @Override
  public Page<JobRecord> page(JobFilter filter, @Nullable String cursor, int limit) {
    return store.page(filter, cursor, limit);
  }

  @Override
  public List<LogLine> logs(UUID job) {
    return store.logs(job);
  }

  @Override
  public List<Count> counts(@Nullable String tenant) {
    return store.counts(tenant);
  }

  @Override
  public Optional<Instant> oldestReady(@Nullable String tenant) {
    return store.oldestReady(tenant);
  }

  @Override
  public List<ReasonCount> deadReasons(JobFilter filter) {
    return store.deadReasons(filter);
  }

  @Override
  public Queues queues() {
    return queues;
  }

  @Override
  public Workers workers() {
    return store.workers();
  }

  @Override
  public Wakeups wakeups() {
    return store.wakeups();
  }

  @Override
  public void close() {
    store.close();
  }
}
