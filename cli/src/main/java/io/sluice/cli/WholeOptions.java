package io.sluice.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A body that is given whole, and what is taken away from the thing it changes. */
final class WholeOptions {
  @Option(
      names = "--unset",
      order = 49,
      split = ",",
      paramLabel = "FIELD",
      description = "takes these away, by their names in JSON")
  private List<String> unset = new ArrayList<>();

  @Option(
      names = "--from-json",
      order = 50,
      paramLabel = "FILE|-",
      description = "all of it as JSON")
  private @Nullable String fromJson;

  /** What was given, for the other options to be put over it. */
  Body body(Console console) {
    return Body.of(console, fromJson).unset(unset);
  }
}
