package io.sluice.cli;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** A view that can be kept up to date until somebody ends it. */
final class LiveView {
  /** Writes over what is on the screen; the scrollback is the user's and stays. */
  static final String CLEAR = "\033[H\033[J";

  @Mixin
  private View view = new View();

  @Option(
      names = {"-w", "--watch"},
      order = 81,
      arity = "0..1",
      fallbackValue = "2",
      paramLabel = "SECONDS",
      description =
          "shows it again every 2 seconds, or as many as given, until it is over or Ctrl-C")
  private @Nullable Double watch;

  void show(Console console, Supplier<JsonNode> ask, Function<JsonNode, String> text) {
    show(console, ask, text, answer -> false);
  }

  /** Shows an answer; where it is watched, again and again until it is over. */
  void show(
      Console console,
      Supplier<JsonNode> ask,
      Function<JsonNode, String> text,
      Predicate<JsonNode> over) {
    if (watch == null) {
      view.print(console, ask.get(), text);
      return;
    }
    if (!(watch >= 0.1 && watch <= 3600)) {
      throw new CommandException(Exit.MISUSED, "--watch must be 0.1 to 3600 seconds, was " + watch);
    }
    Duration pause = Duration.ofMillis(Math.round(watch * 1000));
    JsonNode answer;
    do {
      answer = ask.get();
      head(console, pause);
      view.print(console, answer, text);
    } while (!over.test(answer) && console.pace().pause(pause));
  }

  private static void head(Console console, Duration pause) {
    String clear = console.screen().shows() ? CLEAR : "";
    console
        .out()
        .println(clear + console.pace().instant().truncatedTo(ChronoUnit.SECONDS)
            + "  every " + pause.toString().substring(2).toLowerCase(java.util.Locale.ROOT)
            + ", Ctrl-C ends it");
  }
}
