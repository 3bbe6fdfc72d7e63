package io.sluice.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The rate limits of a URL group. */
final class RateOptions {
  @Option(
      names = "--rate",
      order = 10,
      paramLabel = "N[/TIME]",
      description = "requests in a second, or 100/minute, or 5/hour")
  private @Nullable String rate;

  @Option(
      names = "--burst",
      order = 11,
      paramLabel = "N",
      description = "of them at once after a pause (what a second allows)")
  private @Nullable Integer burst;

  @Option(names = "--concurrent", order = 12, paramLabel = "N", description = "requests at once")
  private @Nullable Integer concurrent;

  @Mixin
  private WholeOptions whole = new WholeOptions();

  Body body(Console console) {
    Body body = whole.body(console).set("burst", burst).set("concurrentRequests", concurrent);
    Speed.addTo(body, "requestsPer", Speed.of("--rate", rate));
    return body;
  }
}
