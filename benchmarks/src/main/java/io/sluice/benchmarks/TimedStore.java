package io.sluice.benchmarks;

import io.sluice.CancelResult;
import io.sluice.Enqueued;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.LogLine;
import io.sluice.Page;
import io.sluice.store.Claim;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Count;
import io.sluice.store.Finish;
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

/**
 * A store that takes the time of claims: of the look for ready work together with the taking of it, or of
 * the look alone when it found nothing. For one engine, which looks and takes by turns.
 */
final class TimedStore implements JobStore {
  private final JobStore store;
  private final Timings claims;
  private volatile long looked;

  TimedStore(JobStore store, Timings claims) {
    this.store = store;
    this.claims = claims;
  }

  @Override
  public List<LaneHead> heads() {
    long start = System.nanoTime();
    List<LaneHead> heads = store.heads();
    looked = System.nanoTime() - start;
    if (heads.isEmpty()) {
      claims.add(looked);
    }
    return heads;
  }

  @Override
  public List<ClaimedJob> claim(Claim claim) {
    long start = System.nanoTime();
    List<ClaimedJob> jobs = store.claim(claim);
    claims.add(looked + System.nanoTime() - start);
    looked = 0;
    return jobs;
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
  public boolean started(ClaimRef ref) {
    return store.started(ref);
  }

  @Override
  public Set<ClaimRef> finish(List<Finish> finishes) {
    return store.finish(finishes);
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
    return store.queues();
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
