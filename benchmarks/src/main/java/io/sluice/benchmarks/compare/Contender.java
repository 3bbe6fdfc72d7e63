package io.sluice.benchmarks.compare;

import io.sluice.benchmarks.ChildJvm;
import io.sluice.benchmarks.Database;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A running {@link Workload} of one of the builds, in a schema of its own. */
final class Contender implements AutoCloseable {
  private static final int MINUTES_OF_AN_ORDER = 5;

  private final Path script;
  private final Database database;
  private final Process process;
  private final BufferedReader answers;
  private final PrintWriter orders;
  private final ScheduledExecutorService deadlines = Executors.newSingleThreadScheduledExecutor();

  /** Starts a process by the script {@code benchmarks/workload} of the build. */
  Contender(Path script, Database database, String schema) throws IOException {
    this.script = script;
    this.database = database;
    this.process = new ProcessBuilder(script.toString(), database.url(), schema)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
  }

  Measurement run(Phase phase, int jobs) throws IOException {
    long wal = database.walBytes();
    Map<Long, Duration> before = database.cpuByProcess();
    String[] figures = answer(phase.order() + " " + jobs).split(" ", 3);
    double serverCpu = seconds(before, database.cpuByProcess());
    wal = database.walBytes() - wal;
    double done = Double.parseDouble(figures[0]);
    double seconds = Double.parseDouble(figures[1]) / 1e9;
    double ownCpu = Double.parseDouble(figures[2]) / 1e9;
    return new Measurement(done / seconds, (ownCpu + serverCpu) * 1e6 / done, wal / done);
  }

  private String answer(String order) throws IOException {
    ScheduledFuture<?> deadline =
        deadlines.schedule(process::destroyForcibly, MINUTES_OF_AN_ORDER, TimeUnit.MINUTES);
    orders.println(order);
    String answer = ChildJvm.hear(answers)
        .orElseThrow(() ->
            new IllegalStateException(script + " gave no answer to \"" + order + "\", see above"));
    deadline.cancel(false);
    return answer;
  }

  /** The CPU time of the processes that are still there: the server ends some of its own now and then. */
  private static double seconds(Map<Long, Duration> before, Map<Long, Duration> after) {
    return after.entrySet().stream()
        .map(cpu -> cpu.getValue().minus(before.getOrDefault(cpu.getKey(), Duration.ZERO)))
        .mapToDouble(used -> used.toMillis() / 1e3)
        .sum();
  }

  @Override
  public void close() {
    deadlines.shutdownNow();
    process.destroyForcibly();
    process.onExit().join();
  }
}
