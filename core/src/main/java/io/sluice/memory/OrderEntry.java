package io.sluice.memory;

import io.sluice.Uuid7;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Jobs that run one after the other: those that are ready by age, and how many run or wait to go on. */
final class OrderEntry {
  private final TreeSet<JobEntry> ready =
      new TreeSet<>(Comparator.comparing(job -> job.id, Uuid7.ORDER));
  private int running;
  /** Jobs that ran before and wait for their time. */
  private int interrupted;

  void count(JobEntry job, int change) {
    switch (job.state) {
      case PENDING -> {
        if (change > 0) {
          ready.add(job);
        } else {
          ready.remove(job);
        }
      }
      case RUNNING -> running += change;
      case SCHEDULED, RETRYING -> interrupted += job.turn > 0 ? change : 0;
      case COMPLETED, FAILED, DEAD, CANCELLED -> {
        // What is over holds up nobody.
      }
    }
  }

  /** The job that may start now; null when none may. */
  @Nullable
  JobEntry next() {
    return running > 0 || interrupted > 0 || ready.isEmpty() ? null : ready.first();
  }

  boolean isEmpty() {
    return ready.isEmpty() && running == 0 && interrupted == 0;
  }
}
