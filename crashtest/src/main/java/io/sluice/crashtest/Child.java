package io.sluice.crashtest;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process that the director started and may kill, pause and resume. */
final class Child {
  private final String role;
  private final Process process;

  private Child(String role, Process process) {
    this.role = role;
    this.process = process;
  }

  /** Starts a main class in a JVM of its own, whose output goes to a file in the folder. */
  static Child start(String role, Class<?> main, Path folder, List<String> arguments) {
    List<String> line = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xmx192m",
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
        "-Dorg.slf4j.simpleLogger.showDateTime=true",
        "-cp",
        System.getProperty("java.class.path"),
        main.getName(),
        role));
    line.addAll(arguments);
    File output = folder.resolve(role + ".log").toFile();
    try {
      return new Child(
          role,
          new ProcessBuilder(line)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(output))
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The name by which the process signs its history. */
  String who() {
    return role + "#" + process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** True when it ended by itself, having done all it had to. */
  boolean hasFinished() {
    return !process.isAlive() && process.exitValue() == 0;
  }

  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  void pause() {
    signal("STOP");
  }

  void resume() {
    signal("CONT");
  }

  /** Sends a signal by the kill program, because Java itself can send only two. */
  private void signal(String name) {
    if (process.isAlive()) {
      try {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
            .start()
            .onExit()
            .join();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
