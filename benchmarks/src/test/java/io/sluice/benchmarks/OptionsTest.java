package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.benchmarks.Options.Kind;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OptionsTest {
  private static final Path PLOT = Path.of("docs", "held-snapshot.svg");

  @Test
  void nothing_isTheFullBenchmark() {
    assertThat(Options.of()).isEqualTo(new Options(Kind.STORES, false, 0, null, PLOT));
  }

  @Test
  void heldSnapshot_takesMinutes_orTen() {
    assertThat(Options.of("--held-snapshot").heldMinutes()).isEqualTo(10);
    assertThat(Options.of("--held-snapshot", "--json", "f").heldMinutes()).isEqualTo(10);
    Options options = Options.of("--held-snapshot", "0.5", "--plot", "p.svg", "--json", "f");
    assertThat(options)
        .isEqualTo(new Options(Kind.HELD_SNAPSHOT, false, 0.5, Path.of("f"), Path.of("p.svg")));
  }

  @Test
  void flow_isAnotherBenchmark_alsoQuick() {
    assertThat(Options.of("--flow", "--quick"))
        .isEqualTo(new Options(Kind.FLOW, true, 0, null, PLOT));
  }

  @Test
  void crowd_isAnotherBenchmark_alsoQuick() {
    assertThat(Options.of("--crowd", "--quick"))
        .isEqualTo(new Options(Kind.CROWD, true, 0, null, PLOT));
  }

  @Test
  void workflows_isAnotherBenchmark_alsoQuick() {
    assertThat(Options.of("--quick", "--workflows"))
        .isEqualTo(new Options(Kind.WORKFLOWS, true, 0, null, PLOT));
  }

  @Test
  void whatIsUnknownOrWrong_isRefused() {
    assertThatThrownBy(() -> Options.of("--quik")).hasMessageContaining("--quik");
    assertThatThrownBy(() -> Options.of("--json")).hasMessageContaining("--json");
    assertThatThrownBy(() -> Options.of("--held-snapshot", "0"))
        .hasMessageContaining("above 0, was 0");
    assertThatThrownBy(() -> Options.of("--held-snapshot", "soon"))
        .hasMessage("--held-snapshot must be a number of minutes above 0, was soon");
    assertThatThrownBy(() -> Options.of("--json", "/no/such/folder/f.json"))
        .hasMessage(
            "--json must name a file in a folder that is there, was /no/such/folder/f.json");
  }
}
