package io.sluice.memory;

import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that run one after the other, as they came in, whatever the clocks of those who sent them say: those
 * that are ready, that run, and that wait to go on.
 */
final class OrderEntry {
  private static final Comparator<JobEntry> BY_AGE = Comparator.comparingLong(job -> job.sequence);

  private final TreeSet<JobEntry> ready = new TreeSet<>(BY_AGE);
  private final TreeSet<JobEntry> running = new TreeSet<>(BY_AGE);
  /** Jobs that ran before and wait for their time. */
  private final TreeSet<JobEntry> interrupted = new TreeSet<>(BY_AGE);

  void count(JobEntry job, int change) {
    switch (job.state) {
      case PENDING -> count(ready, job, change);
      case RUNNING -> count(running, job, change);
      case SCHEDULED, RETRYING -> {
        if (job.turn > 0 && job.wait == null) {
          count(interrupted, job, change);
        }
      }
      case COMPLETED, FAILED, DEAD, CANCELLED -> {
        // What is over holds up nobody.
      }
    }
  }

  private static void count(Set<JobEntry> jobs, JobEntry job, int change) {
    if (change > 0) {
      jobs.add(job);
    } else {
      jobs.remove(job);
    }
  }

  /** The job that may start now; null when none may. */
  @Nullable
  JobEntry next() {
    return !running.isEmpty() || !interrupted.isEmpty() || ready.isEmpty() ? null : ready.first();
  }

  /** The job that all others wait for: one that runs or goes on later, else the next. */
  @Nullable
  JobEntry first() {
    return Stream.of(running, interrupted, ready)
        .filter(jobs -> !jobs.isEmpty())
        .map(TreeSet::first)
        .findFirst()
        .orElse(null);
  }

  /** How many ready jobs are older; no more than so many are counted. */
  long ahead(JobEntry job, int most) {
    return ready.headSet(job).stream().limit(most).count();
  }

  boolean isEmpty() {
    return ready.isEmpty() && running.isEmpty() && interrupted.isEmpty();
  }
}
