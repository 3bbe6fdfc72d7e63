package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LimitTest {
  private static void isRefused(Scope scope, String problem) {
    assertThatThrownBy(() -> new Limit(scope, null, 1)).hasMessageContaining(problem);
  }

  @Test
  void aScopeThatCannotBe_isRefused() {
    isRefused(Scope.tenant(""), "scope.tenant must be");
    isRefused(Scope.tenant("A:b"), "scope.tenant must be");
    isRefused(Scope.queue("acme", ""), "scope.name must be given for a limit on one queue");
    isRefused(Scope.urlGroup("acme", ""), "scope.name must be given for a limit on one url-group");
  }

  @Test
  void aLimitThatLimitsNothing_isRefused() {
    assertThatThrownBy(() -> new Limit(Scope.global(), null, null))
        .hasMessageContaining("must have a rate, a concurrency, or both");
    assertThatThrownBy(() -> new Limit(Scope.global(), null, 0)).hasMessageContaining("was 0");
  }

  @Test
  void aLimitOnEverything_needsNoName() {
    assertThat(new Limit(Scope.global(), null, 1).scope()).isEqualTo(Scope.global());
  }
}
