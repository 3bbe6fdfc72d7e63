package io.sluice.crashtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A batch with a callback while worker processes are killed and cut off: every job ends once, and the
 * callback runs once, after the last of them.
 */
@Tag("slow")
@Tag("crash")
@Execution(ExecutionMode.SAME_THREAD)
class WorkflowTest {
  private static final Path TARGET = Path.of("target");
  private static final BatchDirector.Extent EXTENT = Tier.isLong()
      ? new BatchDirector.Extent(10_000, 60, 3)
      : new BatchDirector.Extent(300, 200, 3);

  /** How long things take is judged by the crash test, where there are fewer jobs at once. */
  private static final Set<Finding.Kind> TIMES = Set.of(
      Finding.Kind.SLOW_RECOVERY,
      Finding.Kind.DEAD_LEASE,
      Finding.Kind.SLOW_OUTCOME,
      Finding.Kind.SLOW_ENQUEUE);

  private final List<Long> seeds = seeds();
  private final AtomicInteger sound = new AtomicInteger();

  private static List<Long> seeds() {
    String asked = System.getProperty("sluice.seed", "");
    return asked.isEmpty()
        ? LongStream.rangeClosed(1, Tier.choose(1, 20)).boxed().toList()
        : List.of(Long.parseLong(asked));
  }

  @TestFactory
  Stream<DynamicTest> callbackRunsOnce_afterTheLastJob_whileWorkersDie() {
    return seeds.stream().map(seed -> DynamicTest.dynamicTest("seed " + seed, () -> run(seed)));
  }

  @AfterEach
  void total() {
    System.out.printf(
        "batches of %,d with a callback while workers die: %d of %d%n",
        EXTENT.jobs(), sound.get(), seeds.size());
  }

  private void run(long seed) throws Exception {
    Path folder =
        TARGET.resolve("crash").resolve("batch-" + EXTENT.jobs() + "-" + seed).toAbsolutePath();
    Report report = Checker.check(new BatchDirector(EXTENT, seed, folder).run()).without(TIMES);
    System.out.println(line(seed, report));
    assertThat(report.findings()).describedAs(report.text()).isEmpty();
    assertThat(report.figures()).containsEntry("jobs of the batch", String.valueOf(EXTENT.jobs()));
    sound.incrementAndGet();
  }

  private static String line(long seed, Report report) {
    StringBuilder line = new StringBuilder("batch seed " + seed + ": ");
    for (String figure : List.of(
        "took",
        "jobs completed",
        "jobs dead",
        "faults " + FaultKind.KILL_WORKER,
        "faults " + FaultKind.CUT,
        "handler runs",
        "retries of failed attempts",
        "duplicate runs",
        "callback runs",
        "callback after the last end")) {
      line.append(figure).append(' ').append(report.figures().get(figure)).append(", ");
    }
    return line.append("broken promises ").append(report.findings().size()).toString();
  }
}
