package io.sluice.benchmarks;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was asked for on the command line. */
record Options(
    boolean quick,
    boolean flow,
    double heldMinutes,
    @Nullable Path json,
    Path plot) {
  private static final String USAGE =
      "usage: [--quick] [--flow] [--held-snapshot [MINUTES] [--plot FILE]] [--json FILE]";
  private static final Path PLOT = Path.of("docs", "held-snapshot.svg");
  private static final double MINUTES = 10;

  static Options of(String... args) {
    Options options = new Options(false, false, 0, null, PLOT);
    for (int i = 0; i < args.length; i++) {
      String option = args[i];
      boolean hasValue = i + 1 < args.length && !args[i + 1].startsWith("--");
      options = options.with(
          option, hasValue && !List.of("--quick", "--flow").contains(option) ? args[++i] : null);
    }
    return options;
  }

  private Options with(String option, @Nullable String value) {
    if (value == null && List.of("--json", "--plot").contains(option)) {
      throw new IllegalArgumentException(option + " must name a file");
    }
    return switch (option) {
      case "--quick" -> new Options(true, flow, heldMinutes, json, plot);
      case "--flow" -> new Options(quick, true, heldMinutes, json, plot);
      case "--json" -> new Options(quick, flow, heldMinutes, Path.of(String.valueOf(value)), plot);
      case "--plot" -> new Options(quick, flow, heldMinutes, json, Path.of(String.valueOf(value)));
      case "--held-snapshot" -> new Options(quick, flow, minutes(value), json, plot);
      default -> throw new IllegalArgumentException(USAGE + ", not " + option);
    };
  }

  private static double minutes(@Nullable String value) {
    double minutes = value == null ? MINUTES : Double.parseDouble(value);
    if (!(minutes > 0)) {
      throw new IllegalArgumentException(
          "--held-snapshot must be more than 0 minutes, was " + value);
    }
    return minutes;
  }
}
