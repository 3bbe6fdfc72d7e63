package io.sluice.crashtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SizeTest {
  @Test
  void everyFaultAndCondition_isInTheLongTier() {
    Size size = Size.large();
    assertThat(FaultKind.values())
        .filteredOn(kind -> kind != FaultKind.STALL)
        .allSatisfy(kind -> assertThat(size.count(kind)).isPositive());
    assertThat(size.conditions()).containsExactlyInAnyOrder(Condition.values());
  }

  @Test
  void faultsAndConditions_canBeLeftOut() {
    Size size = Size.quick().without("LATE_COMMIT,PURGE");
    assertThat(size.count(FaultKind.LATE_COMMIT)).isZero();
    assertThat(size.has(Condition.PURGE)).isFalse();
    assertThat(size.count(FaultKind.CUT)).isEqualTo(Size.quick().count(FaultKind.CUT));
    assertThat(Size.quick().without("")).isEqualTo(Size.quick());
  }

  @Test
  void whatIsNotThere_cannotBeLeftOut() {
    assertThatThrownBy(() -> Size.quick().without("CLOCK_STEP"))
        .hasMessage("sluice.without names what is not in the tier quick: [CLOCK_STEP]");
  }
}
