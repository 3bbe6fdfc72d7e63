package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ErrorClass;
import io.sluice.JobError;
import io.sluice.RateLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How things are put in sentences. */
class WordsTest {
  @Test
  void times_areInUtc_toTheMillisecond() {
    assertThat(Words.time(Instant.parse("2030-01-15T12:00:00.123456789Z")))
        .isEqualTo("2030-01-15T12:00:00.123Z");
    assertThat(Words.time(Instant.parse("2030-01-15T12:00:00Z"))).isEqualTo("2030-01-15T12:00:00Z");
  }

  @Test
  void counts_haveTheirPlural() {
    assertThat(Words.count(0, "job")).isEqualTo("0 jobs");
    assertThat(Words.count(1, "job")).isEqualTo("1 job");
    assertThat(Words.count(12_345, "job")).isEqualTo("12,345 jobs");
  }

  @Test
  void lists_endWithAnd_andAreCutWhereTheyAreLong() {
    assertThat(Words.list(List.of("a"))).isEqualTo("a");
    assertThat(Words.list(List.of("a", "b"))).isEqualTo("a and b");
    assertThat(Words.list(List.of("a", "b", "c"))).isEqualTo("a, b and c");
    List<String> many = IntStream.range(0, 12).mapToObj(String::valueOf).toList();
    assertThat(Words.list(many)).isEqualTo("0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more");
  }

  @Test
  void spans_haveTwoUnitsAtMost() {
    assertThat(Words.span(Duration.ofMillis(-5))).isEqualTo("0ms");
    assertThat(Words.span(Duration.ofMillis(250))).isEqualTo("250ms");
    assertThat(Words.span(Duration.ofMillis(5_240))).isEqualTo("5.2s");
    assertThat(Words.span(Duration.ofSeconds(59))).isEqualTo("59s");
    assertThat(Words.span(Duration.ofSeconds(200))).isEqualTo("3m 20s");
    assertThat(Words.span(Duration.ofMinutes(60))).isEqualTo("1h");
    assertThat(Words.span(Duration.ofMinutes(302))).isEqualTo("5h 2m");
    assertThat(Words.span(Duration.ofHours(52))).isEqualTo("2d 4h");
  }

  @Test
  void rates_areExact_andPacesAreNot() {
    assertThat(Words.rate(new RateLimit(100, 10)))
        .isEqualTo("100 jobs start per second (burst 10)");
    assertThat(Words.rate(new RateLimit(12.5, RateLimit.Per.MINUTE, 1)))
        .isEqualTo("12.5 jobs start per minute (burst 1)");
    assertThat(Words.rate(new RateLimit(1, RateLimit.Per.HOUR, 1)))
        .isEqualTo("1 job start per hour (burst 1)");
    assertThat(Words.pace(1_234.5)).isEqualTo("1,235 jobs per second");
    assertThat(Words.pace(3.24)).isEqualTo("3.2 jobs per second");
    assertThat(Words.pace(1)).isEqualTo("1 job per second");
    assertThat(Words.pace(1.0 / 60)).isEqualTo("1 job per minute");
  }

  @Test
  void errors_areTheirClassAndTheirFirstLine() {
    assertThat(Words.error(error(ErrorClass.SERVER, "bad gateway.\nat x")))
        .isEqualTo("SERVER: bad gateway");
    assertThat(Words.error(error(ErrorClass.UNKNOWN, "boom"))).isEqualTo("HANDLER_FAILED: boom");
    assertThat(Words.error(error(ErrorClass.TIMEOUT, ""))).isEqualTo("TIMEOUT");
    assertThat(Words.error(error(ErrorClass.SERVER, "🙂".repeat(300))))
        .isEqualTo("SERVER: " + "🙂".repeat(200) + "…");
  }

  private static JobError error(ErrorClass kind, String message) {
    return new JobError(Instant.EPOCH, 1, kind, "HANDLER_FAILED", message, null, null, null);
  }
}
