package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LimitTest {
  private static void refused(Scope.Kind kind, String tenant, String name, String problem) {
    Scope scope = new Scope(kind, tenant, name);
    assertThatThrownBy(() -> new Limit(scope, null, 1)).hasMessageContaining(problem);
  }

  @Test
  void aScopeThatCannotBe_isRefused() {
    refused(Scope.Kind.TENANT, "", "", "scope.tenant");
    refused(Scope.Kind.TENANT, "A:b", "", "scope.tenant");
    refused(Scope.Kind.QUEUE, "acme", "", "scope.name must be given for a limit on one queue");
    refused(
        Scope.Kind.URL_GROUP, "acme", "", "scope.name must be given for a limit on one url-group");
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
