package io.sluice.crashtest;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How soon the jobs of a dead worker run again. Judged where that was possible: where another worker and
 * the database were well all the time, and nothing befell the worker that had the job next. Not judged is a
 * job that was in more than three deaths in a row: engines then wait longer than two leases to have it alone;
 * nor is one that may wait for its limit.
 */
final class RecoveryCheck {
  private static final int DEATHS = 3;

  private final Timeline timeline;
  private final Map<UUID, Row> rows;
  private final Duration lease;
  private final List<Finding> findings;
  private Duration worst = Duration.ZERO;
  private Duration worstJudged = Duration.ZERO;
  private long measured;
  private long judged;
  private long oftenSuspect;

  RecoveryCheck(Timeline timeline, Map<String, Row> rows, Duration lease, List<Finding> findings) {
    this.timeline = timeline;
    this.rows = rows.values().stream().collect(Collectors.toMap(Row::job, Function.identity()));
    this.lease = lease;
    this.findings = findings;
  }

  void check() {
    Map<String, Long> deaths = timeline.incidents().deaths();
    timeline.runs().forEach((job, runs) -> {
      for (int i = 1; i < runs.size(); i++) {
        Timeline.Run run = runs.get(i - 1);
        Long death = deaths.get(run.who());
        Row row = rows.get(job);
        if (death != null && death >= run.at() && row != null && !row.records(run)) {
          measure(run, runs.get(i), death, row);
        }
      }
    });
    checkLeases();
  }

  private void measure(Timeline.Run run, Timeline.Run next, long death, Row row) {
    if (next.at() <= death) {
      return; // taken over before its worker died
    }
    Duration time = Duration.ofNanos(next.at() - death);
    measured++;
    worst = max(worst, time);
    // A turn that is not seen was claimed by somebody who never got to start it.
    boolean seen = next.turn() == run.turn() + 1;
    boolean waits = row.work() != null && row.work().isLimited();
    boolean possible = timeline.somebodyIsWell(run.who(), death, until(death, next.at()))
        && timeline.incidents().isHealthy(next.who(), death, next.at());
    if (!seen || waits || !possible) {
      return;
    }
    if (run.turn() - lastOutcome(run, row) > DEATHS) {
      oftenSuspect++;
      return;
    }
    judged++;
    worstJudged = max(worstJudged, time);
    Duration limit = lease.multipliedBy(2);
    if (time.compareTo(limit) > 0) {
      findings.add(new Finding(
          Finding.Kind.SLOW_RECOVERY,
          time.toMillis() + " ms, at most " + limit.toMillis() + ": " + run + ", " + next));
    }
  }

  /** The turn of the last attempt before this run that ended by itself: no death before it counts. */
  private static int lastOutcome(Timeline.Run run, Row row) {
    return row.failures().stream()
        .filter(failure -> failure.run() != null && failure.turn() < run.turn())
        .mapToInt(Row.Failure::turn)
        .max()
        .orElse(0);
  }

  private long until(long death, long next) {
    return Math.min(next, death + 2 * lease.toNanos());
  }

  /** A claim that outlived its lease by a lease, while somebody could have ended it. */
  private void checkLeases() {
    Map<UUID, Long> seen = new HashMap<>();
    for (Entry.Overdue overdue : timeline.overdue()) {
      long from = overdue.at() - 2 * lease.toNanos();
      Optional<String> able = timeline.workersReadyAt(from).stream()
          .filter(worker -> timeline.incidents().isHealthy(worker, from, overdue.at()))
          .findFirst();
      if (able.isPresent() && seen.put(overdue.job(), overdue.at()) == null) {
        findings.add(new Finding(
            Finding.Kind.DEAD_LEASE,
            "job " + overdue.job() + " was claimed " + overdue.millis()
                + " ms after its lease had ended, and " + able.get() + " was well"));
      }
    }
  }

  void figures(Map<String, String> figures) {
    figures.put("jobs of killed workers that ran again", String.valueOf(measured));
    figures.put("  judged: another worker was well", String.valueOf(judged));
    figures.put("  not judged after a fourth death", String.valueOf(oftenSuspect));
    figures.put("worst time from death to next run", worstJudged.toMillis() + " ms");
    figures.put("  with further faults meanwhile", worst.toMillis() + " ms");
    figures.put("two leases", lease.multipliedBy(2).toMillis() + " ms");
  }

  private static Duration max(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
