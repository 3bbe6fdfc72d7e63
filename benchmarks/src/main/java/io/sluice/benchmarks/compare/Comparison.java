package io.sluice.benchmarks.compare;

import io.sluice.benchmarks.Database;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs two builds by turns on one database, so that both meet the same disk and the same neighbours, until
 * the intervals of their rates are narrow or the time is up.
 *
 * <p>A generation is a fresh process and schema of each build. After a warm-up they take turns: one, the
 * other, the other, the one, so that neither gains by being first, and phase by phase.
 */
final class Comparison {
  /** How wide an interval of a rate may be, to either side, as a part of the ratio. */
  static final double NARROW = 0.03;

  /** How much is done: a generation has a warm-up that does not count, then {@code rounds} of two pairs each. */
  record Extent(Jobs warmUp, int rounds, Jobs turn, int fewestGenerations, Duration time) {
    /**
     * Turns are short, a few tenths of a second, because the speed of a shared machine changes all the time: only what
     * both builds do at nearly the same moment meets the same speed.
     */
    static final Extent FULL =
        new Extent(new Jobs(32_000, 64_000), 24, new Jobs(1_600, 5_000), 6, Duration.ofMinutes(15));

    static final Extent QUICK =
        new Extent(new Jobs(160, 200), 1, new Jobs(160, 200), 2, Duration.ZERO);
  }

  /** How many jobs a turn enqueues in each way; it then drains them all. */
  record Jobs(int single, int bulk) {
    int of(Phase phase) {
      return switch (phase) {
        case SINGLE -> single;
        case BULK -> bulk;
        case DRAIN -> single + bulk;
      };
    }
  }

  private final Extent extent;
  private final Path ours;
  private final Path theirs;
  private final Consumer<String> progress;
  private final ComparisonReport report = new ComparisonReport();

  /** Each build is given by its script {@code benchmarks/workload}. */
  Comparison(Extent extent, Path ours, Path theirs, Consumer<String> progress) {
    this.extent = extent;
    this.ours = ours;
    this.theirs = theirs;
    this.progress = progress;
  }

  ComparisonReport run() throws Exception {
    long start = System.nanoTime();
    long longest = 0;
    try (Database database = new Database()) {
      for (int number = 1; ; number++) {
        long before = System.nanoTime();
        generation(database, number);
        longest = Math.max(longest, System.nanoTime() - before);
        Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
        progress.accept(String.format(
            Locale.ROOT,
            "generation %d, %dm%02ds of at most %dm: %s",
            number,
            elapsed.toMinutes(),
            elapsed.toSecondsPart(),
            extent.time().toMinutes(),
            report.progress()));
        boolean timeIsUp = elapsed.plusNanos(longest).compareTo(extent.time()) > 0;
        boolean isPrecise = number >= extent.fewestGenerations() && report.isNarrow(NARROW);
        // One generation has no interval.
        if (number > 1 && (timeIsUp || isPrecise)) {
          return report;
        }
      }
    }
  }

  private void generation(Database database, int number) throws Exception {
    try (Contender one = new Contender(ours, database, "ours");
        Contender other = new Contender(theirs, database, "theirs")) {
      bothBuilds(one, other, extent.warmUp());
      // What came before is not to be written out while one of them is timed.
      database.run("checkpoint");
      report.beginGeneration();
      for (int round = 0; round < extent.rounds(); round++) {
        boolean first = (number + round) % 2 == 0;
        pair(one, other, first);
        pair(one, other, !first);
      }
    }
    database.run("drop schema ours cascade; drop schema theirs cascade");
  }

  private void pair(Contender one, Contender other, boolean oursFirst) throws Exception {
    List<Turn> turns =
        oursFirst ? bothBuilds(one, other, extent.turn()) : bothBuilds(other, one, extent.turn());
    report.add(
        oursFirst ? turns.getFirst() : turns.getLast(),
        oursFirst ? turns.getLast() : turns.getFirst());
  }

  /** One phase of the first and at once the same of the second: the machine's speed changes within seconds. */
  private static List<Turn> bothBuilds(Contender first, Contender second, Jobs jobs)
      throws Exception {
    Map<Phase, Measurement> ofFirst = new EnumMap<>(Phase.class);
    Map<Phase, Measurement> ofSecond = new EnumMap<>(Phase.class);
    for (Phase phase : Phase.values()) {
      ofFirst.put(phase, first.run(phase, jobs.of(phase)));
      ofSecond.put(phase, second.run(phase, jobs.of(phase)));
    }
    return List.of(new Turn(ofFirst), new Turn(ofSecond));
  }
}
