package io.sluice.memory;

import io.sluice.CancelResult;
import io.sluice.JobState;
import io.sluice.WaitingJobs;
import io.sluice.store.CancelledJob;
import io.sluice.store.Promotion;
import io.sluice.store.Strikes;
import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** What people and the engine's duties do with jobs that no worker holds, or that one must let go. */
final class Upkeep {
  static final String EXPIRED = "expired";

  private final Shelf shelf;
  private final Instant now;

  Upkeep(Shelf shelf, Instant now) {
    this.shelf = shelf;
    this.now = now;
  }

  CancelResult cancel(UUID id, String reason, Duration keepFor) {
    JobEntry job = shelf.find(id, now);
    if (job == null) {
      return CancelResult.NOT_FOUND;
    }
    if (job.state.isFinal()) {
      return CancelResult.ALREADY_FINISHED;
    }
    cancel(job, reason, keepFor);
    new Waking(shelf, now).ended(job);
    return CancelResult.CANCELLED;
  }

  List<CancelledJob> cancelAll(List<UUID> ids, String reason) {
    List<JobEntry> jobs = ids.stream()
        .distinct()
        .map(id -> shelf.find(id, now))
        .filter(Objects::nonNull)
        .filter(job -> !job.state.isFinal())
        .toList();
    jobs.forEach(job -> cancel(job, reason, job.lane.queue.retention().of(JobState.CANCELLED)));
    new Waking(shelf, now).ended(jobs);
    return jobs.stream()
        .map(job -> new CancelledJob(job.id, job.lane.lane, job.attempt))
        .toList();
  }

  private void cancel(JobEntry job, String reason, Duration keepFor) {
    if (job.state == JobState.RUNNING) {
      shelf.hints().cancelled(job.id);
    }
    shelf.end(job, JobState.CANCELLED, Ending.of(now, keepFor, null, reason));
  }

  List<UUID> cancelWaiting(WaitingJobs which, String reason, Duration keepFor, int max) {
    List<JobEntry> waiting = shelf.lanes.all().stream()
        .filter(lane -> which.include(lane.lane))
        .flatMap(LaneEntry::waiting)
        .limit(max)
        .toList();
    Ending ending = Ending.of(now, keepFor, null, reason);
    waiting.forEach(job -> shelf.end(job, JobState.CANCELLED, ending));
    new Waking(shelf, now).ended(waiting);
    return waiting.stream().map(job -> job.id).toList();
  }

  boolean replay(UUID id) {
    JobEntry job = shelf.find(id, now);
    if (job == null || !job.state.isReplayable()) {
      return false;
    }
    if (job.expiresAt != null && !job.expiresAt.isAfter(now)) {
      // Whoever runs an expired job again wants it all the same.
      job.expiresAt = null;
    }
    job.attempt = 0;
    job.strikes = Strikes.NONE;
    job.replays++;
    job.startedAt = null;
    job.progress = null;
    job.ties.forEach(tie -> tie.broke = false);
    JobState was = job.state;
    shelf.ready(job, now);
    new Waking(shelf, now).reopened(job, was);
    return true;
  }

  boolean hurry(UUID id) {
    JobEntry job = shelf.find(id, now);
    if (job == null || job.turn == 0 || job.wait != null) {
      return false;
    }
    if (job.state != JobState.RETRYING && job.state != JobState.SCHEDULED) {
      return false;
    }
    shelf.ready(job, now);
    return true;
  }

  boolean delete(UUID id) {
    JobEntry job = shelf.find(id, now);
    if (job == null || !job.state.isFinal() || job.needed > 0) {
      return false;
    }
    shelf.drop(job);
    return true;
  }

  Promotion promote(int max) {
    Deque<LaneEntry> due = shelf.lanes.due(now);
    int moved = 0;
    while (moved < max && !due.isEmpty()) {
      LaneEntry lane = due.removeFirst();
      shelf.ready(lane.later.first(), now);
      shelf.lanes.served(lane);
      moved++;
      if (lane.later.isDue(now)) {
        due.addLast(lane);
      }
    }
    Instant next = shelf.lanes.nextDue();
    if (next == null) {
      return new Promotion(moved, null);
    }
    return new Promotion(moved, next.isAfter(now) ? Duration.between(now, next) : Duration.ZERO);
  }

  List<UUID> expire(int max) {
    List<JobEntry> expired = shelf.expired(now, max);
    for (JobEntry job : expired) {
      Duration keepFor = job.lane.queue.retention().of(JobState.CANCELLED);
      shelf.end(job, JobState.CANCELLED, Ending.of(now, keepFor, null, EXPIRED));
    }
    new Waking(shelf, now).ended(expired);
    return expired.stream().map(job -> job.id).toList();
  }

  int purge(int max) {
    shelf.flow.purge(now);
    shelf.links.purge(now);
    List<JobEntry> past = shelf.past(now, max);
    past.forEach(shelf::drop);
    return past.size();
  }
}
