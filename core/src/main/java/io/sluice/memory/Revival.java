package io.sluice.memory;

import io.sluice.JobState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The return of jobs that were cancelled because of one that was replayed. */
final class Revival {
  private final Shelf shelf;
  private final Instant now;

  Revival(Shelf shelf, Instant now) {
    this.shelf = shelf;
    this.now = now;
  }

  List<UUID> of(UUID replayed) {
    Map<UUID, JobEntry> chosen = cancelledBecauseOf(replayed);
    boolean fewer;
    do {
      // One that stays cancelled takes those with it that wait for it.
      fewer = chosen.values().removeIf(job -> hasFailed(job, chosen));
    } while (fewer);
    Collection<JobEntry> jobs = chosen.values();
    jobs.forEach(this::bringBack);
    new Waking(shelf, now).begun(jobs);
    return new ArrayList<>(chosen.keySet());
  }

  private Map<UUID, JobEntry> cancelledBecauseOf(UUID replayed) {
    Map<UUID, JobEntry> found = new LinkedHashMap<>();
    Deque<UUID> next = new ArrayDeque<>(List.of(replayed));
    while (!next.isEmpty()) {
      for (Tie tie : shelf.links.behind(next.removeFirst())) {
        boolean cancelled = tie.broke && tie.to.state == JobState.CANCELLED;
        if (cancelled && !tie.to.isPast(now) && found.put(tie.to.id, tie.to) == null) {
          next.add(tie.to.id);
        }
      }
    }
    return found;
  }

  private boolean hasFailed(JobEntry job, Map<UUID, JobEntry> chosen) {
    return job.ties.stream()
        .filter(tie -> !chosen.containsKey(tie.from))
        .anyMatch(tie -> shelf.hasFailed(tie.from, now));
  }

  private void bringBack(JobEntry job) {
    JobState was = job.state;
    for (Tie tie : job.ties) {
      tie.open = true;
      tie.broke = false;
    }
    shelf.bind(job, new Wait(job.ties.size(), 0, null), now);
    new Waking(shelf, now).reopened(job, was);
  }
}
