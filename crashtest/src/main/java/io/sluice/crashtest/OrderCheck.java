package io.sluice.crashtest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether the jobs of the ordered lane began in the order of their enqueues. */
final class OrderCheck {
  /** The first run of an ordered job, with when it was enqueued. */
  private record First(Timeline.Run run, long invoked, long acknowledged) {
    long seq() {
      return run.start().seq();
    }
  }

  private final Timeline timeline;
  private final List<Finding> findings;
  private long explained;

  OrderCheck(Timeline timeline, List<Finding> findings) {
    this.timeline = timeline;
    this.findings = findings;
  }

  void check() {
    List<First> firsts = firsts();
    Set<String> workers = new HashSet<>();
    firsts.forEach(first -> workers.add(first.run.who()));
    First highest = null;
    for (First first : firsts) {
      if (highest == null || first.seq() > highest.seq()) {
        highest = first;
      } else if (first.acknowledged < highest.invoked) {
        broken(first, highest, workers);
      }
    }
  }

  private List<First> firsts() {
    List<First> firsts = new ArrayList<>();
    timeline.invokes().forEach((key, invoke) -> {
      List<Entry.Ok> oks = timeline.oks(key);
      if (invoke.work().type().equals(Work.FIFO) && !oks.isEmpty()) {
        Timeline.@Nullable Run run = timeline.runs(oks.getFirst().job()).stream()
            .min(Comparator.comparingLong(Timeline.Run::at))
            .orElse(null);
        if (run != null) {
          firsts.add(new First(run, invoke.at(), oks.getFirst().at()));
        }
      }
    });
    firsts.sort(Comparator.comparingLong(first -> first.run.at()));
    return firsts;
  }

  private void broken(First late, First early, Set<String> workers) {
    boolean hasCause =
        timeline.incidents().cause(workers, late.acknowledged, late.run.at()).isPresent();
    if (hasCause) {
      explained++;
    } else {
      findings.add(new Finding(
          Finding.Kind.ORDER_BROKEN,
          late.run + " was acknowledged before " + early.run
              + " was enqueued, and began after it"));
    }
  }

  long explained() {
    return explained;
  }
}
