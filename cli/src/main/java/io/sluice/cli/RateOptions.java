package io.sluice.cli;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The rate limits of a URL group, which the server keeps and does not enforce yet. */
final class RateOptions {
  @Option(
      names = "--rate",
      order = 10,
      paramLabel = "N",
      description = "requests in a second (kept, not enforced yet)")
  private @Nullable BigDecimal rate;

  @Option(
      names = "--concurrent",
      order = 11,
      paramLabel = "N",
      description = "requests at once (kept, not enforced yet)")
  private @Nullable Integer concurrent;

  @Option(
      names = "--unset",
      order = 12,
      split = ",",
      paramLabel = "FIELD",
      description = "takes away requestsPerSecond or concurrentRequests")
  private List<String> unset = new ArrayList<>();

  @Option(
      names = "--from-json",
      order = 50,
      paramLabel = "FILE|-",
      description = "all of it as JSON")
  private @Nullable String fromJson;

  Body body(Console console) {
    return Body.of(console, fromJson)
        .set("requestsPerSecond", rate)
        .set("concurrentRequests", concurrent)
        .unset(unset);
  }
}
