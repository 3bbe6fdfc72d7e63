package io.sluice.memory;

import io.sluice.JobState;
import io.sluice.store.Comeback;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The return of jobs that were cancelled because of one that runs again, or of a batch that it is in. */
final class Revival {
  private final Shelf shelf;
  private final Instant now;
  private final Map<UUID, JobEntry> cancelled = new LinkedHashMap<>();
  private final Set<UUID> around = new HashSet<>();
  private final Map<UUID, UUID> homes = new HashMap<>();

  Revival(Shelf shelf, Instant now) {
    this.shelf = shelf;
    this.now = now;
  }

  /** Brings them back, and returns them after the job, which is over no longer. */
  List<UUID> of(JobEntry replayed) {
    gather(replayed);
    List<Comeback.Cancelled> candidates =
        cancelled.values().stream().map(Revival::candidate).toList();
    List<UUID> back = new ArrayList<>(List.of(replayed.id));
    List<JobEntry> jobs = new ArrayList<>();
    new Comeback(candidates, homes, id -> shelf.hasFailed(id, now))
        .with(replayed.id)
        .forEach(id -> {
          JobEntry job = cancelled.get(id);
          if (job != null) {
            back.add(id);
            jobs.add(job);
          }
        });
    jobs.forEach(this::bringBack);
    new Waking(shelf, now).begun(jobs);
    return back;
  }

  /** Finds all that was cancelled because of the job, of a batch around it, or of one of these. */
  private void gather(JobEntry replayed) {
    Deque<UUID> next = new ArrayDeque<>(List.of(replayed.id));
    settle(replayed.id, replayed.spec.ties().batch(), next);
    while (!next.isEmpty()) {
      for (Tie tie : shelf.links.behind(next.removeFirst())) {
        JobEntry job = tie.to;
        boolean broken = tie.broke && job.state == JobState.CANCELLED && !job.isPast(now);
        if (broken && cancelled.putIfAbsent(job.id, job) == null) {
          next.add(job.id);
          settle(job.id, job.spec.ties().batch(), next);
        }
      }
    }
  }

  /** Notes which batch a member is in, and so on upwards. */
  private void settle(UUID member, @Nullable UUID home, Deque<UUID> next) {
    UUID inner = member;
    BatchEntry batch = shelf.links.batch(home);
    boolean unseen = true;
    while (batch != null && unseen) {
      UUID id = batch.facts.id();
      homes.put(inner, id);
      unseen = around.add(id);
      if (unseen) {
        next.add(id);
      }
      inner = id;
      batch = shelf.links.batch(batch.facts.parent());
    }
  }

  private static Comeback.Cancelled candidate(JobEntry job) {
    return new Comeback.Cancelled(
        job.id,
        job.ties.stream().map(tie -> tie.from).toList(),
        job.ties.stream()
            .filter(tie -> tie.broke)
            .map(tie -> tie.from)
            .collect(Collectors.toUnmodifiableSet()));
  }

  private void bringBack(JobEntry job) {
    JobState was = job.state;
    for (Tie tie : job.ties) {
      tie.open = true;
      tie.broke = false;
    }
    shelf.bind(job, new Wait(job.ties.size(), 0, job.plannedFor), now);
    new Waking(shelf, now).reopened(job, was);
  }
}
