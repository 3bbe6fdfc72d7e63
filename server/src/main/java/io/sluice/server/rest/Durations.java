package io.sluice.server.rest;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as people write them: {@code 250ms 30s 5m 24h 7d}, or in the form of ISO-8601. */
public final class Durations {
  private static final Pattern SHORT = Pattern.compile("([0-9]{1,15})(ms|s|m|h|d)");

  private Durations() {}

  /** The duration that the text says, never a negative one. */
  public static Duration parse(String text) {
    var match = SHORT.matcher(text);
    try {
      Duration duration = match.matches()
          ? Duration.ofMillis(
              Math.multiplyExact(Long.parseLong(match.group(1)), millis(match.group(2))))
          : Duration.parse(text);
      if (!duration.isNegative()) {
        return duration;
      }
    } catch (DateTimeException | ArithmeticException e) {
      throw wrong(e);
    }
    throw wrong(null);
  }

  private static IllegalArgumentException wrong(@Nullable Exception cause) {
    return new IllegalArgumentException(
        "must be a duration such as \"250ms\", \"30s\", \"5m\" or \"24h\"", cause);
  }

  private static long millis(String unit) {
    return switch (unit) {
      case "ms" -> 1;
      case "s" -> 1_000;
      case "m" -> 60_000;
      case "h" -> 3_600_000;
      default -> 86_400_000;
    };
  }

  /** The shortest of these forms that says the duration to the millisecond. */
  public static String format(Duration duration) {
    long millis = duration.toMillis();
    if (millis == 0) {
      return "0s";
    }
    for (String unit : new String[] {"h", "m", "s"}) {
      if (millis % millis(unit) == 0) {
        return millis / millis(unit) + unit;
      }
    }
    return millis + "ms";
  }
}
