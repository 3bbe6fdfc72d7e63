package io.sluice.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a queue can be told. */
final class QueueOptions {
  @Option(
      names = "--priority",
      order = 10,
      paramLabel = "PRIORITY",
      description = "its share of the slots: critical, high, normal, low, or 0 to 20")
  private @Nullable String priority;

  @Option(
      names = "--max-concurrent",
      order = 11,
      paramLabel = "N",
      description = "jobs that run at once, over all servers")
  private @Nullable Integer maxConcurrent;

  @Option(
      names = "--max-size",
      order = 12,
      paramLabel = "N",
      description = "unfinished jobs that it holds")
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
      names = "--ordered",
      order = 15,
      paramLabel = "HOW",
      description = "one after the other: none, queue (all jobs) or key (of a limit key)")
  private @Nullable String ordered;

  @Option(
      names = "--timeout",
      order = 16,
      paramLabel = "TIME",
      description = "of jobs that do not say")
  private @Nullable String timeout;

  @Option(
      names = "--dead-letter",
      order = 17,
      negatable = true,
      description = "whether what failed for good goes to the dead letters")
  private @Nullable Boolean deadLetter;

  @Option(
      names = "--keep-completed",
      order = 18,
      paramLabel = "TIME",
      description = "completed jobs are kept")
  private @Nullable String keepCompleted;

  @Option(
      names = "--keep-dead",
      order = 19,
      paramLabel = "TIME",
      description = "failed and dead jobs are kept")
  private @Nullable String keepDead;

  @Option(
      names = "--url-group",
      order = 20,
      paramLabel = "NAME",
      description = "of requests that name none")
  private @Nullable String urlGroup;

  @Mixin
  private LevelOptions levels = new LevelOptions();

  @Mixin
  private RetryOptions retry = new RetryOptions();

  @Mixin
  private WholeOptions whole = new WholeOptions();

  Body body(Console console) {
    Body body = whole
        .body(console)
        .set("priority", priority == null ? null : JobOptions.priority(priority))
        .set("maxConcurrent", maxConcurrent)
        .set("maxSize", maxSize)
        .set("rateLimit.burst", burst)
        .set("ordered", ordered)
        .set("defaultTimeout", timeout)
        .set("deadLetter", deadLetter)
        .set("retention.completed", keepCompleted)
        .set("retention.dead", keepDead)
        .set("urlGroup", urlGroup);
    levels.addTo(body);
    Speed.addTo(body, "rateLimit.per", Speed.of("--rate", rate));
    retry.addTo(body, "defaultRetry");
    return body;
  }
}
