package io.sluice.store;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Which jobs and batches are over no longer once a job runs again: the batches around each of them, and
 * those cancelled because of one of them, as far as no other of their predecessors has failed. One that
 * waits for several of them comes back with the last. Each link is looked at twice, however long the way is.
 */
public final class Comeback {
  /** A job that was cancelled because of some of those it names, nearly always one. */
  public record Cancelled(UUID id, List<UUID> after, Set<UUID> because) {}

  private final Map<UUID, UUID> homes;
  private final Predicate<UUID> failed;
  private final Map<UUID, Collection<Cancelled>> behind = new HashMap<>();
  /** How many predecessors that failed keep a job from coming back. */
  private final Map<UUID, Integer> against = new HashMap<>();

  private final Set<UUID> back = new LinkedHashSet<>();
  private final Deque<UUID> next = new ArrayDeque<>();

  /** Among these jobs; {@code homes} says of jobs and batches which batch they are in. */
  public Comeback(Collection<Cancelled> candidates, Map<UUID, UUID> homes, Predicate<UUID> failed) {
    this.homes = homes;
    this.failed = failed;
    for (Cancelled job : candidates) {
      for (UUID one : job.after()) {
        behind.computeIfAbsent(one, id -> new ArrayDeque<>()).add(job);
        if (failed.test(one)) {
          against.merge(job.id(), 1, Integer::sum);
        }
      }
    }
  }

  /** The job that runs again, and the jobs and batches that come back with it, in some order after it. */
  public Set<UUID> with(UUID job) {
    comesBack(job);
    while (!next.isEmpty()) {
      UUID one = next.removeFirst();
      UUID home = homes.get(one);
      if (home != null) {
        comesBack(home);
      }
      boolean stoodAgainst = failed.test(one);
      for (Cancelled waiting : behind.getOrDefault(one, List.of())) {
        if (stoodAgainst) {
          against.merge(waiting.id(), -1, Integer::sum);
        }
        if (against.getOrDefault(waiting.id(), 0) == 0
            && waiting.because().stream().anyMatch(back::contains)) {
          comesBack(waiting.id());
        }
      }
    }
    return back;
  }

  private void comesBack(UUID id) {
    if (back.add(id)) {
      next.add(id);
    }
  }
}
