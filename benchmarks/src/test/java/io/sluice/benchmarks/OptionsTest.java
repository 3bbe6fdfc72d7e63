package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OptionsTest {
  @Test
  void nothing_isTheFullBenchmark() {
    assertThat(Options.of())
        .isEqualTo(new Options(false, false, 0, null, Path.of("docs", "held-snapshot.svg")));
  }

  @Test
  void heldSnapshot_takesMinutes_orTen() {
    assertThat(Options.of("--held-snapshot").heldMinutes()).isEqualTo(10);
    assertThat(Options.of("--held-snapshot", "--json", "f").heldMinutes()).isEqualTo(10);
    Options options = Options.of("--held-snapshot", "0.5", "--plot", "p.svg", "--json", "f");
    assertThat(options).isEqualTo(new Options(false, false, 0.5, Path.of("f"), Path.of("p.svg")));
  }

  @Test
  void flow_isAnotherBenchmark_alsoQuick() {
    assertThat(Options.of("--flow", "--quick"))
        .isEqualTo(new Options(true, true, 0, null, Path.of("docs", "held-snapshot.svg")));
  }

  @Test
  void whatIsUnknownOrWrong_isRefused() {
    assertThatThrownBy(() -> Options.of("--quik")).hasMessageContaining("--quik");
    assertThatThrownBy(() -> Options.of("--json")).hasMessageContaining("--json");
    assertThatThrownBy(() -> Options.of("--held-snapshot", "0"))
        .hasMessageContaining("more than 0");
    assertThatThrownBy(() -> Options.of("--held-snapshot", "soon")).hasMessageContaining("soon");
  }
}
