package io.sluice.cli;

import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code sluice dlq}: dead letters. */
@Command(
    name = "dlq",
    description = "Dead letters: jobs that failed for good and wait for a person.",
    footer = {
      "",
      "Examples",
      "  sluice dlq stats",
      "  sluice dlq replay --queue emails --from 2h",
      "  sluice dlq delete --all --yes"
    })
final class DlqCommand {
  private final Console console;

  DlqCommand(Console console) {
    this.console = console;
  }

  @Operation("listDeadLetters")
  @Command(
      name = "list",
      description = "Lists dead letters, newest first.",
      footer = {"", "Example", "  sluice dlq list --url-group shop --from 1d"})
  int list(
      @Mixin JobFilter filter,
      @Mixin Paging paging,
      @Mixin WholeJobs whole,
      @Mixin LiveView view,
      @Mixin Target target) {
    Rest rest = target.open(console);
    Rest.Query query = whole.in(filter.query(console.pace()));
    view.show(
        console, () -> filter.inQueue(rest, paging.fetch(rest, "/v1/dlq", query)), this::table);
    return Exit.OK.code();
  }

  private String table(JsonNode page) {
    Table table = new Table()
        .text("ID")
        .text("QUEUE")
        .cuttable("WHAT")
        .number("ATTEMPTS")
        .text("DEAD")
        .cuttable("REASON");
    page.path("items")
        .valueStream()
        .forEach(job -> table.row(
            Json.text(job, "id"),
            Json.text(job, "queue"),
            JobText.brief(job, console),
            Json.text(job, "attempt"),
            Times.ago(Json.text(job, "deadAt"), console.pace()),
            JobText.reason(job)));
    return table.isEmpty()
        ? "no dead letters" + System.lineSeparator()
        : table.text(console.screen());
  }

  @Operation("readJob")
  @Command(
      name = "show",
      description = "Shows a dead letter, with the error of each attempt.",
      footer = {"", "Example", "  sluice dlq show 01920000-0000-7000-8000-000000000000"})
  int show(
      @Parameters(paramLabel = "JOB", description = "its id") String id,
      @Mixin View view,
      @Mixin Target target) {
    JsonNode job = target.open(console).get(Rest.path("v1", "jobs", id));
    view.print(console, job, new JobText(console)::full);
    return Exit.OK.code();
  }

  @Operation("countDeadLetters")
  @Command(
      name = "stats",
      description = "Counts dead letters by their reason, the most frequent first.",
      footer = {"", "Example", "  sluice dlq stats --queue emails --watch"})
  int stats(@Mixin JobFilter filter, @Mixin LiveView view, @Mixin Target target) {
    if (filter.isSearch()) {
      throw new CommandException(
          Exit.MISUSED, "--search does not go with counting; 'sluice dlq list' takes it");
    }
    Rest rest = target.open(console);
    Rest.Query query = filter.query(console.pace());
    view.show(console, () -> rest.get(query.at("/v1/dlq/stats")), this::reasons);
    return Exit.OK.code();
  }

  private String reasons(JsonNode stats) {
    Table table = new Table().number("JOBS").cuttable("REASON");
    stats
        .path("byReason")
        .valueStream()
        .forEach(reason ->
            table.row(Counts.number(reason.path("jobs").asLong()), Json.text(reason, "reason")));
    String total =
        Words.count(stats.path("total").asLong(), "dead letter") + System.lineSeparator();
    return table.isEmpty() ? total : total + System.lineSeparator() + table.text(console.screen());
  }

  @Operation({"replayDeadLetter", "replayDeadLetters"})
  @Command(
      name = "replay",
      description = "Runs dead letters again: these, those that fit, or all.",
      footer = {
        "",
        "Examples",
        "  sluice dlq replay 01920000-0000-7000-8000-000000000000",
        "  sluice dlq replay --queue emails --from 2h",
        "  sluice dlq replay --all --yes"
      })
  int replay(@Mixin Chosen chosen, @Mixin Confirm confirm, @Mixin View view, @Mixin Target target) {
    Rest rest = target.open(console);
    if (chosen.isByIds(console)) {
      return Many.of(console, chosen.ids()).each(id -> {
        JsonNode job = rest.post(Rest.path("v1", "dlq", id, "replay"), null);
        view.done(console, job, id + " is " + Json.text(job, "state"));
      });
    }
    JsonNode filter = chosen.body(console);
    return many("replay", chosen, confirm, view, rest, () -> rest.post("/v1/dlq/replay", filter));
  }

  @Operation({"deleteDeadLetter", "deleteDeadLetters"})
  @Command(
      name = "delete",
      description = {
        "Deletes dead letters for good: these, those that fit, or all.",
        "What a job that is not over waits for, or is held because of, is kept."
      },
      footer = {
        "",
        "Examples",
        "  sluice dlq delete 01920000-0000-7000-8000-000000000000",
        "  sluice dlq delete --type email.send --to 7d",
        "  sluice dlq delete --all --yes"
      })
  int delete(@Mixin Chosen chosen, @Mixin Confirm confirm, @Mixin View view, @Mixin Target target) {
    Rest rest = target.open(console);
    if (chosen.isByIds(console)) {
      List<String> ids = chosen.ids();
      confirm.ask(console, "this deletes " + Words.count(ids.size(), "dead letter") + " for good");
      return Many.of(console, ids).each(id -> {
        JsonNode none = rest.delete(Rest.path("v1", "dlq", id), null);
        view.done(console, none, id + " is deleted");
      });
    }
    JsonNode filter = chosen.body(console);
    return many("delete", chosen, confirm, view, rest, () -> rest.delete("/v1/dlq", filter));
  }

  private int many(
      String verb, Chosen chosen, Confirm confirm, View view, Rest rest, Supplier<JsonNode> deed) {
    String words = chosen.filter().words(console.pace());
    LongSupplier left = () -> count(rest, chosen.filter());
    long jobs = left.getAsLong();
    if (jobs == 0) {
      chosen.filter().requireQueue(rest);
    } else {
      confirm.ask(console, "this will " + verb + " " + Words.count(jobs, "dead letter") + words);
    }
    String done = verb.equals("replay") ? "replayed" : "deleted";
    ObjectNode sum = Progress.during(console, done, jobs, left, () -> untilDone(done, deed));
    view.done(
        console, sum, Words.count(sum.path(done).asLong(), "dead letter") + words + " " + done);
    return Exit.OK.code();
  }

  /** Calls the server again for as long as it stops before the end, and adds up what it did. */
  private static ObjectNode untilDone(String done, Supplier<JsonNode> deed) {
    long jobs = 0;
    JsonNode answer;
    do {
      answer = deed.get();
      jobs += answer.path(done).asLong();
    } while (answer.path("more").asBoolean() && answer.path(done).asLong() > 0);
    return Json.object().put(done, jobs).put("more", answer.path("more").asBoolean());
  }

  /** How many dead letters fit; those that a search finds have to be listed to be counted. */
  private long count(Rest rest, JobFilter filter) {
    Rest.Query query = filter.query(console.pace());
    return filter.isSearch()
        ? Paging.whole().fetch(rest, "/v1/dlq", query).path("items").size()
        : rest.get(query.at("/v1/dlq/stats")).path("total").asLong();
  }
}
