package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryAfterTest {
  private static final Instant NOW = Instant.parse("2026-11-06T08:49:37Z");

  @Test
  void seconds_areTakenAsTheyAre_upToADay() {
    assertThat(RetryAfter.parse("120", NOW)).hasValue(Duration.ofMinutes(2));
    assertThat(RetryAfter.parse(" 0 ", NOW)).hasValue(Duration.ZERO);
    assertThat(RetryAfter.parse("86400", NOW)).hasValue(Duration.ofDays(1));
    assertThat(RetryAfter.parse("86401", NOW)).hasValue(Duration.ofDays(1));
    assertThat(RetryAfter.parse("999999999999999999", NOW)).hasValue(Duration.ofDays(1));
  }

  @Test
  void dates_areReadInAllThreeForms() {
    for (String date : List.of(
        "Fri, 06 Nov 2026 08:50:37 GMT",
        "Friday, 06-Nov-26 08:50:37 GMT",
        "Fri Nov  6 08:50:37 2026")) {
      assertThat(RetryAfter.parse(date, NOW)).as(date).hasValue(Duration.ofMinutes(1));
    }
    assertThat(RetryAfter.parse("Fri, 06 Nov 2037 08:50:37 GMT", NOW)).hasValue(Duration.ofDays(1));
  }

  @Test
  void pastDatesAndNonsense_leaveItToThePolicy() {
    for (String value : List.of(
        "Fri, 06 Nov 2026 08:49:37 GMT",
        "Fri, 06 Nov 2020 08:49:37 GMT",
        "",
        "soon",
        "-1",
        "1.5",
        "9999999999999999999999")) {
      assertThat(RetryAfter.parse(value, NOW)).as(value).isEmpty();
    }
  }
}
