package io.sluice.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times and durations, as people read and write them. */
final class Times {
  private static final DateTimeFormatter FULL =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
  private static final Pattern SHORT = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

  private static final Pattern SERVED = Pattern.compile("(\\d{1,15})(ms|s|m|h|d)");

  private Times() {}

  /** "12s ago", "in 5m"; nothing for nothing. */
  static String ago(String time, InstantSource clock) {
    if (time.isEmpty()) {
      return "";
    }
    Duration since = Duration.between(Instant.parse(time), clock.instant());
    if (since.abs().compareTo(Duration.ofSeconds(1)) < 0) {
      return "now";
    }
    return since.isNegative() ? "in " + rough(since.negated()) : rough(since) + " ago";
  }

  /** "2026-01-31 10:15:00 UTC (3h ago)"; nothing for nothing. */
  static String full(String time, InstantSource clock) {
    return time.isEmpty()
        ? ""
        : FULL.format(Instant.parse(time)) + " UTC (" + ago(time, clock) + ")";
  }

  /** "350ms", "1.9s", "4m" for a duration of the API; anything else as it is. */
  static String readable(String duration) {
    Matcher shorthand = SERVED.matcher(duration);
    if (!shorthand.matches()) {
      return duration;
    }
    Duration time = span(shorthand);
    if (time.toMillis() < 1000) {
      return duration;
    }
    return time.toSeconds() < 10
        ? BigDecimal.valueOf(time.toMillis() / 100, 1).stripTrailingZeros().toPlainString() + "s"
        : rough(time);
  }

  private static String rough(Duration time) {
    if (time.toMinutes() < 2) {
      return time.toSeconds() + "s";
    }
    if (time.toHours() < 2) {
      return time.toMinutes() + "m";
    }
    return time.toDays() < 2 ? time.toHours() + "h" : time.toDays() + "d";
  }

  /** A time that somebody typed: ISO-8601, a day, or how long ago ("2h"). */
  static Instant past(String option, String given, InstantSource clock) {
    Matcher shorthand = SHORT.matcher(given);
    return shorthand.matches()
        ? clock.instant().minus(span(shorthand)).truncatedTo(ChronoUnit.MILLIS)
        : time(option, given);
  }

  private static Instant time(String option, String given) {
    try {
      return given.length() == 10
          ? LocalDate.parse(given).atStartOfDay(ZoneOffset.UTC).toInstant()
          : Instant.parse(given);
    } catch (DateTimeParseException e) {
      throw new CommandException(
          Exit.MISUSED,
          option
              + " must be a time (2026-01-31T10:00:00Z), a day (2026-01-31) or how long ago (2h), was '"
              + given + "'");
    }
  }

  /** A duration that somebody typed, such as 250ms, 30s, 5m, 24h. */
  static Duration span(String option, String given) {
    Matcher shorthand = SHORT.matcher(given);
    if (!shorthand.matches()) {
      throw new CommandException(
          Exit.MISUSED,
          option + " must be a time such as 250ms, 30s, 5m or 24h, was '" + given + "'");
    }
    return span(shorthand);
  }

  private static Duration span(Matcher shorthand) {
    long number = Long.parseLong(shorthand.group(1));
    return switch (shorthand.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }
}
