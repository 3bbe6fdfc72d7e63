package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.Speed.Unit;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpeedTest {
  @Test
  void of_takesANumberAndATime() {
    Map.of(
            "100", new Speed(new BigDecimal(100), Unit.SECOND),
            "0.5", new Speed(new BigDecimal("0.5"), Unit.SECOND),
            "100/s", new Speed(new BigDecimal(100), Unit.SECOND),
            "7/sec", new Speed(new BigDecimal(7), Unit.SECOND),
            "100/minute", new Speed(new BigDecimal(100), Unit.MINUTE),
            "100 / Min", new Speed(new BigDecimal(100), Unit.MINUTE),
            "3/m", new Speed(new BigDecimal(3), Unit.MINUTE),
            "5/hour", new Speed(new BigDecimal(5), Unit.HOUR),
            "5/h", new Speed(new BigDecimal(5), Unit.HOUR))
        .forEach(
            (typed, meant) -> assertThat(Speed.of("--rate", typed)).as(typed).isEqualTo(meant));
    assertThat(Speed.of("--rate", null)).isNull();
  }

  @Test
  void of_refusesTheRest_withWhatWouldBeRight() {
    for (String wrong : List.of("", "fast", "-1", "100/day", "100/", "1e3", "/s")) {
      assertThatThrownBy(() -> Speed.of("--rate", wrong))
          .as(wrong)
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("100/minute")
          .hasMessageContaining("'" + wrong + "'");
    }
  }

  @Test
  void addTo_setsTheFieldOfTheTime() {
    Body body = Body.empty();
    Speed.addTo(body, "rateLimit.per", Speed.of("--rate", "100/minute"));
    Speed.addTo(body, "rateLimits.requestsPer", Speed.of("--rate", "5"));
    assertThat(body.node().toString())
        .isEqualTo("{\"rateLimit\":{\"perMinute\":100},\"rateLimits\":{\"requestsPerSecond\":5}}");
  }

  @Test
  void shown_isTheRateOfWhicheverFieldHasIt() {
    assertThat(Speed.shown(Json.read("{\"perHour\":5.0}"), "per")).isEqualTo("5/h");
    assertThat(Speed.shown(Json.read("{\"requestsPerSecond\":0.5}"), "requestsPer"))
        .isEqualTo("0.5/s");
    assertThat(Speed.shown(Json.read("null"), "per")).isEqualTo("-");
    assertThat(Speed.shown("100", "minute")).isEqualTo("100/min");
    assertThat(Speed.shown("", "")).isEqualTo("-");
  }
}
