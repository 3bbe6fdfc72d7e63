package io.sluice.crashtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SeedsTest {
  @Test
  void everyTier_hasASeed() {
    assertThat(List.of("quick", "short", "long"))
        .allSatisfy(tier -> assertThat(Seeds.of(tier, "")).contains(1L));
  }

  @Test
  void theSeedThatWasAskedFor_isTheOnlyOne() {
    assertThat(Seeds.of("quick", "7")).containsExactly(7L);
  }

  @Test
  void nothingToRun_isAnError() {
    assertThatThrownBy(() -> Seeds.of("other", ""))
        .hasMessage("no seed is kept for the tier other: give one with -Dsluice.seed=NUMBER");
  }

  @Test
  void aSeedThatIsNoNumber_isNamed() {
    assertThatThrownBy(() -> Seeds.of("quick", "abc"))
        .hasMessage("sluice.seed must be a whole number, was abc");
  }
}
