package io.sluice.server;

import io.sluice.cli.Console;
import io.sluice.cli.Pace;
import io.sluice.cli.Screen;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Somebody who types commands: the real program, in this process. */
public record Terminal(Map<String, String> variables, Screen screen) {
  /** What a command printed, and the code that it ended with. */
  public record Ran(int code, String out, String err) {}

  /** Runs {@code sluice} with these words, and nothing to read. */
  public Ran run(String... words) {
    return type("", words);
  }

  /** Runs {@code sluice} with these words and this on its standard input. */
  public Ran type(String input, String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console = new Console(
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        variables,
        screen,
        Pace.system());
    int code = Main.program(console).run(List.of(words));
    return new Ran(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
