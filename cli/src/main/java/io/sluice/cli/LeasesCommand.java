package io.sluice.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code sluice leases}: what a pull worker does, by hand or from a script. */
@Command(
    name = "leases",
    description = "Takes jobs as a pull worker does, and says what became of them.",
    footer = {
      "",
      "Examples",
      "  sluice leases claim emails --worker me --type email.send --wait 20s",
      "  sluice leases complete LEASE --result '{\"sent\": true}'",
      "  sluice leases fail LEASE --message 'mailbox is full'"
    })
final class LeasesCommand {
  private final Console console;

  LeasesCommand(Console console) {
    this.console = console;
  }

  @Operation("claim")
  @Command(
      name = "claim",
      description = "Takes ready jobs of a queue, each under a lease.",
      footer = {"", "Example", "  sluice leases claim emails --worker me --max 10 --lease-for 60s"})
  int claim(
      @Mixin QueueName queue, @Mixin ClaimOptions options, @Mixin View view, @Mixin Target target) {
    JsonNode claimed = target.open(console).post(queue.path("claim"), options.body(console));
    view.print(console, claimed, this::table);
    return Exit.OK.code();
  }

  private String table(JsonNode claimed) {
    Table table =
        new Table().text("LEASE").text("UNTIL").text("JOB").text("TYPE").cuttable("PAYLOAD");
    claimed
        .path("items")
        .valueStream()
        .forEach(item -> table.row(
            Json.text(item, "lease"),
            Times.ago(Json.text(item, "leaseUntil"), console.pace()),
            Json.text(item, "job.id"),
            Json.text(item, "job.type"),
            Json.text(item, "job.payload")));
    return table.isEmpty() ? "no jobs" + System.lineSeparator() : table.text(console.screen());
  }

  @Operation("heartbeat")
  @Command(
      name = "heartbeat",
      description = "Keeps a lease, and says how far the job is.",
      footer = {"", "Example", "  sluice leases heartbeat LEASE --extend-by 60s --percent 40"})
  int heartbeat(
      @Parameters(paramLabel = "LEASE", description = "from the claim") String lease,
      @Option(
              names = "--extend-by",
              paramLabel = "TIME",
              description = "from now (as long as the claim)")
          @Nullable
          String extendBy,
      @Option(names = "--percent", paramLabel = "N", description = "how far it is") @Nullable
          Integer percent,
      @Option(names = "--message", paramLabel = "TEXT", description = "with --percent") @Nullable
          String message,
      @Mixin View view,
      @Mixin Target target) {
    JsonNode body = Body.empty()
        .set("extendBy", extendBy)
        .set("progress.percent", percent)
        .set("progress.message", message)
        .node();
    JsonNode answer = target.open(console).post(path(lease, "heartbeat"), body);
    boolean cancelled = answer.path("cancelRequested").asBoolean();
    String until = Times.full(Json.text(answer, "leaseUntil"), console.pace());
    view.done(
        console,
        answer,
        cancelled ? "the job is cancelled: stop" : "the lease is yours until " + until);
    return cancelled ? Exit.FAILED.code() : Exit.OK.code();
  }

  private static String path(String lease, String verb) {
    return Rest.path("v1", "leases", lease, verb);
  }

  @Operation("complete")
  @Command(
      name = "complete",
      description = "Ends a job as completed.",
      footer = {"", "Example", "  sluice leases complete LEASE --result @result.json"})
  int complete(
      @Parameters(paramLabel = "LEASE", description = "from the claim") String lease,
      @Option(names = "--result", paramLabel = "JSON|@FILE|-", description = "what the work gave")
          @Nullable
          String result,
      @Mixin View view,
      @Mixin Target target) {
    JsonNode body = Body.empty()
        .set("result", result == null ? null : Source.json(console, "--result", result))
        .node();
    return ended(target.open(console).post(path(lease, "complete"), body), view);
  }

  @Operation("fail")
  @Command(
      name = "fail",
      description = "Ends an attempt as failed.",
      footer = {
        "",
        "Example",
        "  sluice leases fail LEASE --message 'mailbox is full' --class SERVER"
      })
  int fail(
      @Parameters(paramLabel = "LEASE", description = "from the claim") String lease,
      @Mixin FailOptions options,
      @Mixin View view,
      @Mixin Target target) {
    return ended(target.open(console).post(path(lease, "fail"), options.body(console)), view);
  }

  private int ended(JsonNode ended, View view) {
    view.done(console, ended, Json.text(ended, "id") + " is " + Json.text(ended, "state"));
    return Exit.OK.code();
  }

  /** What is asked of a claim. */
  static final class ClaimOptions {
    @Option(names = "--worker", paramLabel = "NAME", description = "by which people know you (cli)")
    private String worker = "cli";

    @Option(names = "--max", paramLabel = "N", description = "jobs at most (1)")
    private @Nullable Integer max;

    @Option(
        names = "--type",
        split = ",",
        paramLabel = "TYPE",
        description = "what you can do (every type but http)")
    private @Nullable List<String> types;

    @Option(
        names = "--lease-for",
        paramLabel = "TIME",
        description = "how long they are yours (30s)")
    private @Nullable String leaseFor;

    @Option(
        names = "--wait",
        paramLabel = "TIME",
        description = "for a job where there is none (not at all)")
    private @Nullable String wait;

    @Option(names = "--from-json", paramLabel = "FILE|-", description = "all of it as JSON")
    private @Nullable String fromJson;

    JsonNode body(Console console) {
      Body body = Body.of(console, fromJson);
      return body.set("worker", body.has("worker") && worker.equals("cli") ? null : worker)
          .set("max", max)
          .set("types", types)
          .set("leaseFor", leaseFor)
          .set("wait", wait)
          .node();
    }
  }

  /** How an attempt failed. */
  static final class FailOptions {
    @Option(names = "--message", paramLabel = "TEXT", description = "what went wrong")
    private @Nullable String message;

    @Option(names = "--code", paramLabel = "CODE", description = "for programs (HANDLER_FAILED)")
    private @Nullable String code;

    @Option(
        names = "--class",
        paramLabel = "CLASS",
        description =
            "NETWORK, TIMEOUT, VALIDATION, AUTH, NOT_FOUND, REJECTED, RATE_LIMITED, SERVER, UNKNOWN")
    private @Nullable String errorClass;

    @Option(names = "--no-retry", description = "gives it up now")
    private boolean noRetry;

    @Option(
        names = "--retry-at",
        paramLabel = "TIME",
        description = "instead of the policy's delay (ISO-8601)")
    private @Nullable String retryAt;

    @Option(names = "--from-json", paramLabel = "FILE|-", description = "all of it as JSON")
    private @Nullable String fromJson;

    JsonNode body(Console console) {
      return Body.of(console, fromJson)
          .set("error.message", message)
          .set("error.code", code)
          .set("error.class", errorClass)
          .set("retry", noRetry ? Boolean.FALSE : null)
          .set("retryAt", retryAt)
          .node();
    }
  }
}
