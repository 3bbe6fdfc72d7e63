package io.sluice.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code sluice jobs}. */
@Command(
    name = "jobs",
    description =
        "Lists, shows, explains, cancels and retries jobs, and draws what waits for what.",
    footer = {
      "",
      "Examples",
      "  sluice jobs list --state failed,dead --from 2h",
      "  sluice jobs show 01920000-0000-7000-8000-000000000000 --watch",
      "  sluice jobs explain 01920000-0000-7000-8000-000000000000",
      "  sluice jobs graph 01920000-0000-7000-8000-000000000000",
      "  sluice jobs cancel 01920000-0000-7000-8000-000000000000"
    })
final class JobsCommand {
  private final Console console;
  private final JobText text;

  JobsCommand(Console console) {
    this.console = console;
    this.text = new JobText(console);
  }

  @Operation("listJobs")
  @Command(
      name = "list",
      description = "Lists jobs, newest first.",
      footer = {
        "",
        "Examples",
        "  sluice jobs list --queue emails --state pending,retrying",
        "  sluice jobs list --batch 01920000-0000-7000-8000-000000000000 --all",
        "  sluice jobs list --metadata userId=u1 --from 2026-01-31 --all --full --json",
        "  sluice jobs list --watch"
      })
  int list(
      @Mixin JobFilter filter,
      @Mixin StateFilter states,
      @Mixin Paging paging,
      @Mixin WholeJobs whole,
      @Mixin LiveView view,
      @Mixin Target target) {
    Rest rest = target.open(console);
    Rest.Query query = whole.in(filter.query(console.pace()).add("state", states.value()));
    view.show(
        console, () -> filter.inQueue(rest, paging.fetch(rest, "/v1/jobs", query)), text::list);
    return Exit.OK.code();
  }

  @Operation({"readJob", "explainJob"})
  @Command(
      name = "show",
      description = "Shows a job with all that is known of it.",
      footer = {"", "Example", "  sluice jobs show 01920000-0000-7000-8000-000000000000 --watch 1"})
  int show(
      @Parameters(paramLabel = "JOB", description = "its id") String id,
      @Mixin LiveView view,
      @Mixin Target target) {
    Rest rest = target.open(console);
    Reasons reasons = new Reasons(rest);
    view.show(
        console,
        () -> rest.get(Rest.path("v1", "jobs", id)),
        job -> text.full(job, reasons.of(job)),
        JobText::isOver);
    return Exit.OK.code();
  }

  @Operation("explainJob")
  @Command(
      name = "explain",
      description = "Tells why a job does not run now, and what would change that.",
      footer = {"", "Example", "  sluice jobs explain 01920000-0000-7000-8000-000000000000"})
  int explain(
      @Parameters(paramLabel = "JOB", description = "its id") String id,
      @Mixin LiveView view,
      @Mixin Target target) {
    Rest rest = target.open(console);
    view.show(
        console,
        () -> rest.get(Rest.path("v1", "jobs", id, "explain")),
        Reasons::full,
        JobText::isOver);
    return Exit.OK.code();
  }

  @Operation("readGraph")
  @Command(
      name = "graph",
      description = {
        "Draws what a job waits for and what waits for it, with states; * marks the chain by which it",
        "takes as long as it does."
      },
      footer = {"", "Example", "  sluice jobs graph 01920000-0000-7000-8000-000000000000 --watch"})
  int graph(
      @Parameters(paramLabel = "JOB", description = "its id") String id,
      @Mixin LiveView view,
      @Mixin Target target) {
    Rest rest = target.open(console);
    view.show(
        console,
        () -> rest.get(Rest.path("v1", "jobs", id, "graph")),
        graph -> GraphText.of(graph, id, console.pace()),
        GraphText::isOver);
    return Exit.OK.code();
  }

  @Operation({"cancelJob", "cancelJobs"})
  @Command(
      name = "cancel",
      description = {
        "Cancels jobs that are not finished: these, those that fit, or all; one that runs is",
        "interrupted."
      },
      footer = {
        "",
        "Examples",
        "  sluice jobs cancel 01920000-0000-7000-8000-000000000000",
        "  sluice jobs cancel --queue emails --state pending",
        "  sluice jobs cancel --cascade 01920000-0000-7000-8000-000000000000",
        "",
        "What --cascade cancels names the job in its reason. 'jobs retry --cascade' does not bring it back:",
        "that is for what was cancelled by its own policy. Retry each of them."
      })
  int cancel(
      @Mixin Chosen chosen,
      @Mixin StateFilter states,
      @Option(
              names = "--cascade",
              description = "with ids: and all that waits for them, whatever its policy")
          boolean cascade,
      @Mixin Confirm confirm,
      @Mixin View view,
      @Mixin Target target) {
    Rest rest = target.open(console);
    if (!isByIds(chosen, states, cascade)) {
      return many("cancel", "cancelled", chosen, states, confirm, view, rest);
    }
    return Many.of(console, chosen.ids()).each(id -> {
      JsonNode job = rest.delete(cascading(cascade, Rest.path("v1", "jobs", id)), null);
      view.done(console, job, id + " is " + Json.text(job, "state"));
    });
  }

  @Operation({"retryJob", "retryJobs"})
  @Command(
      name = "retry",
      description = {
        "Runs failed, dead, cancelled or held jobs again, or retries now what waits to: these, those",
        "that fit, or all. By a filter or --all, cancelled and held jobs are left alone unless --state",
        "names theirs."
      },
      footer = {
        "",
        "Examples",
        "  sluice jobs retry 01920000-0000-7000-8000-000000000000",
        "  sluice jobs retry --queue emails --state failed,dead --from 2h",
        "  sluice jobs retry --cascade 01920000-0000-7000-8000-000000000000",
        "",
        "What is over begins with its first attempt; a job that waits for its next attempt has it now.",
        "With --cascade those wait for it again that were cancelled because it did not complete, and those",
        "that were cancelled because of these, as far as no other that they name failed. What was cancelled",
        "by hand, by 'jobs cancel --cascade' or with its batch stays so. A job that was cancelled by its",
        "policy and is retried itself runs at once, whatever became of those it waited for."
      })
  int retry(
      @Mixin Chosen chosen,
      @Mixin StateFilter states,
      @Option(
              names = "--cascade",
              description = "with ids: and what was cancelled by its own policy because of them")
          boolean cascade,
      @Mixin Confirm confirm,
      @Mixin View view,
      @Mixin Target target) {
    Rest rest = target.open(console);
    if (!isByIds(chosen, states, cascade)) {
      return many("retry", "retried", chosen, states, confirm, view, rest);
    }
    return Many.of(console, chosen.ids()).each(id -> {
      JsonNode job = rest.post(cascading(cascade, Rest.path("v1", "jobs", id, "retry")), null);
      view.done(console, job, id + " is " + Json.text(job, "state"));
    });
  }

  private boolean isByIds(Chosen chosen, StateFilter states, boolean cascade) {
    boolean byIds = chosen.isByIds(console, states.value() != null);
    if (cascade && !byIds) {
      throw new CommandException(Exit.MISUSED, "--cascade goes with ids only");
    }
    return byIds;
  }

  /** Does it to those that fit, call by call until none is left. */
  private int many(
      String verb,
      String done,
      Chosen chosen,
      StateFilter states,
      Confirm confirm,
      View view,
      Rest rest) {
    ObjectNode body = chosen.body(console);
    String state = states.value();
    if (state != null) {
      body.put("state", state);
    }
    String which =
        (chosen.isAll() ? "all jobs" : "the jobs" + chosen.filter().words(console.pace()))
            + (state == null ? "" : " in the state " + state);
    chosen.filter().requireQueue(rest);
    confirm.ask(console, "this will " + verb + " " + which);
    long changed = 0;
    JsonNode answer;
    do {
      answer = rest.post("/v1/jobs/" + verb, body);
      changed += answer.path("changed").asLong();
    } while (answer.path("more").asBoolean() && answer.path("changed").asLong() > 0);
    ObjectNode sum = Json.object().put("changed", changed);
    sum.set("more", answer.path("more"));
    view.done(console, sum, Words.count(changed, "job") + " " + done);
    return Exit.OK.code();
  }

  private static String cascading(boolean cascade, String path) {
    return new Rest.Query().add("cascade", cascade ? Boolean.TRUE : null).at(path);
  }
}
