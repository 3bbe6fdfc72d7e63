package io.sluice.crashtest;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether anybody had to wait for what is none of his business: outcomes and enqueues are answered within
 * two leases where their process and the database were healthy. An open transaction of a caller is no excuse, but
 * for what it holds itself: its key, its queue, and the job that its own job waits for.
 */
final class WaitCheck {
  private final Timeline timeline;
  private final Duration limit;
  private final List<Finding> findings;
  private long outcomes;
  private long enqueues;
  private Duration slowestOutcome = Duration.ZERO;
  private Duration slowestEnqueue = Duration.ZERO;

  WaitCheck(Timeline timeline, Duration lease, List<Finding> findings) {
    this.timeline = timeline;
    this.limit = lease.multipliedBy(2);
    this.findings = findings;
  }

  void check() {
    Map<String, Long> recorded = new HashMap<>();
    timeline
        .recorded()
        .forEach(e -> recorded.putIfAbsent(e.who() + e.job() + "/" + e.turn(), e.at()));
    timeline.runs().values().stream()
        .flatMap(List::stream)
        .filter(run -> run.end() != null && !timeline.isPinned(run.start().job().toString()))
        .forEach(run -> {
          Long at = recorded.get(run.who() + run.start().job() + "/" + run.turn());
          if (at != null) {
            checkOutcome(run, run.end().at(), at);
          }
        });
    timeline.invokes().forEach((key, invoke) -> {
      List<Entry.Ok> oks = timeline.oks(key);
      boolean free = !timeline.isPinned(key) && !timeline.isPinned(invoke.work().type());
      if (free && !oks.isEmpty()) {
        checkEnqueue(invoke, oks.getFirst().at());
      }
    });
  }

  private void checkOutcome(Timeline.Run run, long ended, long recorded) {
    if (!timeline.incidents().isHealthy(run.who(), ended, until(ended, recorded))) {
      return;
    }
    outcomes++;
    Duration time = Duration.ofNanos(recorded - ended);
    slowestOutcome = max(slowestOutcome, time);
    if (time.compareTo(limit) > 0) {
      findings.add(new Finding(
          Finding.Kind.SLOW_OUTCOME, run + " was recorded after " + time.toMillis() + " ms"));
    }
  }

  private void checkEnqueue(Entry.Invoke invoke, long answered) {
    long end = until(invoke.at(), answered);
    if (!timeline.incidents().isUntouched(invoke.who(), invoke.at(), end)) {
      return;
    }
    enqueues++;
    Duration time = Duration.ofNanos(answered - invoke.at());
    slowestEnqueue = max(slowestEnqueue, time);
    if (time.compareTo(limit) > 0) {
      findings.add(new Finding(
          Finding.Kind.SLOW_ENQUEUE, invoke + " was answered after " + time.toMillis() + " ms"));
    }
  }

  private long until(long begin, long end) {
    return Math.min(end, begin + limit.toNanos());
  }

  void figures(Map<String, String> figures) {
    if (outcomes > 0) {
      figures.put(
          "outcomes judged, the slowest", outcomes + ", " + slowestOutcome.toMillis() + " ms");
    }
    if (enqueues > 0) {
      figures.put(
          "enqueues judged, the slowest", enqueues + ", " + slowestEnqueue.toMillis() + " ms");
    }
  }

  private static Duration max(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
