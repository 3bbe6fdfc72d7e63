package io.sluice.crashtest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether the jobs of the ordered queue ran one after the other, over all workers and whatever befell
 * them: none may begin before the recorded end of one that was enqueued before it.
 */
final class StrictOrderCheck {
  /** A job of the queue: from its enqueue to its recorded end, if a run ended it. */
  private record Place(String key, long invoked, long acknowledged, long begun, long ended) {}

  private final Timeline timeline;
  private final Map<String, Row> rows;
  private final List<Finding> findings;

  StrictOrderCheck(Timeline timeline, Map<String, Row> rows, List<Finding> findings) {
    this.timeline = timeline;
    this.rows = rows;
    this.findings = findings;
  }

  void check() {
    List<Place> places = places();
    places.sort(Comparator.comparingLong(Place::acknowledged));
    for (Place later : places) {
      earlierEnd(places, later)
          .filter(earlier -> earlier.ended > later.begun)
          .ifPresent(earlier -> findings.add(new Finding(
              Finding.Kind.ORDER_BROKEN,
              later.key + " began at " + later.begun + ", before the end of " + earlier.key
                  + ", which was enqueued before it and ended at " + earlier.ended)));
    }
  }

  private static Optional<Place> earlierEnd(List<Place> places, Place later) {
    return places.stream()
        .filter(earlier -> earlier.acknowledged < later.invoked)
        .max(Comparator.comparingLong(Place::ended));
  }

  private List<Place> places() {
    List<Place> places = new ArrayList<>();
    timeline.invokes().forEach((key, invoke) -> {
      Row row = rows.get(key);
      List<Entry.Ok> oks = timeline.oks(key);
      if (invoke.work().type().equals(Work.STRICT) && row != null && !oks.isEmpty()) {
        List<Timeline.Run> runs = timeline.runs(row.job());
        if (!runs.isEmpty()) {
          places.add(
              new Place(key, invoke.at(), oks.getFirst().at(), begun(runs), ended(runs, row)));
        }
      }
    });
    return places;
  }

  private static long begun(List<Timeline.Run> runs) {
    return runs.stream().mapToLong(Timeline.Run::at).min().orElseThrow();
  }

  /** The end of the run whose outcome was the job's last; of one that a death ended, nothing is known. */
  private static long ended(List<Timeline.Run> runs, Row row) {
    Timeline.@Nullable Run last = runs.stream()
        .filter(row::records)
        .max(Comparator.comparingInt(Timeline.Run::turn))
        .orElse(null);
    return last == null || last.end() == null ? Long.MIN_VALUE : last.end().at();
  }
}
