package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Times that people read and type. */
class TimesTest {
  private final Pace clock = Desk.pace();

  @Test
  void ago_isRough() {
    assertThat(Times.ago("2026-01-31T09:59:48Z", clock)).isEqualTo("12s ago");
    assertThat(Times.ago("2026-01-31T09:30:00Z", clock)).isEqualTo("30m ago");
    assertThat(Times.ago("2026-01-31T05:00:00Z", clock)).isEqualTo("5h ago");
    assertThat(Times.ago("2026-01-01T05:00:00Z", clock)).isEqualTo("30d ago");
    assertThat(Times.ago("2026-01-31T10:05:00Z", clock)).isEqualTo("in 5m");
    assertThat(Times.ago("2026-01-31T10:00:00.5Z", clock)).isEqualTo("now");
    assertThat(Times.ago("", clock)).isEmpty();
  }

  @Test
  void readable_isRoughWhereItIsLong() {
    assertThat(Times.readable("350ms")).isEqualTo("350ms");
    assertThat(Times.readable("1990ms")).isEqualTo("1.9s");
    assertThat(Times.readable("2s")).isEqualTo("2s");
    assertThat(Times.readable("245678ms")).isEqualTo("4m");
    assertThat(Times.readable("1036800123ms")).isEqualTo("12d");
    assertThat(Times.readable("")).isEmpty();
  }

  @Test
  void full_hasTheDateAndTheDistance() {
    assertThat(Times.full("2026-01-31T09:59:48.123Z", clock))
        .isEqualTo("2026-01-31 09:59:48 UTC (11s ago)");
  }

  @Test
  void past_takesTimesDaysAndDistances() {
    assertThat(Times.past("--from", "2h", clock)).isEqualTo(Instant.parse("2026-01-31T08:00:00Z"));
    assertThat(Times.past("--from", "2026-01-30", clock))
        .isEqualTo(Instant.parse("2026-01-30T00:00:00Z"));
    assertThat(Times.past("--from", "2026-01-30T01:02:03Z", clock))
        .isEqualTo(Instant.parse("2026-01-30T01:02:03Z"));
    assertThatThrownBy(() -> Times.past("--from", "yesterday", clock))
        .hasMessageStartingWith("--from must be a time (2026-01-31T10:00:00Z), a day")
        .hasMessageEndingWith("was 'yesterday'");
  }

  @Test
  void span_takesUnits() {
    assertThat(Times.span("--wait", "250ms")).isEqualTo(Duration.ofMillis(250));
    assertThat(Times.span("--wait", "5m")).isEqualTo(Duration.ofMinutes(5));
    assertThatThrownBy(() -> Times.span("--wait", "5"))
        .hasMessage("--wait must be a time such as 250ms, 30s, 5m or 24h, was '5'");
  }
}
