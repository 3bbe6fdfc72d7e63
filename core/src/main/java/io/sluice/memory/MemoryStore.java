package io.sluice.memory;

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
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The store that keeps its jobs in memory. What it holds is lost with the process, unless it has a
 * snapshot: then {@link #close} writes all of it to a file and {@link #open} reads it back. The file is
 * as new as the last close: a process that dies leaves the one before, and jobs that ended since then
 * run again. Jobs that ran at the close are ready again, their attempt unspent; workers are forgotten.
 */
public final class MemoryStore implements JobStore {
  private static final int PURGE_SLICE = 2_000;

  private final long maxJobs;
  private final @Nullable Snapshot snapshot;
  private final Access access;
  private final Views views;
  private final Queues queues;
  private final Limits limits;
  private final Breakers breakers;
  private final Links links;
  private final Workers workers;

  private MemoryStore(Builder builder) {
    maxJobs = builder.maxJobs;
    snapshot = builder.snapshot == null ? null : new Snapshot(builder.snapshot);
    access = new Access(builder.clock, builder.jumps);
    views = new Views(access);
    queues = new MemoryQueues(access);
    limits = new MemoryLimits(access);
    breakers = new MemoryBreakers(access);
    links = new MemoryLinks(access, maxJobs);
    workers = new MemoryWorkers(access);
  }

  /** A store with every default: a million jobs, no file. */
  public static MemoryStore create() {
    return builder().build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** What a memory store is made from. */
  public static final class Builder {
    private long maxJobs = 1_000_000;
    private @Nullable Path snapshot;
    private InstantSource clock = InstantSource.system();
    private @Nullable Jumps jumps;

    private Builder() {}

    /**
     * How many jobs it holds at most. Finished ones make room before their time; an insert beyond so
     * many unfinished ones is QUEUE_FULL.
     */
    public Builder maxJobs(long jobs) {
      if (jobs < 1) {
        throw new IllegalArgumentException("maxJobs must be 1 or more, was " + jobs);
      }
      maxJobs = jobs;
      return this;
    }

    /** The file that keeps the jobs between runs, beside which a lock file is laid. */
    public Builder snapshot(Path file) {
      snapshot = file;
      return this;
    }

    public Builder clock(InstantSource source) {
      clock = source;
      return this;
    }

    /**
     * Lets no lease run out because the clock is set forward: for tests that move a clock by hours while
     * workers run. Without this, a worker whose lease ends by the clock is lost, as after a pause.
     */
    public Builder keepLeasesAcrossJumps() {
      jumps = new Jumps(System::nanoTime);
      return this;
    }

    public MemoryStore build() {
      return new MemoryStore(this);
    }
  }

  @Override
  public void open() {
    access.open(() -> snapshot == null ? new Shelf() : snapshot.open());
  }

  @Override
  public Instant now() {
    return access.clock.instant();
  }

  @Override
  public List<Enqueued> insert(List<NewJob> jobs) {
    return access.with((shelf, now) -> new Intake(shelf, now, maxJobs).insert(jobs));
  }

  @Override
  public LaneView look(Look look) {
    return access.with((shelf, now) -> shelf.lanes.look(look));
  }

  @Override
  public List<LaneHead> heads(String tenant, String queue) {
    return access.with((shelf, now) -> shelf.lanes.heads(new QueueName(tenant, queue)));
  }

  @Override
  public Claimed claim(Claim claim) {
    return access.with((shelf, now) -> new Attempts(shelf, now).claim(claim));
  }

  @Override
  public boolean started(ClaimRef ref, boolean alone) {
    return access.with((shelf, now) -> new Attempts(shelf, now).started(ref, alone));
  }

  @Override
  public Set<ClaimRef> finish(List<Finish> finishes) {
    return access.with((shelf, now) -> new Attempts(shelf, now).finish(finishes));
  }

  @Override
  public boolean progress(ClaimRef ref, int percent, String message) {
    return access.with((shelf, now) -> new Attempts(shelf, now).progress(ref, percent, message));
  }

  @Override
  public boolean log(ClaimRef ref, List<String> lines) {
    return access.with((shelf, now) -> new Attempts(shelf, now).log(ref, lines));
  }

  @Override
  public Optional<Instant> extend(ClaimRef ref, Duration lease) {
    return access.with((shelf, now) -> new Attempts(shelf, now).extend(ref, lease));
  }

  @Override
  public Optional<HeldJob> held(ClaimRef ref) {
    return access.with((shelf, now) -> new Attempts(shelf, now).held(ref));
  }

  @Override
  public CancelResult cancel(UUID job, String reason, Duration keepFor) {
    return access.with((shelf, now) -> new Upkeep(shelf, now).cancel(job, reason, keepFor));
  }

  @Override
  public List<CancelledJob> cancelAll(List<UUID> jobs, String reason) {
    return access.with((shelf, now) -> new Upkeep(shelf, now).cancelAll(jobs, reason));
  }

  @Override
  public List<UUID> cancelWaiting(WaitingJobs which, String reason, Duration keepFor, int max) {
    return access.with(
        (shelf, now) -> new Upkeep(shelf, now).cancelWaiting(which, reason, keepFor, max));
  }

  @Override
  public List<UUID> replayAll(List<UUID> jobs) {
    return access.with(
        (shelf, now) -> jobs.stream().filter(new Upkeep(shelf, now)::replay).toList());
  }

  @Override
  public boolean hurry(UUID job) {
    return access.with((shelf, now) -> new Upkeep(shelf, now).hurry(job));
  }

  @Override
  public List<UUID> deleteAll(List<UUID> jobs) {
    return access.with(
        (shelf, now) -> jobs.stream().filter(new Upkeep(shelf, now)::delete).toList());
  }

  @Override
  public Promotion promote(int max) {
    return access.with((shelf, now) -> new Upkeep(shelf, now).promote(max));
  }

  @Override
  public List<UUID> expire(int max) {
    return access.with((shelf, now) -> new Upkeep(shelf, now).expire(max));
  }

  @Override
  public long purge() {
    long dropped = 0;
    int slice;
    do {
      slice = access.with((shelf, now) -> new Upkeep(shelf, now).purge(PURGE_SLICE));
      dropped += slice;
    } while (slice == PURGE_SLICE);
    return dropped;
  }

  @Override
  public Optional<JobRecord> find(UUID job, Detail detail) {
    return access.with((shelf, now) ->
        Optional.ofNullable(shelf.find(job, now)).map(found -> found.asRecord(detail)));
  }

  @Override
  public Page<JobRecord> page(JobFilter filter, @Nullable String cursor, PageSize size) {
    return views.page(filter, cursor, size);
  }

  @Override
  public List<LogLine> logs(UUID job) {
    return access.with((shelf, now) ->
        Optional.ofNullable(shelf.find(job, now)).map(JobEntry::lines).orElse(List.of()));
  }

  @Override
  public List<Count> counts(@Nullable String tenant) {
    return views.counts(tenant);
  }

  @Override
  public List<Count> unfinished(@Nullable String tenant) {
    return views.counts(tenant).stream()
        .filter(count -> !count.state().isFinal())
        .toList();
  }

  @Override
  public Optional<Instant> oldestReady(@Nullable String tenant) {
    return views.oldestReady(tenant);
  }

  @Override
  public long deadLetters(long most) {
    return views.deadLetters(most);
  }

  @Override
  public List<ReasonCount> deadReasons(JobFilter filter) {
    return views.deadReasons(filter);
  }

  @Override
  public Standing standing(UUID job, int most) {
    return access.with((shelf, now) -> new Standings(shelf, now).of(job, most));
  }

  @Override
  public Queues queues() {
    return queues;
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public Breakers breakers() {
    return breakers;
  }

  @Override
  public Links links() {
    return links;
  }

  @Override
  public Workers workers() {
    return workers;
  }

  @Override
  public Wakeups wakeups() {
    return access.wakeups;
  }

  /**
   * Writes the snapshot, if there is one, and shuts the store. When the writing fails, the store stays
   * open with all its jobs, so that another close can succeed.
   */
  @Override
  public void close() {
    access.close(shelf -> {
      if (snapshot != null) {
        snapshot.close(shelf);
      }
    });
  }
}
