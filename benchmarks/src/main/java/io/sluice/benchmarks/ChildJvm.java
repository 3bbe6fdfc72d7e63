package io.sluice.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A class of the benchmark in a process of its own: how it is started, and how it tells what it measured. */
public final class ChildJvm {
  /** What a line begins with that is meant for the parent, and not for people. */
  private static final String MARK = "figure\t";

  private ChildJvm() {}

  public static void tell(String text) {
    System.out.println(MARK + text);
  }

  /** The next line that was told; empty when the process has ended. */
  public static Optional<String> hear(BufferedReader output) throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(MARK)) {
        return Optional.of(line.substring(MARK.length()));
      }
    }
    return Optional.empty();
  }

  /** The settings of this virtual machine, so that the other one is of the same kind. */
  private static List<String> compilerAndCollector() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("-XX:"))
        .toList();
  }

  static List<String> line(
      String classpath, List<String> options, Class<?> main, List<String> arguments) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    line.addAll(compilerAndCollector());
    line.addAll(options);
    line.addAll(List.of("-cp", classpath, main.getName()));
    line.addAll(arguments);
    return line;
  }
}
