package io.sluice.memory;

import io.sluice.Uuid7;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Jobs in the order of a moment of theirs, and by id where it is the same. */
final class Timeline {
  private record Slot(Instant at, JobEntry job) implements Comparable<Slot> {
    @Override
    public int compareTo(Slot other) {
      int time = at.compareTo(other.at);
      return time != 0 ? time : Uuid7.ORDER.compare(job.id, other.job.id);
    }
  }

  private final TreeSet<Slot> slots = new TreeSet<>();

  void add(Instant at, JobEntry job) {
    slots.add(new Slot(at, job));
  }

  void remove(Instant at, JobEntry job) {
    slots.remove(new Slot(at, job));
  }

  /** The first moment there is, or null when there is none. */
  @Nullable
  Instant next() {
    return slots.isEmpty() ? null : slots.first().at();
  }

  int size() {
    return slots.size();
  }

  boolean isDue(Instant now) {
    return !slots.isEmpty() && !slots.first().at().isAfter(now);
  }

  JobEntry first() {
    return slots.first().job();
  }

  Stream<JobEntry> jobs() {
    return slots.stream().map(Slot::job);
  }

  /** At most so many of the jobs whose moment has come, in order. */
  List<JobEntry> due(Instant now, int max) {
    List<JobEntry> due = new ArrayList<>();
    for (Slot slot : slots) {
      if (due.size() >= max || slot.at().isAfter(now)) {
        break;
      }
      due.add(slot.job());
    }
    return due;
  }
}
