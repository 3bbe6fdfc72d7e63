package io.sluice.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A PostgreSQL program about to be run. */
final class Command {
  private final List<String> prefix;

  private Command(List<String> prefix) {
    this.prefix = prefix;
  }

  static Command of(Path program, RunAs user) {
    List<String> prefix = new ArrayList<>(user.prefix());
    prefix.add(program.toString());
    return new Command(prefix);
  }

  /** The same in a session of its own, so that Ctrl-C in a terminal reaches only this process. */
  Command detached() {
    List<String> longer = new ArrayList<>(prefix);
    onPath("setsid").ifPresent(setsid -> longer.addFirst(setsid.toString()));
    return new Command(longer);
  }

  ProcessBuilder with(List<String> arguments) {
    List<String> line = new ArrayList<>(prefix);
    line.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.redirectInput(new File("/dev/null"));
    // SLUICE_ variables hold the keys and passwords of the server: none of them is for its
    // children.
    builder.environment().keySet().removeIf(Command::isWithheld);
    builder.environment().put("LC_ALL", "C");
    return builder;
  }

  private static boolean isWithheld(String variable) {
    return variable.startsWith("PG")
        || variable.startsWith("LC_")
        || variable.startsWith("SLUICE_");
  }

  /** Runs to the end and answers what was printed; a failure is an exception that has it. */
  String run(String... arguments) {
    try {
      Process process = with(List.of(arguments)).start();
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.onExit().join().exitValue();
      if (code != 0) {
        throw new EmbeddedPostgresException(
            String.join(" ", prefix) + " ended with code " + code + hint(printed) + "\n" + printed);
      }
      return printed;
    } catch (IOException e) {
      throw new EmbeddedPostgresException("cannot run " + String.join(" ", prefix), e);
    }
  }

  /** What to do when the machine forbids user namespaces, as containers often do. */
  static String hint(String printed) {
    return printed.contains("unshare")
        ? " (user namespaces seem to be forbidden here: run as a user other than root)"
        : "";
  }

  static Optional<Path> onPath(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
    return Stream.of(path.split(":"))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
