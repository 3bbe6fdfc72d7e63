package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The marks of levels are shares, the higher one not below the other. */
class MarksTest {
  @Test
  void marks_areSharesInOrder() {
    assertThat(new Marks(1, 1)).isNotEqualTo(Marks.DEFAULT);
    assertThat(HealthRules.DEFAULT.marks()).isEqualTo(Marks.DEFAULT);
    refused("levels.warning", 0, 0.5);
    refused("levels.warning", Double.NaN, 0.5);
    refused("levels.warning", 100, 500);
    refused("levels.high", 0.5, 0.4);
    refused("levels.high", 0.5, 1.1);
    refused("levels.high", 0.5, Double.NaN);
  }

  private static void refused(String field, double warning, double high) {
    assertThatThrownBy(() -> new Marks(warning, high))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.field()).contains(field));
  }
}
