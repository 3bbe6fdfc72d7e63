package io.sluice.server.urlgroup;

import io.sluice.ErrorClass;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What this instance saw of one group and did not forget yet: the figures of the last minutes, how it goes
 * since the last success, and the newest deliveries that are not written yet.
 */
final class Tally {
  /** So many delivered ones, and so many that failed, are kept from one writing to the next. */
  private static final int RECENT = 10;

  /** The figures of one minute. */
  static final class Minute {
    private long delivered;
    private long failed;
    private final Map<ErrorClass, Long> classes = new EnumMap<>(ErrorClass.class);
    private final Latencies latencies = new Latencies();
    private boolean dirty;

    private void add(Seen seen) {
      dirty = true;
      if (seen.failure() == null) {
        delivered++;
      } else {
        failed++;
        classes.merge(seen.failure().errorClass(), 1L, Long::sum);
      }
      if (seen.hasLatency()) {
        latencies.add(seen.durationMs());
      }
    }
  }

  /** The figures of a minute as they are written. */
  record Figures(
      Instant minute, long delivered, long failed, Map<ErrorClass, Long> classes, String latency) {}

  /**
   * How it goes in an epoch, by the nano clock.
   *
   * @param failures since the last success
   */
  record Run(int epoch, @Nullable Long success, @Nullable Long failure, long failures) {
    Run plus(boolean well, long now) {
      return well
          ? new Run(epoch, now, null, 0)
          : new Run(epoch, success, failure == null ? Long.valueOf(now) : failure, failures + 1);
    }

    /** This one, and what came after it. */
    Run then(@Nullable Run next) {
      if (next == null || next.epoch > epoch) {
        return next == null ? this : next;
      }
      return next.success != null
          ? next
          : new Run(
              epoch, success, failure == null ? next.failure : failure, failures + next.failures);
    }
  }

  /** What is to be written. */
  record Taken(UUID group, List<Figures> minutes, @Nullable Run run, List<Seen> recent) {}

  private final UUID group;
  private final TreeMap<Instant, Minute> minutes = new TreeMap<>();
  private final Deque<Seen> delivered = new ArrayDeque<>();
  private final Deque<Seen> failed = new ArrayDeque<>();
  private @Nullable Run run;

  Tally(UUID group) {
    this.group = group;
  }

  /** Takes note of an attempt that began in this epoch and ended now. */
  synchronized void add(int epoch, Seen seen, long now) {
    minutes
        .computeIfAbsent(seen.at().truncatedTo(ChronoUnit.MINUTES), minute -> new Minute())
        .add(seen);
    Run known = run == null || run.epoch < epoch ? new Run(epoch, null, null, 0) : run;
    if (known.epoch == epoch) {
      run = known.plus(seen.isWell(), now);
    }
    keep(seen.failure() == null ? delivered : failed, seen);
  }

  private static void keep(Deque<Seen> ring, Seen seen) {
    if (ring.size() == RECENT) {
      ring.removeFirst();
    }
    ring.addLast(seen);
  }

  /** Takes what was not written yet. */
  synchronized Taken take() {
    List<Figures> figures = new ArrayList<>();
    minutes.forEach((time, minute) -> {
      if (minute.dirty) {
        minute.dirty = false;
        figures.add(new Figures(
            time,
            minute.delivered,
            minute.failed,
            Map.copyOf(minute.classes),
            minute.latencies.text()));
      }
    });
    List<Seen> recent = new ArrayList<>(delivered);
    recent.addAll(failed);
    recent.sort((a, b) -> a.at().compareTo(b.at()));
    delivered.clear();
    failed.clear();
    Run taken = run;
    run = null;
    return new Taken(group, figures, taken, recent);
  }

  /** Takes back what could not be written. */
  synchronized void putBack(Taken taken) {
    for (Figures figures : taken.minutes) {
      Minute minute = minutes.get(figures.minute);
      if (minute != null) {
        minute.dirty = true;
      }
    }
    run = taken.run == null ? run : taken.run.then(run);
    for (Seen seen : taken.recent.reversed()) {
      Deque<Seen> ring = seen.failure() == null ? delivered : failed;
      if (ring.size() < RECENT) {
        ring.addFirst(seen);
      }
    }
  }

  /** Forgets minutes that are over and written; true where nothing is left. */
  synchronized boolean forget(Instant before) {
    minutes
        .headMap(before.truncatedTo(ChronoUnit.MINUTES))
        .values()
        .removeIf(minute -> !minute.dirty);
    return minutes.isEmpty() && run == null && delivered.isEmpty() && failed.isEmpty();
  }
}
