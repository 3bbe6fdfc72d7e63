package io.sluice.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A PostgreSQL server process, child of this one, from its start to its end. */
final class Postmaster {
  private static final Duration FAST = Duration.ofSeconds(30);
  private static final Duration IMMEDIATE = Duration.ofSeconds(10);

  private final Binaries binaries;
  private final Process process;

  private Postmaster(Binaries binaries, Process process) {
    this.binaries = binaries;
    this.process = process;
  }

  /** Settings of the server, and variables of its environment. */
  record Options(Map<String, String> settings, Map<String, String> environment) {}

  /** Starts the server and waits until it takes connections. */
  static Postmaster start(Binaries binaries, Cluster cluster, Options options, Duration limit)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-D", cluster.data().toString()));
    options.settings.forEach((name, value) -> arguments.addAll(List.of("-c", name + "=" + value)));
    long logStart = cluster.logSize();
    ProcessBuilder builder = binaries
        .command("postgres")
        .detached()
        .with(arguments)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(cluster.log().toFile()));
    builder.environment().putAll(options.environment);
    Process process = builder.start();
    Postmaster postmaster = new Postmaster(binaries, process);
    boolean ready = false;
    try {
      postmaster.awaitReady(cluster, logStart, limit);
      ready = true;
      return postmaster;
    } finally {
      if (!ready) {
        postmaster.stop();
      }
    }
  }

  private void awaitReady(Cluster cluster, long logStart, Duration limit) {
    Path pidFile = cluster.data().resolve("postmaster.pid");
    boolean inTime = Await.until(limit, () -> !process.isAlive() || saysReady(pidFile, pid()));
    if (!inTime) {
      throw new EmbeddedPostgresException(
          "PostgreSQL was not ready within " + limit + ":\n" + cluster.logTail(logStart));
    }
    if (!process.isAlive()) {
      throw ended(process, cluster.logTail(logStart));
    }
  }

  private static EmbeddedPostgresException ended(Process process, String tail) {
    if (tail.contains("could not bind") || tail.contains("Address already in use")) {
      return new PortTaken(tail);
    }
    return new EmbeddedPostgresException("PostgreSQL ended at its start with code "
        + process.exitValue() + Command.hint(tail) + ":\n" + tail);
  }

  /** The port of the server that works on these files and is ready, if there is one. */
  static Optional<Integer> portOf(Cluster cluster) throws IOException {
    Path pidFile = cluster.data().resolve("postmaster.pid");
    List<String> lines = Files.exists(pidFile) ? Files.readAllLines(pidFile) : List.of();
    if (lines.size() < 8 || !lines.getFirst().strip().matches("[0-9]{1,10}")) {
      return Optional.empty();
    }
    long pid = Long.parseLong(lines.getFirst().strip());
    boolean ready = ProcessHandle.of(pid).isPresent() && saysReady(pidFile, pid);
    return ready ? Optional.of(Integer.valueOf(lines.get(3).strip())) : Optional.empty();
  }

  /** The server keeps its state in the eighth line of its pid file. */
  private static boolean saysReady(Path pidFile, long pid) {
    try {
      if (!Files.exists(pidFile)) {
        return false;
      }
      List<String> lines = Files.readAllLines(pidFile);
      return lines.size() >= 8
          && lines.getFirst().strip().equals(Long.toString(pid))
          && lines.get(7).strip().equals("ready");
    } catch (IOException e) {
      return false; // being written
    }
  }

  long pid() {
    return process.pid();
  }

  /** Stops the server: open transactions are rolled back, and what was committed stays. */
  void stop() {
    if (!process.isAlive()) {
      return;
    }
    signal(binaries, "INT", pid());
    if (!endsWithin(FAST)) {
      signal(binaries, "QUIT", pid());
      if (!endsWithin(IMMEDIATE)) {
        process.destroyForcibly();
        process.onExit().join();
      }
    }
  }

  /** Deaf to interrupts: a server is stopped in order also by a thread that is told to end. */
  private boolean endsWithin(Duration limit) {
    return process
        .onExit()
        .orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
        .handle((ended, timeout) -> timeout == null)
        .join();
  }

  /** Sends a signal by pg_ctl, because Java itself can send only TERM and KILL. */
  static void signal(Binaries binaries, String signal, long pid) {
    try {
      binaries.command("pg_ctl").run("kill", signal, Long.toString(pid));
    } catch (EmbeddedPostgresException e) {
      if (ProcessHandle.of(pid).isPresent()) {
        throw e; // else it ended by itself a moment before
      }
    }
  }

  /** The port was taken between our look at it and the server's. */
  static final class PortTaken extends EmbeddedPostgresException {
    private static final long serialVersionUID = 1L;

    PortTaken(String tail) {
      super("the port of PostgreSQL is taken:\n" + tail);
    }
  }
}
