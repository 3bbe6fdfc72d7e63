package io.sluice.crashtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A standby that is behind takes the place of its server while engines work: they lose what it lacked, run again
 * what it did not know to be over, and nothing else.
 */
@Tag("long")
@Tag("failover")
@Execution(ExecutionMode.SAME_THREAD)
class PromotedStandbyTest {
  private static final Path TARGET = Path.of("target");

  @TestFactory
  Stream<DynamicTest> nothingIsTakenFromClaimsOfTheOldServer() {
    return seeds().stream().map(seed -> DynamicTest.dynamicTest("seed " + seed, () -> run(seed)));
  }

  /** Ten seeds, or the one that was asked for, or as many from that on as were asked for. */
  private static List<Long> seeds() {
    String asked = System.getProperty("sluice.seed", "");
    long first = asked.isEmpty() ? 1 : Long.parseLong(asked);
    int rounds = Integer.getInteger("sluice.failovers", asked.isEmpty() ? 10 : 1);
    return LongStream.range(first, first + rounds).boxed().toList();
  }

  private static void run(long seed) throws Exception {
    Path folder = TARGET.resolve("crash").resolve("failover-" + seed).toAbsolutePath();
    Report report = FailoverCheck.check(new FailoverDirector(seed, folder).run());
    System.out.println("failover seed " + seed + ": "
        + report.figures().entrySet().stream()
            .map(figure -> figure.getKey() + " " + figure.getValue())
            .collect(Collectors.joining(", "))
        + ", broken promises " + report.findings().size());
    assertThat(report.findings()).describedAs(report.text()).isEmpty();
    // A failover that nobody notices would prove nothing.
    assertThat(Integer.parseInt(report.figures().getOrDefault("ran again", "0")))
        .describedAs(report.text())
        .isPositive();
  }
}
