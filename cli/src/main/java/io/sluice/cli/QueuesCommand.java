package io.sluice.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code sluice queues}. */
@Command(
    name = "queues",
    description = "Makes, changes, pauses and purges queues.",
    footer = {
      "",
      "Examples",
      "  sluice queues create emails --max-concurrent 5 --max-attempts 8",
      "  sluice queues list --watch",
      "  sluice queues purge emails"
    })
final class QueuesCommand {
  private final Console console;

  QueuesCommand(Console console) {
    this.console = console;
  }

  @Operation("listQueues")
  @Command(
      name = "list",
      description = "Lists queues by name.",
      footer = {"", "Example", "  sluice queues list --watch 5"})
  int list(@Mixin Paging paging, @Mixin LiveView view, @Mixin Target target) {
    Rest rest = target.open(console);
    view.show(
        console, () -> paging.fetch(rest, "/v1/queues", new Rest.Query()), q -> table(q, console));
    return Exit.OK.code();
  }

  static String table(JsonNode page, Console console) {
    Table table = new Table()
        .text("NAME")
        .text("STATE")
        .text("PRIORITY")
        .number("MAX RUNNING")
        .number("MAX SIZE")
        .text("LEVEL")
        .number("RATE")
        .text("ORDERED")
        .text("URL GROUP");
    page.path("items")
        .valueStream()
        .forEach(queue -> table.row(
            Json.text(queue, "name"),
            state(queue),
            Json.text(queue, "priority"),
            Thing.limit(queue, "maxConcurrent"),
            Thing.limit(queue, "maxSize"),
            Thing.limit(queue, "level"),
            Speed.shown(queue.path("rateLimit"), "per"),
            Json.text(queue, "ordered"),
            Json.text(queue, "urlGroup")));
    return table.isEmpty() ? "no queues" + System.lineSeparator() : table.text(console.screen());
  }

  private static String state(JsonNode queue) {
    return queue.path("enabled").asBoolean() ? "running" : "paused";
  }

  @Operation("readQueue")
  @Command(
      name = "show",
      description = "Shows a queue.",
      footer = {"", "Example", "  sluice queues show emails --json"})
  int show(@Mixin QueueName queue, @Mixin View view, @Mixin Target target) {
    view.print(console, target.open(console).get(queue.path()), q -> Thing.full(q, console));
    return Exit.OK.code();
  }

  @Operation("createQueue")
  @Command(
      name = "create",
      description = "Makes a queue.",
      footer = {"", "Example", "  sluice queues create emails --max-size 10000 --keep-completed 1h"
      })
  int create(
      @Parameters(arity = "0..1", paramLabel = "NAME", description = "its name") @Nullable
          String name,
      @Mixin QueueOptions options,
      @Mixin View view,
      @Mixin Target target) {
    Body body = options.body(console).set("name", name);
    JsonNode made = target.open(console).post("/v1/queues", body.node());
    view.done(console, made, "queue " + Json.text(made, "name") + " is made");
    return Exit.OK.code();
  }

  @Operation("changeQueue")
  @Command(
      name = "change",
      description = "Changes a queue: what is given, and nothing else.",
      footer = {
        "",
        "Examples",
        "  sluice queues change emails --max-concurrent 20",
        "  sluice queues change emails --unset maxSize"
      })
  int change(
      @Mixin QueueName queue, @Mixin QueueOptions options, @Mixin View view, @Mixin Target target) {
    Body body = options.body(console);
    JsonNode changed = target.open(console).put(queue.path(), body.nodeOfChange());
    view.done(console, changed, "queue " + Json.text(changed, "name") + " is changed");
    return Exit.OK.code();
  }

  @Operation("deleteQueue")
  @Command(
      name = "delete",
      description = "Deletes a queue.",
      footer = {"", "Example", "  sluice queues delete emails --force --yes"})
  int delete(
      @Mixin QueueName queue,
      @Option(names = "--force", description = "cancels its unfinished jobs first") boolean force,
      @Mixin Confirm confirm,
      @Mixin Target target) {
    Rest rest = target.open(console);
    if (force) {
      JsonNode figures = rest.get(queue.path("metrics"));
      long jobs = figures.path("depth").asLong() + figures.path("running").asLong();
      confirm.ask(
          console,
          "this deletes the queue " + queue.name() + " and cancels "
              + Words.count(jobs, "unfinished job"));
    }
    rest.delete(new Rest.Query().add("force", force ? "true" : null).at(queue.path()), null);
    console.out().println("queue " + queue.name() + " is deleted");
    return Exit.OK.code();
  }

  @Operation("readQueueMetrics")
  @Command(
      name = "metrics",
      description = "Shows the figures of a queue.",
      footer = {"", "Example", "  sluice queues metrics emails --watch"})
  int metrics(@Mixin QueueName queue, @Mixin LiveView view, @Mixin Target target) {
    Rest rest = target.open(console);
    view.show(console, () -> rest.get(queue.path("metrics")), this::figures);
    return Exit.OK.code();
  }

  private String figures(JsonNode metrics) {
    Sheet sheet = new Sheet()
        .fields(metrics, "id", "byState", "byType", "oldestWaiting", "mean", "p95", "p99");
    for (String time : new String[] {"oldestWaiting", "mean", "p95", "p99"}) {
      sheet.line(time, Times.readable(Json.text(metrics, time)));
    }
    Table types = Counts.table("TYPE");
    metrics
        .path("byType")
        .propertyStream()
        .forEach(type -> Counts.row(types, type.getKey(), type.getValue()));
    Counts.row(types, "all", metrics.path("byState"));
    return sheet.text() + System.lineSeparator() + types.text(console.screen());
  }

  @Operation("listJobsOfQueue")
  @Command(
      name = "jobs",
      description = "Lists the jobs of a queue, newest first.",
      footer = {"", "Example", "  sluice queues jobs emails --state failed"})
  int jobs(
      @Mixin QueueName queue,
      @Mixin JobMarks marks,
      @Mixin StateFilter states,
      @Mixin Paging paging,
      @Mixin WholeJobs whole,
      @Mixin LiveView view,
      @Mixin Target target) {
    Rest rest = target.open(console);
    Rest.Query query = whole.in(new Rest.Query().add("state", states.value()));
    marks.given(console.pace()).forEach(query::add);
    view.show(
        console, () -> paging.fetch(rest, queue.path("jobs"), query), new JobText(console)::list);
    return Exit.OK.code();
  }

  @Operation("pauseQueue")
  @Command(
      name = "pause",
      description = "Starts no more jobs of a queue; what runs goes on.",
      footer = {"", "Example", "  sluice queues pause emails"})
  int pause(@Mixin QueueName queue, @Mixin View view, @Mixin Target target) {
    return flip("pause", queue, view, target.open(console));
  }

  @Operation("resumeQueue")
  @Command(
      name = "resume",
      description = "Starts jobs of a queue again.",
      footer = {"", "Example", "  sluice queues resume emails"})
  int resume(@Mixin QueueName queue, @Mixin View view, @Mixin Target target) {
    return flip("resume", queue, view, target.open(console));
  }

  private int flip(String verb, QueueName queue, View view, Rest rest) {
    JsonNode now = rest.post(queue.path(verb), null);
    view.done(console, now, "queue " + Json.text(now, "name") + " is " + state(now));
    return Exit.OK.code();
  }

  @Operation("purgeQueue")
  @Command(
      name = "purge",
      description = "Cancels every waiting job of a queue.",
      footer = {"", "Example", "  sluice queues purge emails --yes"})
  int purge(
      @Mixin QueueName queue, @Mixin Confirm confirm, @Mixin View view, @Mixin Target target) {
    Rest rest = target.open(console);
    long waiting = waiting(rest, queue);
    if (waiting > 0) {
      confirm.ask(
          console,
          "this cancels " + Words.count(waiting, "waiting job") + " of queue " + queue.name());
    }
    JsonNode answer = Progress.during(
        console,
        "cancelled",
        waiting,
        () -> waiting(rest, queue),
        () -> rest.post(queue.path("purge"), null));
    view.done(
        console, answer, Words.count(answer.path("cancelled").asLong(), "job") + " cancelled");
    return Exit.OK.code();
  }

  private static long waiting(Rest rest, QueueName queue) {
    return rest.get(queue.path("metrics")).path("depth").asLong();
  }
}
