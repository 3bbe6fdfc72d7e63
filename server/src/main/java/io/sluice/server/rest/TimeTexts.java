package io.sluice.server.rest;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Times and days as callers write them, in the years that every store keeps: 1 to 9999. */
public final class TimeTexts {
  private static final int LAST_YEAR = 9999;

  private TimeTexts() {}

  /**
   * The time that the text says.
   *
   * @throws DateTimeException for another text, or another year
   */
  public static Instant time(String text) {
    return inUtc(text).toInstant();
  }

  /**
   * The day that the text says, or in which the time falls that it says.
   *
   * @throws DateTimeException for another text, or another year
   */
  public static LocalDate day(String text) {
    LocalDate day = text.contains("T") ? inUtc(text).toLocalDate() : LocalDate.parse(text);
    checkYear(day.getYear());
    return day;
  }

  private static OffsetDateTime inUtc(String text) {
    OffsetDateTime time = OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC);
    checkYear(time.getYear());
    return time;
  }

  private static void checkYear(int year) {
    if (year < 1 || year > LAST_YEAR) {
      throw new DateTimeException("the year " + year + " is not kept");
    }
  }
}
