package io.sluice.cli;

import java.util.function.Function;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** How an answer is shown: for people, or as the server gave it. */
final class View {
  @Option(names = "--json", order = 80, description = "prints the server's answer as JSON")
  private boolean json;

  void print(Console console, JsonNode answer, Function<JsonNode, String> text) {
    console.out().print(json ? Json.pretty(answer) + System.lineSeparator() : text.apply(answer));
    console.out().flush();
    if (!json && answer.path("nextCursor").isString()) {
      more(console, Json.text(answer, "nextCursor"));
    }
  }

  private static void more(Console console, String cursor) {
    String line = "there are more: --all, or --cursor " + cursor;
    if (console.screen().shows()
        && line.length() + "sluice: ".length() > console.screen().width()) {
      // On a line of its own it is not broken in the middle, and can be copied.
      console.say("there are more: --all, or this with --cursor:");
      console.err().println(cursor);
    } else {
      console.say(line);
    }
  }

  /** Says one line about what was done, or the answer in full. */
  void done(Console console, JsonNode answer, String line) {
    print(console, answer, any -> line + System.lineSeparator());
  }
}
