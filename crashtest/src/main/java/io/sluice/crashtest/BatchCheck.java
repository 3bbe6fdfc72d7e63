package io.sluice.crashtest;

import io.sluice.BatchCounts;
import io.sluice.JobState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** What a batch promises: its callback runs once, when the last of its jobs is over, and its counts are right. */
final class BatchCheck {
  private final Timeline timeline;
  private final List<Finding> findings;
  private final List<Row> callbacks = new ArrayList<>();
  private final List<Row> children = new ArrayList<>();
  private final boolean asked;
  private int runs;
  private int again;
  private OptionalLong lastEnd = OptionalLong.empty();
  private OptionalLong firstRun = OptionalLong.empty();

  BatchCheck(Timeline timeline, Map<String, Row> rows, List<Finding> findings) {
    this.timeline = timeline;
    this.findings = findings;
    this.asked = timeline.invokes().values().stream()
        .anyMatch(invoke -> invoke.work().type().equals(Work.CALLBACK));
    rows.values().forEach(row -> (isCallback(row) ? callbacks : children).add(row));
  }

  private static boolean isCallback(Row row) {
    return row.work() != null && row.work().type().equals(Work.CALLBACK);
  }

  void check() {
    if (!asked) {
      return;
    }
    lastEnd = children.stream().flatMapToLong(child -> end(child).stream()).max();
    List<Timeline.Run> all = callbacks.stream()
        .map(row -> timeline.runs(row.job()))
        .flatMap(Collection::stream)
        .toList();
    runs = all.size();
    firstRun = all.stream().mapToLong(Timeline.Run::at).min();
    if (all.isEmpty()) {
      found(Finding.Kind.CALLBACK_MISSED, "no run of " + callbacks);
    } else {
      checkMoment(firstRun.getAsLong());
    }
    for (int i = 1; i < all.size(); i++) {
      checkAgain(all.get(i - 1), all.get(i));
    }
    timeline.tallies().forEach(this::checkTally);
  }

  private void found(Finding.Kind kind, String text) {
    findings.add(new Finding(kind, text));
  }

  /** When the handler of the run that counted was left, after which its end was recorded. */
  private OptionalLong end(Row row) {
    return timeline.runs(row.job()).stream()
        .filter(run -> run.end() != null && row.records(run))
        .mapToLong(run -> run.end().at())
        .max();
  }

  private void checkMoment(long start) {
    List<String> late = children.stream()
        .filter(child -> end(child).stream().anyMatch(end -> end > start))
        .map(Row::key)
        .toList();
    if (!late.isEmpty()) {
      found(
          Finding.Kind.CALLBACK_EARLY,
          late.size() + " jobs ended after the callback had begun, up to "
              + millis(lastEnd.orElse(start) - start) + " ms after, " + late.getFirst()
              + " among them");
    }
  }

  /** A second run is right only where the first one's worker may have lost its claim meanwhile. */
  private void checkAgain(Timeline.Run earlier, Timeline.Run later) {
    long from = Math.min(earlier.at(), later.at());
    long to = Math.max(earlier.at(), later.at());
    if (timeline.incidents().endOfLeases(earlier.who(), from, to).isPresent()) {
      again++;
    } else {
      found(Finding.Kind.CALLBACK_AGAIN, earlier + " and then " + later);
    }
  }

  private void checkTally(Entry.Tally tally) {
    if (tally.open() > 0) {
      found(
          Finding.Kind.CALLBACK_EARLY,
          tally.open() + " jobs of the batch were not over when " + tally.who() + " looked");
    }
    BatchCounts right =
        new BatchCounts(children.size(), in(JobState.COMPLETED), in(JobState.DEAD), 0);
    if (!tally.counts().equals(right)) {
      found(
          Finding.Kind.MISCOUNTED,
          tally.who() + " saw " + tally.counts() + ", the tables hold " + right);
    }
  }

  private long in(JobState state) {
    return children.stream().filter(row -> row.status().state() == state).count();
  }

  void figures(Map<String, String> figures) {
    if (!asked) {
      return;
    }
    figures.put("jobs of the batch", String.valueOf(children.size()));
    figures.put("callback runs", String.valueOf(runs));
    figures.put("  again, its worker being gone", String.valueOf(again));
    if (lastEnd.isPresent() && firstRun.isPresent()) {
      long after = firstRun.getAsLong() - lastEnd.getAsLong();
      figures.put("callback after the last end", millis(after) + " ms");
    }
  }

  private static long millis(long nanos) {
    return Duration.ofNanos(nanos).toMillis();
  }
}
