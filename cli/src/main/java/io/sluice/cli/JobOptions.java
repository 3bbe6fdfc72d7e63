package io.sluice.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a job can be told beside its work: where, when, how often, and what it is known by. */
final class JobOptions {
  @Option(
      names = "--queue",
      order = 20,
      paramLabel = "NAME",
      description = "where it waits (default)")
  private @Nullable String queue;

  @Option(
      names = {"-p", "--priority"},
      order = 21,
      paramLabel = "PRIORITY",
      description = "critical, high, normal, low, or 0 to 20 (normal)")
  private @Nullable String priority;

  @Option(
      names = "--delay",
      order = 22,
      paramLabel = "TIME",
      description = "waits so long first (30s, 5m, 24h)")
  private @Nullable String delay;

  @Option(
      names = "--run-at",
      order = 23,
      paramLabel = "TIME",
      description = "or until then (ISO-8601)")
  private @Nullable String runAt;

  @Option(
      names = "--expires-at",
      order = 24,
      paramLabel = "TIME",
      description = "is cancelled if it has not run by then")
  private @Nullable String expiresAt;

  @Option(
      names = "--timeout",
      order = 25,
      paramLabel = "TIME",
      description = "of one attempt (30s)")
  private @Nullable String timeout;

  @Option(
      names = "--idempotency-key",
      order = 26,
      paramLabel = "KEY",
      description = "a second job with it is the first one")
  private @Nullable String idempotencyKey;

  @Option(
      names = "--limit-key",
      order = 27,
      paramLabel = "KEY",
      description = "what it shares a limit or an order with, as in customer-7")
  private @Nullable String limitKey;

  @Option(
      names = "--cost",
      order = 28,
      paramLabel = "N",
      description = "how many starts of a rate it takes (1)")
  private @Nullable Integer cost;

  @Option(
      names = "--after",
      order = 29,
      paramLabel = "[NAME=]ID",
      description = {
        "runs when this job or batch is over, and knows its result by this name; repeat for more"
      })
  private List<String> after = new ArrayList<>();

  @Option(
      names = "--after-policy",
      order = 29,
      paramLabel = "POLICY",
      description = "where one of them does not complete: cancel, run, hold or if-failed (cancel)")
  private @Nullable String afterPolicy;

  @Option(
      names = "--require-handler",
      order = 30,
      description = "refuses the job where no live worker handles its type")
  private boolean requireHandler;

  @Option(
      names = {"-m", "--metadata"},
      order = 31,
      paramLabel = "NAME=VALUE",
      description = {
        "metadata: correlationId, source, userId, companyId, traceparent, or any other name, which",
        "goes to its custom part; repeat for more"
      })
  private Map<String, String> metadata = new LinkedHashMap<>();

  @Mixin
  private RetryOptions retry = new RetryOptions();

  void addTo(Body job) {
    job.set("queue", queue)
        .set("priority", priority == null ? null : priority(priority))
        .set("delay", delay)
        .set("runAt", runAt)
        .set("expiresAt", expiresAt)
        .set("timeout", timeout)
        .set("idempotencyKey", idempotencyKey)
        .set("limitKey", limitKey)
        .set("cost", cost)
        .set(
            "after",
            after.isEmpty() ? null : after.stream().map(JobOptions::after).toList())
        .set("afterPolicy", "if-failed".equals(afterPolicy) ? "ifFailed" : afterPolicy)
        .set("requireHandler", requireHandler ? Boolean.TRUE : null);
    metadata.forEach((field, value) -> job.set(
        switch (field) {
          case "correlationId", "source", "userId", "companyId", "traceparent" ->
            "metadata." + field;
          default -> "metadata.custom." + field;
        },
        value));
    retry.addTo(job, "retry");
  }

  /** An id, with the name that was put before it. */
  private static Object after(String given) {
    int at = given.indexOf('=');
    return at < 0
        ? given
        : Json.object().put("id", given.substring(at + 1)).put("name", given.substring(0, at));
  }

  /** A number where it is one, for the API tells the two apart. */
  static Object priority(String given) {
    return given.matches("\\d{1,9}") ? (Object) Integer.valueOf(given) : given;
  }
}
