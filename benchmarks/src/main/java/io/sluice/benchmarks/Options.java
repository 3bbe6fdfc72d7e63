package io.sluice.benchmarks;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What was asked for on the command line. */
record Options(boolean quick, double heldMinutes, @Nullable Path json, Path plot) {
  private static final String USAGE =
      "usage: [--quick] [--held-snapshot [MINUTES] [--plot FILE]] [--json FILE]";
  private static final Path PLOT = Path.of("docs", "held-snapshot.svg");
  private static final double MINUTES = 10;

  static Options of(String... args) {
    Options options = new Options(false, 0, null, PLOT);
    for (int i = 0; i < args.length; i++) {
      String value = i + 1 < args.length && !args[i + 1].startsWith("--") ? args[i + 1] : null;
      options = options.with(args[i], value);
      if (value != null) {
        i++;
      }
    }
    return options;
  }

  private Options with(String option, @Nullable String value) {
    return switch (option) {
      case "--quick" when value == null -> new Options(true, heldMinutes, json, plot);
      case "--json" when value != null -> new Options(quick, heldMinutes, Path.of(value), plot);
      case "--plot" when value != null -> new Options(quick, heldMinutes, json, Path.of(value));
      case "--held-snapshot" -> new Options(quick, minutes(value), json, plot);
      default -> throw new IllegalArgumentException(USAGE + ", not " + option);
    };
  }

  private static double minutes(@Nullable String value) {
    double minutes = value == null ? MINUTES : Double.parseDouble(value);
    if (!(minutes > 0)) {
      throw new IllegalArgumentException("--held-snapshot must be more than 0 minutes, was " + value);
    }
    return minutes;
  }
}
