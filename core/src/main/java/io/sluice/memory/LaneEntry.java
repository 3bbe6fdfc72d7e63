package io.sluice.memory;

import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.store.LaneFlow;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A lane: its ready jobs by priority, its later ones by time, and a count for every state. */
final class LaneEntry {
  /** A count that changes in place, three times in the life of every job. */
  private static final class Tally {
    private long jobs;
  }

  final int id;
  final Lane lane;
  final QueueEntry queue;
  final Timeline later = new Timeline();
  /** What it is under by the rules of now. */
  LaneFlow flow;

  private final Map<Integer, Fifo> ready = new TreeMap<>();
  private final Map<JobState, Tally> counts = new EnumMap<>(JobState.class);
  private long total;

  LaneEntry(int id, Lane lane, QueueEntry queue, LaneFlow flow) {
    this.id = id;
    this.lane = lane;
    this.queue = queue;
    this.flow = flow;
  }

  Fifo ready(int priority) {
    return ready.computeIfAbsent(priority, p -> new Fifo(this, p));
  }

  /** As {@link #ready(int)}, but null where there never was a job. */
  @Nullable
  Fifo known(int priority) {
    return ready.get(priority);
  }

  /** The jobs that wait, those that are ready first. */
  Stream<JobEntry> waiting() {
    return Stream.concat(ready.values().stream().flatMap(Fifo::jobs), later.jobs());
  }

  void count(JobState state, long change) {
    counts.computeIfAbsent(state, s -> new Tally()).jobs += change;
    total += change;
    if (!state.isFinal()) {
      queue.unfinished += change;
      queue.tenant.unfinished += change;
    }
    if (state == JobState.RUNNING) {
      queue.running += (int) change;
    }
  }

  long count(JobState state) {
    Tally tally = counts.get(state);
    return tally == null ? 0 : tally.jobs;
  }

  boolean isEmpty() {
    return total == 0;
  }
}
