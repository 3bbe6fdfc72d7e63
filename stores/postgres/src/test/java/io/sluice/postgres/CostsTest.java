package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.Scope;
import org.junit.jupiter.api.Test;

class CostsTest {
  private static final Scope SCOPE = Scope.tenant("acme");

  private final Costs costs = new Costs();

  @Test
  void average_isOne_untilSomethingElseIsSeen() {
    costs.note(SCOPE, 1);
    assertThat(costs.of(SCOPE)).isEqualTo(1);
    costs.note(SCOPE, 7);
    assertThat(costs.of(SCOPE)).isEqualTo(7);
    assertThat(costs.of(Scope.global())).isEqualTo(1);
  }

  @Test
  void average_followsWhatIsSeen() {
    costs.note(SCOPE, 100);
    for (int i = 0; i < 100; i++) {
      costs.note(SCOPE, 3);
    }
    assertThat(costs.of(SCOPE)).isCloseTo(3, within(0.1));
  }
}
