package io.sluice.crashtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Processes killed, paused and cut off by a seeded schedule: no promise may break. */
@Tag("slow")
@Tag("crash")
@Execution(ExecutionMode.SAME_THREAD)
class CrashTest {
  private static final Path TARGET = Path.of("target");

  @TestFactory
  Stream<DynamicTest> everyPromiseHolds() {
    Size size = Size.of(Tier.name()).without(System.getProperty("sluice.without", ""));
    return Seeds.of(size.name()).stream()
        .map(seed -> DynamicTest.dynamicTest("seed " + seed, () -> run(size, seed)));
  }

  private static void run(Size size, long seed) throws Exception {
    Path folder = TARGET.resolve("crash").resolve(size.name() + "-" + seed).toAbsolutePath();
    Evidence evidence = new Director(size, seed, folder, System.out).run();
    Report report = Checker.check(evidence);
    String text = String.format(
        "Crash test %s, seed %d%n%s%s%n",
        size.name(), seed, report.text(), report.isClean() ? "" : replay(size, seed));
    System.out.println(text);
    Files.writeString(
        TARGET.resolve("crash-report.txt"),
        text,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    assertThat(report.findings()).describedAs(text).isEmpty();
    assertThat(report.figures())
        .containsEntry("jobs acknowledged", "" + size.jobs())
        .containsEntry("batches", "" + size.batches());
  }

  private static String replay(Size size, long seed) {
    return String.format(
        "Replay: mvn verify -pl crashtest -am -Dgroups=crash -Dtest=CrashTest"
            + " -Dsluice.tier=%s -Dsluice.seed=%d%n"
            + "Keep it: add the line '%s %d' to crashtest/src/test/resources/seeds.txt%n",
        size.name(), seed, size.name(), seed);
  }
}
