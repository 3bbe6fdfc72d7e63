package io.sluice.memory;

import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.Scope;
import io.sluice.Uuid7;
import io.sluice.store.ClaimRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All jobs, and every index over them. A job changes its state through one of the moves here
 * ({@link #ready}, {@link #defer}, {@link #bind}, {@link #unbind}, {@link #run}, {@link #end}) and in no other way: each checks the
 * table of legal moves, takes the job out of the indexes of its old state and into those of its new
 * one. Not safe for several threads: whoever uses it holds the lock.
 */
final class Shelf {
  private final TreeMap<UUID, JobEntry> jobs = new TreeMap<>(Uuid7.ORDER);
  private final Map<UUID, JobEntry> running = new HashMap<>();
  private final Map<JobKey, JobEntry> keys = new HashMap<>();
  private final Timeline kept = new Timeline();
  private final Timeline expiring = new Timeline();
  final Lanes lanes = new Lanes();
  final QueueBook queues = new QueueBook();
  final WorkerBook workers = new WorkerBook();
  final LinkBook links = new LinkBook();
  final FlowBook flow = new FlowBook();
  final Map<Scope, BreakerEntry> breakers = new HashMap<>();
  private Hints hints = new Hints();
  private long lastSequence;

  // ---- rules

  /** Takes limits and orders as they are set now. */
  void renewRules() {
    flow.renew(queues, lanes.all(), jobs.values());
  }

  LaneEntry lane(Lane lane) {
    return lanes.obtain(lane, queues, flow.rules());
  }

  // ---- coming and going

  /** Takes a new or restored job in, in the state it is in. */
  void add(JobEntry job) {
    if (job.sequence == 0) {
      job.sequence = lastSequence + 1;
    }
    lastSequence = Math.max(lastSequence, job.sequence);
    jobs.put(job.id, job);
    JobKey key = JobKey.of(job.lane.lane, job.spec);
    if (key != null) {
      keys.put(key, job);
    }
    enter(job);
  }

  void drop(JobEntry job) {
    leave(job);
    links.forget(job);
    jobs.remove(job.id);
    JobKey key = JobKey.of(job.lane.lane, job.spec);
    if (key != null) {
      keys.remove(key, job);
    }
    lanes.forgetIfEmpty(job.lane);
  }

  // ---- moves

  void ready(JobEntry job, Instant now) {
    begin(job, JobState.PENDING, now);
    enter(job);
  }

  void defer(JobEntry job, JobState state, Instant runAt, Instant now) {
    begin(job, state, now);
    job.runAt = runAt;
    enter(job);
  }

  /** Has a job wait for others. */
  void bind(JobEntry job, Wait wait, Instant now) {
    begin(job, JobState.SCHEDULED, now);
    job.wait = wait;
    enter(job);
  }

  /** Has a job that waits for others, or is held, become what it is without them. */
  void unbind(JobEntry job, Wait wait, Instant now) {
    if (wait.dueAt == null || !wait.dueAt.isAfter(now)) {
      ready(job, now);
    } else {
      leave(job);
      job.wait = null;
      job.runAt = wait.dueAt;
      job.updatedAt = now;
      enter(job);
    }
  }

  void run(JobEntry job, Hold hold, Instant now) {
    begin(job, JobState.RUNNING, now);
    job.hold = hold;
    enter(job);
  }

  void end(JobEntry job, JobState state, Ending ending) {
    begin(job, state, ending.at());
    job.lane.queue.ended(1);
    if (state != JobState.CANCELLED) {
      job.lane.ended(new LaneEntry.End(ending.at(), job.createdAt));
    }
    job.ending = ending;
    enter(job);
    need(job, -1);
  }

  private void begin(JobEntry job, JobState next, Instant now) {
    if (!job.state.canBecome(next)) {
      throw new IllegalStateException(
          "job " + job.id + " is " + job.state + " and cannot become " + next);
    }
    leave(job);
    if (job.state.isFinal()) {
      job.lane.queue.ended(-1);
      need(job, 1);
    }
    job.state = next;
    job.updatedAt = now;
    job.runAt = null;
    job.wait = null;
    job.hold = null;
    job.ending = null;
  }

  private void enter(JobEntry job) {
    job.lane.count(job.state, 1);
    flow.count(job, 1);
    switch (job.state) {
      case PENDING -> {
        if (lanes.addReady(job)) {
          hints.ready(job.lane);
        }
        hints.work();
      }
      case SCHEDULED, RETRYING -> {
        lanes.addLater(job);
        if (job.wait == null) {
          hints.later();
        }
      }
      case RUNNING -> {
        running.put(job.id, job);
        Objects.requireNonNull(job.hold).worker().held.add(job);
      }
      case COMPLETED, FAILED, DEAD, CANCELLED -> {
        if (job.needed == 0) {
          kept.add(Objects.requireNonNull(job.ending).keepUntil(), job);
        }
      }
    }
    if (job.expiresAt != null && waits(job)) {
      expiring.add(job.expiresAt, job);
    }
  }

  private void leave(JobEntry job) {
    job.lane.count(job.state, -1);
    if (flow.count(job, -1)) {
      hints.work();
    }
    switch (job.state) {
      case PENDING -> lanes.removeReady(job);
      case SCHEDULED, RETRYING -> lanes.removeLater(job);
      case RUNNING -> {
        running.remove(job.id);
        Objects.requireNonNull(job.hold).worker().held.remove(job);
      }
      case COMPLETED, FAILED, DEAD, CANCELLED -> {
        if (job.needed == 0) {
          kept.remove(Objects.requireNonNull(job.ending).keepUntil(), job);
        }
      }
    }
    if (job.expiresAt != null && waits(job)) {
      expiring.remove(job.expiresAt, job);
    }
  }

  private static boolean waits(JobEntry job) {
    return !job.state.isFinal() && job.state != JobState.RUNNING;
  }

  // ---- who needs whom

  /** Notes that a job needs its predecessors, or, with -1, that it does so no longer. */
  void need(JobEntry job, int change) {
    for (Tie tie : job.ties) {
      JobEntry before = jobs.get(tie.from);
      BatchEntry batch = before == null ? links.batch(tie.from) : null;
      if (before != null) {
        needed(before, change);
      } else if (batch != null) {
        batch.needed += change;
      }
    }
  }

  /** A job that is over and needed is in no index of those that may go. */
  private void needed(JobEntry job, int change) {
    boolean was = job.needed > 0;
    job.needed += change;
    boolean is = job.needed > 0;
    if (job.ending != null && was != is) {
      Instant keepUntil = job.ending.keepUntil();
      if (is) {
        kept.remove(keepUntil, job);
      } else {
        kept.add(keepUntil, job);
      }
    }
  }

  /** True when a job or a batch is over and did not complete. */
  boolean hasFailed(UUID id, Instant now) {
    JobEntry job = find(id, now);
    BatchEntry batch = job == null ? links.find(id, now) : null;
    JobState state = job != null ? job.state : batch != null ? batch.state() : JobState.COMPLETED;
    return state.isFinal() && state != JobState.COMPLETED;
  }

  // ---- looking

  /** The job, unless its time of keeping is over. */
  @Nullable
  JobEntry find(UUID id, Instant now) {
    JobEntry job = jobs.get(id);
    return job == null || job.isPast(now) ? null : job;
  }

  /** The job, be it past its keeping. */
  @Nullable
  JobEntry job(UUID id) {
    return jobs.get(id);
  }

  /** The job of a claim that stands; null when the claim is over. */
  @Nullable
  JobEntry held(ClaimRef ref) {
    JobEntry job = running.get(ref.job());
    return job != null && job.ref().equals(ref) ? job : null;
  }

  /** Moves the end of every lease: time was set forward and did not pass. */
  void moveLeases(Duration by) {
    workers.all().forEach(worker -> worker.moveLease(by));
    for (JobEntry job : running.values()) {
      if (job.hold != null) {
        job.hold = job.hold.moved(by);
      }
    }
  }

  Collection<JobEntry> running() {
    return running.values();
  }

  /** Who has the key, be it past its keeping. */
  @Nullable
  JobEntry owner(JobKey key) {
    return keys.get(key);
  }

  boolean contains(UUID id) {
    return jobs.containsKey(id);
  }

  int size() {
    return jobs.size();
  }

  /** Every job, newest first; those before the given one only, if there is one. */
  Iterable<JobEntry> newestFirst(@Nullable UUID before) {
    NavigableMap<UUID, JobEntry> older = before == null ? jobs : jobs.headMap(before, false);
    return older.descendingMap().values();
  }

  Collection<JobEntry> all() {
    return jobs.values();
  }

  /** Finished jobs whose time of keeping is over and that nobody needs. */
  List<JobEntry> past(Instant now, int max) {
    return kept.due(now, max);
  }

  /** How many jobs are over and needed by none that is not. */
  int finished() {
    return kept.size();
  }

  /** Finished jobs, those first whose time of keeping ends first. */
  List<JobEntry> finishedFirst(int max) {
    return kept.due(Instant.MAX, max);
  }

  /** Waiting jobs whose own expiry has passed. */
  List<JobEntry> expired(Instant now, int max) {
    return expiring.due(now, max);
  }

  // ---- hints

  Hints hints() {
    return hints;
  }

  /** The hints gathered since the last call. */
  Hints takeHints() {
    Hints gathered = hints;
    hints = new Hints();
    return gathered;
  }
}
