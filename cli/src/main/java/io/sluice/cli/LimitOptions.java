package io.sluice.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a limit can be told. */
final class LimitOptions {
  @Option(
      names = "--rate",
      order = 10,
      paramLabel = "N[/TIME]",
      description = "jobs that start in a second, or 100/minute, or 5/hour")
  private @Nullable String rate;

  @Option(
      names = "--burst",
      order = 11,
      paramLabel = "N",
      description = "of them at once after a pause (what a second allows)")
  private @Nullable Integer burst;

  @Option(
      names = "--concurrency",
      order = 12,
      paramLabel = "N",
      description = "jobs that run at once")
  private @Nullable Integer concurrency;

  @Option(
      names = "--scope",
      order = 13,
      paramLabel = "SCOPE",
      description = "what a key without a colon is: key, queue, url-group or type (key)")
  private @Nullable String scope;

  @Mixin
  private WholeOptions whole = new WholeOptions();

  Body body(Console console) {
    Speed speed = Speed.of("--rate", rate);
    Body body =
        whole.body(console).set("scope", scope).set("burst", burst).set("concurrency", concurrency);
    return speed == null
        ? body
        : body.set("rate", speed.amount()).set("per", speed.unit().word());
  }
}
