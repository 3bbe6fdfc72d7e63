package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      TENANT    | ''   | ''  | scope.tenant
      TENANT    | A:b  | ''  | scope.tenant
      QUEUE     | acme | ''  | scope.name must be given for a limit on one queue
      URL_GROUP | acme | ''  | scope.name must be given for a limit on one url-group
      """)
  void aScopeThatCannotBe_isRefused(Scope.Kind kind, String tenant, String name, String problem) {
    Scope scope = new Scope(kind, tenant, name);
    assertThatThrownBy(() -> new Limit(scope, null, 1)).hasMessageContaining(problem);
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
