package io.sluice.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** In which states jobs are meant. */
final class StateFilter {
  @Option(
      names = "--state",
      split = ",",
      order = 11,
      paramLabel = "STATE",
      description =
          "in these: scheduled, pending, running, retrying, completed, failed, dead, cancelled")
  private List<String> states = new ArrayList<>();

  /** As the API wants them; nothing for all. */
  @Nullable
  String value() {
    return states.isEmpty() ? null : String.join(",", states).toUpperCase(Locale.ROOT);
  }
}
