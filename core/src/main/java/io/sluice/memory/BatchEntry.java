package io.sluice.memory;

import io.sluice.BatchCounts;
import io.sluice.BatchRecord;
import io.sluice.JobState;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A batch, the members of it that are not over, and how many of the others ended how. */
final class BatchEntry {
  final BatchFacts facts;
  final Set<UUID> unfinished = new HashSet<>();
  boolean open;
  long completed;
  long failed;
  long cancelled;
  /** How many jobs that are not over name it. */
  int needed;

  @Nullable
  Ending ending;

  BatchEntry(BatchFacts facts, boolean open) {
    this.facts = facts;
    this.open = open;
  }

  /** Counts a member that ended so, or, with -1, one that is over no longer. */
  void count(UUID member, JobState state, int change) {
    if (change > 0) {
      unfinished.remove(member);
    } else {
      unfinished.add(member);
    }
    switch (state) {
      case COMPLETED -> completed += change;
      case FAILED, DEAD -> failed += change;
      case CANCELLED -> cancelled += change;
      case SCHEDULED, PENDING, RUNNING, RETRYING ->
        throw new IllegalStateException("member " + member + " is " + state + " and not over");
    }
  }

  boolean mayEnd() {
    return ending == null && !open && unfinished.isEmpty();
  }

  boolean isOver() {
    return ending != null;
  }

  boolean isPast(Instant now) {
    return ending != null && needed == 0 && ending.isOver(now);
  }

  /** What it is for those that wait for it. */
  JobState state() {
    return isOver() ? counts().outcome() : JobState.RUNNING;
  }

  BatchCounts counts() {
    long total = unfinished.size() + completed + failed + cancelled;
    return new BatchCounts(total, completed, failed, cancelled);
  }

  BatchRecord asRecord() {
    return new BatchRecord(
        facts.id(),
        facts.tenant(),
        facts.name(),
        facts.parent(),
        facts.callback(),
        counts(),
        open,
        facts.createdAt(),
        ending == null ? null : ending.at());
  }
}
