package io.sluice.crashtest;

import static io.sluice.crashtest.FaultKind.CLOCK_STEP;
import static io.sluice.crashtest.FaultKind.CUT;
import static io.sluice.crashtest.FaultKind.DELAY;
import static io.sluice.crashtest.FaultKind.HALF_OPEN;
import static io.sluice.crashtest.FaultKind.HOLD_BACK;
import static io.sluice.crashtest.FaultKind.KILL_DATABASE;
import static io.sluice.crashtest.FaultKind.KILL_PRODUCER;
import static io.sluice.crashtest.FaultKind.KILL_WORKER;
import static io.sluice.crashtest.FaultKind.LATE_COMMIT;
import static io.sluice.crashtest.FaultKind.LOST_REPLY;
import static io.sluice.crashtest.FaultKind.OPEN_TRANSACTION;
import static io.sluice.crashtest.FaultKind.PAUSE_PRODUCER;
import static io.sluice.crashtest.FaultKind.PAUSE_WORKER;
import static io.sluice.crashtest.FaultKind.TERMINATE;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** How large a crash test is, how often each fault comes, and under which conditions it runs. */
record Size(
    String name,
    int workers,
    int jobs,
    Duration lease,
    Duration length,
    Map<FaultKind, Integer> faults,
    Set<Condition> conditions) {

  Size {
    faults = Map.copyOf(faults);
    conditions = Set.copyOf(conditions);
  }

  private Size(String name, int workers, int jobs, Duration lease, Duration length) {
    this(name, workers, jobs, lease, length, Map.of(), EnumSet.allOf(Condition.class));
  }

  static Size quick() {
    return new Size("quick", 2, 600, Duration.ofSeconds(2), Duration.ofSeconds(20))
        .with(KILL_WORKER, 3)
        .with(PAUSE_WORKER, 1)
        .with(KILL_DATABASE, 1)
        .with(HOLD_BACK, 1)
        .with(LATE_COMMIT, 2)
        .with(CUT, 1)
        .with(TERMINATE, 1)
        .with(LOST_REPLY, 1)
        .with(KILL_PRODUCER, 1)
        .with(OPEN_TRANSACTION, 1);
  }

  static Size large() {
    return new Size("long", 3, 20_000, Duration.ofSeconds(3), Duration.ofSeconds(270))
        .with(KILL_WORKER, 20)
        .with(PAUSE_WORKER, 10)
        .with(KILL_DATABASE, 5)
        .with(CLOCK_STEP, 3)
        .with(HALF_OPEN, 5)
        .with(HOLD_BACK, 10)
        .with(LATE_COMMIT, 12)
        .with(CUT, 5)
        .with(TERMINATE, 5)
        .with(LOST_REPLY, 10)
        .with(DELAY, 5)
        .with(KILL_PRODUCER, 4)
        .with(PAUSE_PRODUCER, 2)
        .with(OPEN_TRANSACTION, 6);
  }

  /** What finds a broken build, soon: many faults for its length. */
  static Size brief() {
    return new Size("short", 3, 4_000, Duration.ofSeconds(2), Duration.ofSeconds(70))
        .with(KILL_WORKER, 4)
        .with(PAUSE_WORKER, 4)
        .with(KILL_DATABASE, 3)
        .with(HALF_OPEN, 1)
        .with(HOLD_BACK, 6)
        .with(LATE_COMMIT, 6)
        .with(CUT, 1)
        .with(TERMINATE, 1)
        .with(LOST_REPLY, 1)
        .with(OPEN_TRANSACTION, 3);
  }

  /** The size for a tier, as in the system property {@code sluice.tier}. */
  static Size of(String tier) {
    return switch (tier) {
      case "quick" -> quick();
      case "short" -> brief();
      case "long" -> large();
      default ->
        throw new IllegalArgumentException("sluice.tier must be quick, short or long: " + tier);
    };
  }

  private Size with(FaultKind kind, int count) {
    Map<FaultKind, Integer> more = new EnumMap<>(FaultKind.class);
    more.putAll(faults);
    more.put(kind, count);
    return new Size(name, workers, jobs, lease, length, more, conditions);
  }

  /** The same without these kinds of faults and conditions, named one after the other with commas. */
  Size without(String names) {
    Set<String> left = new HashSet<>(Arrays.asList(names.split(",", -1)));
    left.remove("");
    Map<FaultKind, Integer> fewer = new EnumMap<>(FaultKind.class);
    faults.forEach((kind, count) -> fewer.put(kind, left.remove(kind.name()) ? 0 : count));
    Set<Condition> others = EnumSet.noneOf(Condition.class);
    conditions.stream().filter(condition -> !left.remove(condition.name())).forEach(others::add);
    if (!left.isEmpty()) {
      throw new IllegalArgumentException(
          "sluice.without names what is not in the tier " + name + ": " + left);
    }
    return new Size(name, workers, jobs, lease, length, fewer, others);
  }

  /** How often this fault comes. */
  int count(FaultKind kind) {
    return faults.getOrDefault(kind, 0);
  }

  boolean has(Condition condition) {
    return conditions.contains(condition);
  }

  /** How many batches come, beside the jobs. */
  int batches() {
    return jobs / BatchPlan.EVERY;
  }

  /** The time from one enqueue to the next, so that work comes in for as long as there are faults. */
  long intervalNanos() {
    return length.toNanos() / jobs;
  }
}
