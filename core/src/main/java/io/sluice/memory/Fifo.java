package io.sluice.memory;

import io.sluice.Uuid7;
import io.sluice.store.LaneHead;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The ready jobs of one lane and priority, by id. Sorted and not merely appended to, since a job that
 * comes back for another attempt keeps its place among those that came after it.
 */
final class Fifo {
  private final LaneEntry lane;
  private final int priority;
  private final TreeSet<JobEntry> jobs =
      new TreeSet<>(Comparator.comparing(job -> job.id, Uuid7.ORDER));

  Fifo(LaneEntry lane, int priority) {
    this.lane = lane;
    this.priority = priority;
  }

  void add(JobEntry job) {
    jobs.add(job);
  }

  void remove(JobEntry job) {
    jobs.remove(job);
  }

  JobEntry first() {
    return jobs.first();
  }

  boolean isEmpty() {
    return jobs.isEmpty();
  }

  Stream<JobEntry> jobs() {
    return jobs.stream();
  }

  LaneHead head() {
    return new LaneHead(lane.id, lane.lane, priority, first().id);
  }
}
