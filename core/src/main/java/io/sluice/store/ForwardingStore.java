package io.sluice.store;

import io.sluice.CancelResult;
import io.sluice.Detail;
import io.sluice.Enqueued;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.LogLine;
import io.sluice.Page;
import io.sluice.PageSize;
import io.sluice.WaitingJobs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A store that passes every call on to another one: to be extended where one call is to do more. {@link
 * #tryFinish} comes by way of {@link #finish}, so that a subclass that overrides it changes both.
 */
public class ForwardingStore implements JobStore {
  private final JobStore store;

  protected ForwardingStore(JobStore store) {
    this.store = store;
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
  public LaneView look(Look look) {
    return store.look(look);
  }

  @Override
  public List<LaneHead> heads(String tenant, String queue) {
    return store.heads(tenant, queue);
  }

  @Override
  public Claimed claim(Claim claim) {
    return store.claim(claim);
  }

  @Override
  public boolean started(ClaimRef ref, boolean alone) {
    return store.started(ref, alone);
  }

  @Override
  public Set<ClaimRef> finish(List<Finish> finishes) {
    return store.finish(finishes);
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
  public List<CancelledJob> cancelAll(List<UUID> jobs, String reason) {
    return store.cancelAll(jobs, reason);
  }

  @Override
  public List<UUID> cancelWaiting(WaitingJobs which, String reason, Duration keepFor, int max) {
    return store.cancelWaiting(which, reason, keepFor, max);
  }

  @Override
  public List<UUID> replayAll(List<UUID> jobs) {
    return store.replayAll(jobs);
  }

  @Override
  public boolean hurry(UUID job) {
    return store.hurry(job);
  }

  @Override
  public List<UUID> deleteAll(List<UUID> jobs) {
    return store.deleteAll(jobs);
  }

  @Override
  public Promotion promote(int max) {
    return store.promote(max);
  }

  @Override
  public List<UUID> expire(int max) {
    return store.expire(max);
  }

  @Override
  public long purge() {
    return store.purge();
  }

  @Override
  public Optional<JobRecord> find(UUID job, Detail detail) {
    return store.find(job, detail);
  }

  @Override
  public Page<JobRecord> page(JobFilter filter, @Nullable String cursor, PageSize size) {
    return store.page(filter, cursor, size);
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
  public List<Count> unfinished(@Nullable String tenant) {
    return store.unfinished(tenant);
  }

  @Override
  public Optional<Instant> oldestReady(@Nullable String tenant) {
    return store.oldestReady(tenant);
  }

  @Override
  public long deadLetters(long most) {
    return store.deadLetters(most);
  }

  @Override
  public List<ReasonCount> deadReasons(JobFilter filter) {
    return store.deadReasons(filter);
  }

  @Override
  public Standing standing(UUID job, int most) {
    return store.standing(job, most);
  }

  @Override
  public Queues queues() {
    return store.queues();
  }

  @Override
  public Limits limits() {
    return store.limits();
  }

  @Override
  public Breakers breakers() {
    return store.breakers();
  }

  @Override
  public Links links() {
    return store.links();
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
