package io.sluice.benchmarks;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * This build beside another one: a process of each on the same database, which drain plain jobs by turns,
 * so that both feel the same weather.
 */
final class Comparison {
  private static final List<String> BUILDS = List.of("this build", "the other");
  private static final String RATE = "drained jobs/s, ";
  private static final String CPU = "CPU microseconds per drained job, ";

  /** How often both have their turn, after so many turns that do not count, with so many jobs. */
  record Extent(int pairs, int warmUp, int jobs) {
    static final Extent FULL = new Extent(15, 3, 50_000);
    static final Extent QUICK = new Extent(2, 0, 200);
  }

  private final Extent extent;
  private final String otherJars;
  private final Figures figures = new Figures();

  /** The other build is given by the class path of its store; the benchmark itself is ours in both. */
  Comparison(Extent extent, String otherJars) {
    this.extent = extent;
    this.otherJars = otherJars;
  }

  Figures run(Consumer<String> say) throws Exception {
    String ours = System.getProperty("java.class.path");
    String theirs = benchmark() + File.pathSeparator + otherJars;
    try (Database database = new Database();
        Rival first = new Rival(ours, database, "ours");
        Rival second = new Rival(theirs, database, "theirs")) {
      List<Rival> rivals = List.of(first, second);
      say.accept("warming up");
      for (int i = 0; i < extent.warmUp(); i++) {
        for (Rival rival : rivals) {
          rival.drain(extent.jobs());
        }
      }
      for (int pair = 0; pair < extent.pairs(); pair++) {
        say.accept("pair " + (pair + 1) + " of " + extent.pairs());
        for (int turn = 0; turn < rivals.size(); turn++) {
          int which = (pair + turn) % rivals.size();
          note(BUILDS.get(which), rivals.get(which).drain(extent.jobs()));
        }
      }
    }
    for (String figure : List.of(RATE, CPU)) {
      figures.addMultiple(figure + BUILDS.getFirst(), figure + BUILDS.getLast(), "the other");
    }
    return figures;
  }

  private void note(String build, Drained drained) {
    figures.add(RATE + build, drained.perSecond());
    figures.add(CPU + build, drained.cpuSeconds() * 1e6 / extent.jobs());
  }

  /** Where the classes of the benchmark are. */
  private static String benchmark() throws URISyntaxException {
    return Path.of(
            Comparison.class.getProtectionDomain().getCodeSource().getLocation().toURI())
        .toString();
  }

  private record Drained(double perSecond, double cpuSeconds) {}

  /** A process that drains with one of the builds. */
  private static final class Rival implements AutoCloseable {
    private final Database database;
    private final String schema;
    private final Process process;
    private final BufferedReader answers;
    private final PrintWriter orders;

    Rival(String classpath, Database database, String schema) throws IOException {
      this.database = database;
      this.schema = schema;
      List<String> arguments = List.of(database.url());
      this.process = new ProcessBuilder(
              ChildJvm.line(classpath, List.of(), Drainer.class, arguments))
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
      this.answers = process.inputReader(StandardCharsets.UTF_8);
      this.orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
    }

    Drained drain(int jobs) throws IOException {
      database.run("drop schema if exists " + schema + " cascade");
      orders.println(schema + " " + jobs);
      hear();
      // What was written before is not to be paid for by whoever comes next.
      database.run("checkpoint");
      Map<Long, Duration> before = cpuTimes();
      orders.println("go");
      double perSecond = Double.parseDouble(hear());
      return new Drained(perSecond, seconds(before, cpuTimes()));
    }

    private String hear() throws IOException {
      return ChildJvm.hear(answers)
          .orElseThrow(
              () -> new IllegalStateException(schema + ": the process has failed, see above"));
    }

    private Map<Long, Duration> cpuTimes() {
      Map<Long, Duration> times = database.cpuByProcess();
      process.info().totalCpuDuration().ifPresent(cpu -> times.put(process.pid(), cpu));
      return times;
    }

    /** What the processes used that are still there; the server ends some of its own now and then. */
    private static double seconds(Map<Long, Duration> before, Map<Long, Duration> after) {
      return after.entrySet().stream()
          .map(e -> e.getValue().minus(before.getOrDefault(e.getKey(), Duration.ZERO)))
          .mapToDouble(used -> used.toMillis() / 1e3)
          .sum();
    }

    @Override
    public void close() {
      process.destroy();
      process.onExit().join();
    }
  }
}
