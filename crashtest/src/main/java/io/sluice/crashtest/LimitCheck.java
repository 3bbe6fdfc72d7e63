package io.sluice.crashtest;

import io.sluice.crashtest.Usage.Peak;
import io.sluice.crashtest.Usage.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Whether limits held, and gave what they had. A handler counts while its claim is surely its own: not
 * from when something befell its process after which its lease may have run out. What the tables were seen
 * to hold counts always.
 */
final class LimitCheck {
  private static final Duration SECOND = Duration.ofSeconds(1);
  /** So much later than it was granted a job may start. */
  private static final Duration LATE = Duration.ofMillis(100);

  private final Timeline timeline;
  private final Duration lease;
  private final List<Finding> findings;
  private int mostRan;
  private int mostHeld;
  private int mostStarted;
  private long deaths;
  private Duration slowest = Duration.ZERO;

  LimitCheck(Timeline timeline, Duration lease, List<Finding> findings) {
    this.timeline = timeline;
    this.lease = lease;
    this.findings = findings;
  }

  void check() {
    checkAtOnce();
    checkRate();
    timeline.slots().forEach(this::checkHeld);
    checkUse();
    timeline.incidents().deaths().forEach(this::checkDeath);
    timeline.counted().forEach((queue, running) -> {
      if (running != 0) {
        found(
            Finding.Kind.SLOT_COUNTED_TWICE,
            running + " are counted in the queue " + queue + " when all is over");
      }
    });
  }

  private void found(Finding.Kind kind, String text) {
    findings.add(new Finding(kind, text));
  }

  private void checkAtOnce() {
    List<Span> spans = timeline.runs(Work.CAPPED).stream().map(this::span).toList();
    Peak peak = Usage.mostAtOnce(spans);
    mostRan = peak.count();
    if (peak.count() > LimitedQueues.AT_ONCE) {
      List<Timeline.Run> then = timeline.runs(Work.CAPPED).stream()
          .filter(run -> run.at() <= peak.at() && span(run).to() > peak.at())
          .toList();
      found(Finding.Kind.LIMIT_EXCEEDED, peak.count() + " ran at once: " + then);
    }
  }

  /** The time in which a run surely had its claim. */
  private Span span(Timeline.Run run) {
    long end = run.end() == null ? Long.MAX_VALUE : run.end().at();
    long harmed = timeline.incidents().endOfLeases(run.who(), run.at(), end).orElse(end);
    return new Span(run.at(), Math.max(run.at(), harmed));
  }

  private void checkRate() {
    // A process that stalls for less than this does not say so.
    Duration unseen = lease.dividedBy(4).plus(LATE);
    long before = unseen.toNanos();
    List<Long> starts = timeline.runs(Work.PACED).stream()
        .filter(run -> timeline.incidents().isHealthy(run.who(), run.at() - before, run.at()))
        .map(Timeline.Run::at)
        .toList();
    Peak peak = Usage.mostWithin(SECOND, starts);
    mostStarted = peak.count();
    double seconds = SECOND.plus(unseen).toMillis() / 1e3;
    int allowed = LimitedQueues.RATE.burst() + (int) (LimitedQueues.RATE.perSecond() * seconds);
    if (peak.count() > allowed) {
      found(
          Finding.Kind.RATE_EXCEEDED,
          peak.count() + " began within a second from " + peak.at() + ", at most " + allowed);
    }
  }

  private static int held(Entry.Slots slots) {
    return slots.held().values().stream().mapToInt(n -> n).sum();
  }

  private void checkHeld(Entry.Slots slots) {
    mostHeld = Math.max(mostHeld, held(slots));
    if (held(slots) > LimitedQueues.AT_ONCE) {
      found(Finding.Kind.LIMIT_EXCEEDED, "claims in the tables at " + slots);
    }
  }

  /** Wherever work was seen to wait for two leases, all that may run must have been seen to run. */
  private void checkUse() {
    List<Entry.Slots> idle = new ArrayList<>();
    for (Entry.Slots slots : timeline.slots()) {
      boolean apart = !idle.isEmpty() && slots.at() - idle.getLast().at() > lease.toNanos();
      if (apart || slots.waiting() == 0 || held(slots) >= LimitedQueues.AT_ONCE) {
        idle.clear();
      }
      if (slots.waiting() > 0 && held(slots) < LimitedQueues.AT_ONCE) {
        idle.add(slots);
        long from = idle.getFirst().at();
        if (slots.at() - from > 2 * lease.toNanos()
            && timeline.somebodyIsWell("", from, slots.at())) {
          found(
              Finding.Kind.SLOT_LOST, "fewer than may for two leases, from " + from + ": " + slots);
          idle.clear();
        }
      }
    }
  }

  /** When work waits, others must have all the slots within two leases of a death. */
  private void checkDeath(String who, long death) {
    long limit = death + 2 * lease.toNanos();
    List<Entry.Slots> seen = timeline.slots().stream()
        .filter(slots -> slots.at() > death && slots.at() <= limit)
        .toList();
    boolean heldSome = timeline.slots().stream()
        .filter(slots -> slots.at() <= death && slots.at() > death - SECOND.toNanos())
        .anyMatch(slots -> slots.held().containsKey(who));
    boolean alwaysWaits = !seen.isEmpty()
        && limit - seen.getLast().at() < SECOND.toNanos()
        && seen.stream().allMatch(slots -> slots.waiting() > 0);
    if (!heldSome || !alwaysWaits || !timeline.somebodyIsWell(who, death, limit)) {
      return;
    }
    deaths++;
    seen.stream()
        .filter(slots -> held(slots) - slots.held().getOrDefault(who, 0) >= LimitedQueues.AT_ONCE)
        .findFirst()
        .ifPresentOrElse(
            full -> slowest = longer(slowest, Duration.ofNanos(full.at() - death)),
            () -> found(
                Finding.Kind.SLOT_LOST,
                "two leases after the death of " + who + ": " + seen.getLast()));
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  void figures(Map<String, String> figures) {
    figures.put(
        "capped queue: at once at most",
        mostRan + " handlers, " + mostHeld + " claims, of " + LimitedQueues.AT_ONCE);
    figures.put("  deaths with its slots and work waiting", String.valueOf(deaths));
    figures.put("  all slots in use again within", slowest.toMillis() + " ms");
    figures.put("paced queue: starts in a second", "at most " + mostStarted);
  }
}
