package io.sluice.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was asked for on the command line. */
record Options(
    Kind kind, boolean quick, double heldMinutes, @Nullable Path json, Path plot) {
  /** Which benchmark. */
  enum Kind {
    STORES,
    HELD_SNAPSHOT,
    FLOW,
    CROWD,
    WORKFLOWS
  }

  private static final String USAGE = "usage: [--quick] [--flow] [--crowd] [--workflows]"
      + " [--held-snapshot [MINUTES] [--plot FILE]] [--json FILE]";
  private static final List<String> WITHOUT_VALUE =
      List.of("--quick", "--flow", "--crowd", "--workflows");
  /** The picture in the docs, wherever this was called from. */
  private static final Path PLOT =
      Path.of(System.getProperty("sluice.benchmarks.root", ""), "docs", "held-snapshot.svg");

  private static final double MINUTES = 10;

  static Options of(String... args) {
    Options options = new Options(Kind.STORES, false, 0, null, PLOT);
    for (int i = 0; i < args.length; i++) {
      String option = args[i];
      boolean hasValue = i + 1 < args.length && !args[i + 1].startsWith("--");
      options =
          options.with(option, hasValue && !WITHOUT_VALUE.contains(option) ? args[++i] : null);
    }
    return options;
  }

  private Options with(String option, @Nullable String value) {
    return switch (option) {
      case "--quick" -> new Options(kind, true, heldMinutes, json, plot);
      case "--flow" -> with(Kind.FLOW);
      case "--crowd" -> with(Kind.CROWD);
      case "--workflows" -> with(Kind.WORKFLOWS);
      case "--json" -> new Options(kind, quick, heldMinutes, file(option, value), plot);
      case "--plot" -> new Options(kind, quick, heldMinutes, json, file(option, value));
      case "--held-snapshot" -> new Options(Kind.HELD_SNAPSHOT, quick, minutes(value), json, plot);
      default -> throw new IllegalArgumentException(USAGE + ", not " + option);
    };
  }

  private Options with(Kind other) {
    return new Options(other, quick, heldMinutes, json, plot);
  }

  private static Path file(String option, @Nullable String value) {
    Path file = Path.of(given(option, value, "file"));
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          option + " must name a file in a folder that is there, was " + file);
    }
    return file;
  }

  private static String given(String option, @Nullable String value, String what) {
    if (value == null) {
      throw new IllegalArgumentException(option + " must name a " + what);
    }
    return value;
  }

  private static double minutes(@Nullable String value) {
    if (value == null) {
      return MINUTES;
    }
    try {
      double minutes = Double.parseDouble(value);
      if (minutes > 0) {
        return minutes;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(notMinutes(value), e);
    }
    throw new IllegalArgumentException(notMinutes(value));
  }

  private static String notMinutes(String value) {
    return "--held-snapshot must be a number of minutes above 0, was " + value;
  }
}
