package io.sluice.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads the header Retry-After: how long a receiver wants to be left alone. */
final class RetryAfter {
  static final Duration LONGEST = Duration.ofHours(24);

  /** The forms of a date in HTTP: the one in use and two old ones. */
  private static final List<DateTimeFormatter> DATES = List.of(
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH),
      DateTimeFormatter.ofPattern("EEEE, dd-MMM-yy HH:mm:ss 'GMT'", Locale.ENGLISH),
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH));

  private RetryAfter() {}

  /**
   * The wait, at most a day. Empty for what cannot be read, and for a date that is past: clocks differ,
   * and a retry at once is not what it asks for.
   */
  static Optional<Duration> parse(String value, Instant now) {
    String text = value.strip();
    if (text.matches("[0-9]{1,18}")) {
      return Optional.of(bounded(Duration.ofSeconds(Long.parseLong(text))));
    }
    return DATES.stream()
        .flatMap(form -> date(text, form).stream())
        .filter(date -> date.isAfter(now))
        .map(date -> bounded(Duration.between(now, date)))
        .findFirst();
  }

  private static Optional<Instant> date(String text, DateTimeFormatter form) {
    try {
      return Optional.of(LocalDateTime.parse(text, form).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException anotherForm) {
      return Optional.empty();
    }
  }

  private static Duration bounded(Duration wait) {
    return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
  }
}
