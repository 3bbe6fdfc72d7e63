package io.sluice.crashtest;

import java.time.Duration;
import java.util.List;
import java.util.TreeSet;

/** Whether the paced queue went on: where one of its jobs waits, some job of it begins within two leases. */
final class PaceCheck {
  private final Timeline timeline;
  private final long limit;
  private final List<Finding> findings;
  private final TreeSet<Long> starts = new TreeSet<>();

  PaceCheck(Timeline timeline, Duration lease, List<Finding> findings) {
    this.timeline = timeline;
    this.limit = lease.multipliedBy(2).toNanos();
    this.findings = findings;
  }

  void check() {
    timeline.runs(Work.PACED).forEach(run -> starts.add(run.at()));
    timeline.invokes().forEach((key, invoke) -> {
      List<Entry.Ok> oks = timeline.oks(key);
      if (invoke.work().type().equals(Work.PACED) && !oks.isEmpty()) {
        check(key, oks.getFirst());
      }
    });
  }

  private void check(String key, Entry.Ok ok) {
    long from = ok.at();
    Long next = starts.ceiling(from);
    boolean waited = timeline.runs(ok.job()).stream().allMatch(run -> run.at() > from);
    boolean stood = waited && next != null && next - from > limit;
    if (stood && somebodyIsHealthy(from, from + limit)) {
      findings.add(new Finding(
          Finding.Kind.RATE_STUCK,
          key + ": enqueued at " + from + ", and no job of its queue began before " + next));
    }
  }

  private boolean somebodyIsHealthy(long from, long to) {
    return timeline.workersReadyAt(from).stream()
        .anyMatch(worker -> timeline.incidents().isHealthyByAnyClock(worker, from, to));
  }
}
