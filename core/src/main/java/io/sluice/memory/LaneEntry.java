package io.sluice.memory;

import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.store.LaneFlow;
import io.sluice.store.Standing;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
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

  private final NavigableMap<Integer, Fifo> ready = new TreeMap<>();
  private final Deque<End> ends = new ArrayDeque<>(1);
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

  /** Its priorities that have ready jobs. */
  Stream<Fifo> filled() {
    return ready.values().stream().filter(fifo -> !fifo.isEmpty());
  }

  /** The jobs that wait, those that are ready first. */
  Stream<JobEntry> waiting() {
    return Stream.concat(ready.values().stream().flatMap(Fifo::jobs), later.jobs());
  }

  /** How many ready jobs go before one that is ready; no more than so many are counted. */
  long ahead(JobEntry job, int most) {
    return ready.headMap(job.priority(), true).values().stream()
        .flatMap(Fifo::jobs)
        .takeWhile(other -> other != job)
        .limit(most)
        .count();
  }

  /** When a job ended that was enqueued then. */
  record End(Instant at, Instant created) {}

  /** Notes that a job came to an end of its own. */
  void ended(End end) {
    if (ends.size() == Standing.MOST_ENDED) {
      ends.removeFirst();
    }
    ends.addLast(end);
  }

  /** When jobs of the lane ended, the newest so many, oldest first. */
  Collection<End> ends() {
    return ends;
  }

  void count(JobState state, long change) {
    counts.computeIfAbsent(state, s -> new Tally()).jobs += change;
    total += change;
    if (!state.isFinal()) {
      queue.unfinished += change;
      queue.tenant.unfinished += change;
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
