package io.sluice.crashtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.crashtest.Usage.Span;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class UsageTest {
  private static final Duration TEN = Duration.ofNanos(10);

  @Test
  void mostAtOnce_countsOverlaps_andNoneWhereOneBeginsAsAnotherEnds() {
    assertThat(Usage.mostAtOnce(List.of(new Span(0, 5), new Span(5, 9), new Span(9, 12)))
            .count())
        .isEqualTo(1);
    assertThat(Usage.mostAtOnce(List.of(new Span(0, 5), new Span(4, 9), new Span(2, 8))))
        .isEqualTo(new Usage.Peak(3, 4));
    assertThat(Usage.mostAtOnce(List.of(new Span(3, 3), new Span(7, 6))).count())
        .isZero();
  }

  @Test
  void mean_isOfTheTimeThatWasAskedFor() {
    List<Span> spans = List.of(new Span(0, 10), new Span(5, 100), new Span(-50, -10));
    assertThat(Usage.mean(spans, 0, 10)).isEqualTo(1.5);
    assertThat(Usage.mean(spans, 20, 30)).isEqualTo(1);
  }

  @Test
  void mostWithin_slidesOverAllMoments() {
    assertThat(Usage.mostWithin(TEN, List.of(0L, 9L, 10L, 18L, 19L, 20L)))
        .isEqualTo(new Usage.Peak(3, 9));
    assertThat(Usage.mostWithin(TEN, List.of(10L, 0L)).count()).isEqualTo(1);
    assertThat(Usage.mostWithin(TEN, List.of()).count()).isZero();
  }
}
