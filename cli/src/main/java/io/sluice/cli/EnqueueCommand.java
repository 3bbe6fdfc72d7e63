package io.sluice.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code sluice enqueue}: one job from options, or many from a file. */
@Operation({"enqueue", "enqueueAll", "readJob", "explainJob"})
@Command(
    name = "enqueue",
    description = "Puts in a job: a request to a URL, one in a URL group, or work of a type.",
    footer = {
      "",
      "Examples",
      "  sluice enqueue https://example.com/orders -d '{\"order\": 42}' -H 'x-shop: a' --wait",
      "  sluice enqueue --url-group shop --path /orders -d @order.json --max-attempts 8",
      "  sluice enqueue --type email.send --payload '{\"to\": \"ada@example.com\"}' --delay 30m",
      "  sluice enqueue --from jobs.ndjson --queue emails",
      "",
      "A line of such a file is a job as the API takes it; options stand in for what it leaves out:",
      "  {\"url\": \"https://example.com/\", \"body\": {\"order\": 42}, \"idempotencyKey\": \"order-42\"}"
    })
final class EnqueueCommand implements Callable<Integer> {
  private static final Duration FIRST_LOOK = Duration.ofMillis(50);
  private static final Duration LAST_LOOK = Duration.ofSeconds(1);

  private final Console console;

  @Parameters(arity = "0..1", paramLabel = "URL", description = "where the request goes")
  private @Nullable String url;

  @Mixin
  private RequestOptions request = new RequestOptions();

  @Mixin
  private JobOptions options = new JobOptions();

  @Option(
      names = "--from-json",
      order = 50,
      paramLabel = "FILE|-",
      description = "the whole job as JSON; options go before what it says")
  private @Nullable String fromJson;

  @Mixin
  private BulkOptions bulk = new BulkOptions();

  @Option(
      names = "--wait",
      order = 60,
      arity = "0..1",
      fallbackValue = "",
      paramLabel = "TIME",
      description =
          "follows the job until it is over, or so long; exit code 0 when it is completed")
  private @Nullable String wait;

  @Mixin
  private View view = new View();

  @Mixin
  private Target target = new Target();

  EnqueueCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (bulk.isGiven()) {
      if (fromJson != null || wait != null) {
        throw new CommandException(Exit.MISUSED, "--from does not go with --from-json or --wait");
      }
      return bulk.run(console, target.open(console), job(Body.empty()).node(), view);
    }
    Body job = job(Body.of(console, fromJson));
    if (!job.has("url") && !job.has("urlGroup") && !job.has("type")) {
      throw new CommandException(
          Exit.MISUSED, "say what to do: a URL, --url-group, --type, --from-json or --from");
    }
    Rest rest = target.open(console);
    JsonNode accepted = rest.post("/v1/jobs", job.node());
    return wait == null ? accepted(accepted) : follow(rest, Json.text(accepted, "id"));
  }

  private Body job(Body job) {
    job.set("url", url);
    request.addTo(job, console);
    options.addTo(job);
    return job;
  }

  private int accepted(JsonNode accepted) {
    view.done(
        console,
        accepted,
        Json.text(accepted, "id") + " is " + Json.text(accepted, "state") + " in queue "
            + Json.text(accepted, "queue")
            + (accepted.path("duplicate").asBoolean() ? "; it was there before" : ""));
    return Exit.OK.code();
  }

  private int follow(Rest rest, String id) {
    @Nullable
    Instant until = wait == null || wait.isEmpty()
        ? null
        : console.pace().instant().plus(Times.span("--wait", wait));
    Duration look = FIRST_LOOK;
    JsonNode job = rest.get(Rest.path("v1", "jobs", id));
    while (!JobText.isOver(job)
        && (until == null || console.pace().instant().isBefore(until))
        && console.pace().pause(look)) {
      look = look.multipliedBy(2).compareTo(LAST_LOOK) < 0 ? look.multipliedBy(2) : LAST_LOOK;
      job = rest.get(Rest.path("v1", "jobs", id));
    }
    Reasons reasons = new Reasons(rest);
    view.print(console, job, it -> new JobText(console).full(it, reasons.of(it)));
    if (!JobText.isOver(job)) {
      console.say("it is not over yet; 'sluice jobs show " + id + "' tells how it goes on");
    }
    return Json.text(job, "state").equals("COMPLETED") ? Exit.OK.code() : Exit.FAILED.code();
  }
}
