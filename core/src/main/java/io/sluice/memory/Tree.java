package io.sluice.memory;

import io.sluice.JobState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A batch and the batches in it that are not over, however deep. */
final class Tree {
  private static final List<Set<JobState>> IN_TURN = List.of(
      EnumSet.of(JobState.SCHEDULED, JobState.RETRYING),
      EnumSet.of(JobState.PENDING),
      EnumSet.of(JobState.RUNNING));

  private final Shelf shelf;
  private final Map<UUID, BatchEntry> batches = new LinkedHashMap<>();

  Tree(Shelf shelf, UUID root) {
    this.shelf = shelf;
    Deque<UUID> next = new ArrayDeque<>(List.of(root));
    while (!next.isEmpty()) {
      UUID id = next.removeFirst();
      BatchEntry batch = shelf.links.batch(id);
      if (batch != null && batches.put(id, batch) == null) {
        next.addAll(batch.unfinished);
      }
    }
  }

  Collection<BatchEntry> batches() {
    return batches.values();
  }

  /** Jobs in it that are not over: some that wait, with those that wait for them, or ready, or running. */
  List<UUID> unfinished(int max) {
    for (Set<JobState> states : IN_TURN) {
      List<UUID> some = batches.values().stream()
          .flatMap(batch -> batch.unfinished.stream())
          .filter(id -> isIn(shelf.job(id), states))
          .limit(max)
          .toList();
      if (!some.isEmpty()) {
        return withThoseBehind(some);
      }
    }
    return List.of();
  }

  private static boolean isIn(@Nullable JobEntry job, Set<JobState> states) {
    return job != null && states.contains(job.state);
  }

  private List<UUID> withThoseBehind(List<UUID> some) {
    List<UUID> all = new ArrayList<>();
    for (UUID id : new Behind(shelf, some).ids()) {
      JobEntry job = shelf.job(id);
      if (job != null && batches.containsKey(job.spec.ties().batch())) {
        all.add(id);
      }
    }
    return all;
  }
}
