package io.sluice.cli;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** When something of a limited size is called full to some degree. */
final class LevelOptions {
  @Option(
      names = "--warning-level",
      order = 21,
      paramLabel = "SHARE",
      description = "of its size at which it is WARNING (0.5)")
  private @Nullable BigDecimal warning;

  @Option(
      names = "--high-level",
      order = 22,
      paramLabel = "SHARE",
      description = "of its size at which it is HIGH (0.9)")
  private @Nullable BigDecimal high;

  void addTo(Body body) {
    body.set("levels.warning", warning).set("levels.high", high);
  }
}
