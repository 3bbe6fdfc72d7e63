package io.sluice.crashtest;

import io.sluice.JobState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * What a failover to a standby that is behind may do, and what not. It may lose what the standby lacked, and run
 * again what the standby did not know to be over. It may not do so to anything else, nor take an outcome from a
 * claim of the old server once the new one has given the job to somebody, nor leave an engine without work.
 */
final class FailoverCheck {
  private final Failover failover;
  private final Timeline timeline;
  private final Map<String, Row> had = new HashMap<>();
  private final Map<String, Row> rows = new HashMap<>();
  /** When each job was sent the last time: its answer may come from the primary and be noted after its death. */
  private final Map<String, Long> sent = new HashMap<>();

  private final List<Finding> findings = new ArrayList<>();
  private long lost;
  private long again;
  private long underTwoClaims;
  private Duration back = Duration.ZERO;

  private FailoverCheck(Failover failover) {
    this.failover = failover;
    this.timeline = new Timeline(failover.history());
    failover.had().forEach(row -> had.put(row.key(), row));
    failover.rows().forEach(row -> rows.put(row.key(), row));
    for (Entry entry : failover.history()) {
      if (entry instanceof Entry.Invoke invoke) {
        sent.put(invoke.key(), invoke.at());
      }
    }
  }

  static Report check(Failover failover) {
    return new FailoverCheck(failover).check();
  }

  private Report check() {
    timeline.acknowledged().forEach(this::checkThere);
    failover.rows().forEach(this::checkRow);
    failover.workers().forEach(this::checkBack);
    return new Report(findings, figures());
  }

  private void found(Finding.Kind kind, String key, String text) {
    findings.add(new Finding(kind, key + ": " + text));
  }

  private void checkThere(String key) {
    Row row = rows.get(key);
    if (row != null && row.isOver()) {
      return;
    }
    boolean lacked = !had.containsKey(key) && !isAfterwards(sent.getOrDefault(key, Long.MAX_VALUE));
    if (row == null && lacked) {
      lost++;
    } else {
      found(
          Finding.Kind.LOST,
          key,
          row == null ? "the standby had it, and it is not there" : "is not over: " + row.status());
    }
  }

  private void checkRow(Row row) {
    if (row.ends() > 1 || (row.ends() == 1 && row.places() != 1)) {
      found(Finding.Kind.FINISHED_TWICE, row.key(), row.ends() + " ends");
    }
    List<Timeline.Run> runs = timeline.runs(row.job());
    if (runs.size() > 1) {
      again++;
      checkAgain(row, runs);
    }
    Optional<Timeline.Run> recorded = timeline.run(row.status().run());
    if (row.status().state() == JobState.COMPLETED && recorded.isEmpty()) {
      found(Finding.Kind.PHANTOM, row.key(), "no run ended like its outcome: " + row);
    }
    recorded.ifPresent(run -> checkClaim(row, run));
  }

  private void checkAgain(Row row, List<Timeline.Run> runs) {
    Row then = had.get(row.key());
    OptionalLong later =
        runs.stream().mapToLong(Timeline.Run::at).filter(this::isAfterwards).max();
    if (then != null && then.isOver() && later.isPresent()) {
      found(
          Finding.Kind.UNEXPLAINED_DUPLICATE,
          row.key(),
          "the standby knew that it was over, and it ran again: " + runs);
    }
    long before = runs.stream().filter(run -> !isAfterwards(run.at())).count();
    if (before > 1 && timeline.incidents().count(FaultKind.STALL) == 0) {
      found(Finding.Kind.UNEXPLAINED_DUPLICATE, row.key(), "ran twice before anything: " + runs);
    }
  }

  private boolean isAfterwards(long moment) {
    return moment >= failover.moments().promoted();
  }

  /** The claim that an outcome came from must not be older than one that the new server gave. */
  private void checkClaim(Row row, Timeline.Run run) {
    UUID job = row.job();
    long ended = run.end() == null ? run.at() : run.end().at();
    Optional<Entry.Granted> newer = timeline.granted().stream()
        .filter(granted -> granted.job().equals(job) && isAfterwards(granted.at()))
        .filter(granted -> granted.at() > run.at() && granted.at() < ended)
        .findFirst();
    if (newer.isPresent()) {
      underTwoClaims++;
      found(
          Finding.Kind.LATE_WRITE_TAKEN,
          row.key(),
          run + " was taken although the new server had given the job away: " + newer.get());
    }
  }

  private void checkBack(String worker) {
    OptionalLong first = timeline.granted().stream()
        .filter(granted -> granted.who().equals(worker) && isAfterwards(granted.at()))
        .mapToLong(Entry.Granted::at)
        .min();
    Duration time =
        Duration.ofNanos(first.orElse(Long.MAX_VALUE) - failover.moments().promoted());
    Duration limit = failover.lease().multipliedBy(2);
    back = time.compareTo(back) > 0 ? time : back;
    if (time.compareTo(limit) > 0) {
      found(
          Finding.Kind.SLOW_RECOVERY,
          worker,
          "had work from the new server after " + time.toMillis() + " ms, at most "
              + limit.toMillis());
    }
  }

  private Map<String, String> figures() {
    Map<String, String> figures = new LinkedHashMap<>();
    figures.put("standby behind by", failover.moments().lag().toMillis() + " ms");
    figures.put("outage", failover.moments().outage().toMillis() + " ms");
    figures.put("jobs acknowledged", String.valueOf(timeline.acknowledged().size()));
    figures.put("lost with the primary", String.valueOf(lost));
    figures.put("ran again", String.valueOf(again));
    figures.put("finished under two claims", String.valueOf(underTwoClaims));
    figures.put("all engines back at work after", back.toMillis() + " ms");
    return figures;
  }
}
