package io.sluice.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a tenant can be told. */
final class TenantOptions {
  @Option(
      names = "--enabled",
      order = 10,
      negatable = true,
      description = "whether its credentials are taken and its jobs started")
  private @Nullable Boolean enabled;

  @Option(
      names = "--max-concurrent",
      order = 11,
      paramLabel = "N",
      description = "jobs that run at once")
  private @Nullable Integer maxConcurrent;

  @Option(
      names = "--max-size",
      order = 12,
      paramLabel = "N",
      description = "unfinished jobs that it may have")
  private @Nullable Long maxSize;

  @Option(
      names = "--rate",
      order = 13,
      paramLabel = "N[/TIME]",
      description = "jobs that start in a second, or 100/minute, or 5/hour")
  private @Nullable String rate;

  @Option(
      names = "--burst",
      order = 14,
      paramLabel = "N",
      description = "of them at once after a pause (what a second allows)")
  private @Nullable Integer burst;

  @Option(
      names = "--quota",
      order = 15,
      paramLabel = "NAME=N",
      description =
          "things that it may have: queues, urlGroups, keys, schedules, triggers, limits, "
              + "lanes or bytes (--unset quotas.NAME for any number)")
  private Map<String, Long> quotas = new LinkedHashMap<>();

  @Mixin
  private LevelOptions levels = new LevelOptions();

  @Mixin
  private WholeOptions whole = new WholeOptions();

  Body body(Console console) {
    Body body = whole
        .body(console)
        .set("enabled", enabled)
        .set("maxConcurrent", maxConcurrent)
        .set("maxSize", maxSize)
        .set("rateLimit.burst", burst);
    quotas.forEach((name, most) -> body.set("quotas." + name, most));
    levels.addTo(body);
    Speed.addTo(body, "rateLimit.per", Speed.of("--rate", rate));
    return body;
  }
}
