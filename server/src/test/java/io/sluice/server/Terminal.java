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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Somebody who types commands: the real program, in this process. */
public record Terminal(Map<String, String> variables, Screen screen, Pace pace) {
  public Terminal(Map<String, String> variables, Screen screen) {
    this(variables, screen, Pace.system());
  }

  /** Somebody with the admin's key of a server, in a script. */
  public static Terminal of(TestServer server) {
    return new Terminal(
        Map.of("SLUICE_SERVER", server.admin().address(), "SLUICE_KEY", TestServer.ADMIN_KEY),
        Screen.NONE);
  }

  /** The same person, who sits before a screen. */
  public Terminal with(Screen other) {
    return new Terminal(variables, other, pace);
  }

  public Terminal with(Pace other) {
    return new Terminal(variables, screen, other);
  }

  /** What a command printed, and the code that it ended with. */
  public record Ran(int code, String out, String err) {
    public JsonNode json() {
      return new JsonMapper().readTree(out);
    }
  }

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
        pace);
    int code = Main.program(console).run(List.of(words));
    return new Ran(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
