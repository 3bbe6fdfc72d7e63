package io.sluice.server;

import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a process of its own, as the launcher starts it. */
public final class ServerProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern READY = Pattern.compile("(?m)^Sluice ready on (\\S+)$");
  private static final Pattern KEY = Pattern.compile("(?m)^Admin key is in (\\S+)$");

  private final Process process;
  private final Path out;
  private final Path err;

  private ServerProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /** Runs {@code sluice} with these arguments; its output goes to files in the folder. */
  static ServerProcess run(Path folder, List<String> options, String... arguments) {
    return of(folder, ProgramCommand.line(options, arguments), Map.of());
  }

  public static ServerProcess of(Path folder, List<String> command, Map<String, String> variables) {
    try {
      Path out = Files.createTempFile(folder, "out", ".txt");
      Path err = Files.createTempFile(folder, "err", ".txt");
      ProcessBuilder builder = new ProcessBuilder(command)
          .directory(folder.toFile())
          .redirectOutput(out.toFile())
          .redirectError(err.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("SLUICE_"));
      builder.environment().putAll(variables);
      return new ServerProcess(builder.start(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A server on a free port, with its data in the folder. */
  static ServerProcess serve(Path folder, String... flags) {
    List<String> arguments = new ArrayList<>(List.of("server", "--port", "0"));
    arguments.addAll(List.of(flags));
    return run(folder, ProgramCommand.BRIEF, arguments.toArray(String[]::new)).awaitReady();
  }

  public ServerProcess awaitReady() {
    Eventually.await(
        "ready", PATIENCE, () -> !process.isAlive() || READY.matcher(out()).find());
    if (!process.isAlive()) {
      throw new AssertionError("ended with " + process.exitValue() + "\n" + out() + err());
    }
    return this;
  }

  String out() {
    return read(out);
  }

  public String err() {
    return read(err);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String address() {
    return found(READY);
  }

  /** The admin key of the file that was named, where one was made; empty when there was one before. */
  public String key() {
    String file = found(KEY);
    return file.isEmpty() ? "" : read(Path.of(file)).strip();
  }

  private String found(Pattern pattern) {
    Matcher matcher = pattern.matcher(out());
    return matcher.find() ? matcher.group(1) : "";
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** The PostgreSQL that it started. */
  ProcessHandle postgres() {
    return process
        .children()
        .filter(child -> child.info().command().orElse("").endsWith("postgres"))
        .findFirst()
        .orElseThrow();
  }

  /** Sends SIGKILL, as nobody can refuse. */
  void kill() {
    process.destroyForcibly();
    exit();
  }

  /** Sends SIGTERM and waits for nothing. */
  void terminate() {
    process.destroy();
  }

  /** Sends SIGTERM and returns the code that the process ends with. */
  public int stop() {
    process.destroy();
    return exit();
  }

  /** The code that the process ends with by itself. */
  int exit() {
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("does not end:\n" + out() + err());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      stop();
    }
  }
}
