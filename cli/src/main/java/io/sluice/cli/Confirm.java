package io.sluice.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A yes before something is done to many things, or for good. */
final class Confirm {
  @Option(
      names = {"-y", "--yes"},
      order = 82,
      description = "does it without asking")
  private boolean yes;

  /** Returns when it may go on. {@code what} says in a sentence what will be done. */
  void ask(Console console, String what) {
    if (yes) {
      return;
    }
    if (!console.screen().asks()) {
      throw new CommandException(
          Exit.MISUSED, List.of(what, "nothing was done: there is nobody to ask; --yes does it"));
    }
    console.err().print("sluice: " + what + ". Go on? [y/N] ");
    console.err().flush();
    String answer = answer(console);
    if (answer == null || !Set.of("y", "yes").contains(answer.strip().toLowerCase(Locale.ROOT))) {
      throw new CommandException(Exit.MISUSED, "nothing was done");
    }
  }

  private static @Nullable String answer(Console console) {
    try {
      return new BufferedReader(new InputStreamReader(console.in(), StandardCharsets.UTF_8))
          .readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
