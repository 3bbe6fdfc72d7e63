package io.sluice.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code sluice audit}. */
@Operation("listAudit")
@Command(
    name = "audit",
    description = "Lists administrative writes, newest first: who did what.",
    footer = {"", "Example", "  sluice audit list --action queue.delete --from 7d"})
final class AuditCommand implements Callable<Integer> {
  private final Console console;

  /** Said of every other thing, so it may be said here. */
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "list",
      description = "may be left out: there is nothing else to do with it")
  private @Nullable String verb;

  @Option(
      names = "--of-tenant",
      order = 10,
      paramLabel = "NAME",
      description = "of this tenant (all)")
  private @Nullable String tenant;

  @Option(names = "--actor", order = 11, paramLabel = "ID", description = "by this credential")
  private @Nullable String actor;

  @Option(
      names = "--action",
      order = 12,
      paramLabel = "ACTION",
      description = "such as queue.create")
  private @Nullable String action;

  @Option(
      names = "--from",
      order = 13,
      paramLabel = "TIME",
      description = "then or later: a time, a day, or how long ago (2h)")
  private @Nullable String from;

  @Option(names = "--to", order = 14, paramLabel = "TIME", description = "before then")
  private @Nullable String to;

  @Mixin
  private Paging paging = new Paging();

  @Mixin
  private View view = new View();

  @Mixin
  private Target target = new Target();

  AuditCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (verb != null && !verb.equals("list")) {
      throw new CommandException(
          Exit.MISUSED, "'" + verb + "' is not expected here; 'sluice audit list' lists the log");
    }
    Rest.Query query = new Rest.Query()
        .add("tenant", tenant)
        .add("actor", actor)
        .add("action", action)
        .add("from", from == null ? null : Times.past("--from", from, console.pace()))
        .add("to", to == null ? null : Times.past("--to", to, console.pace()));
    view.print(console, paging.fetch(target.open(console), "/v1/audit", query), this::table);
    return Exit.OK.code();
  }

  private String table(JsonNode page) {
    Table table = new Table()
        .text("WHEN")
        .text("TENANT")
        .text("ACTOR")
        .text("ROLE")
        .text("ACTION")
        .text("OBJECT")
        .cuttable("DETAILS");
    page.path("items")
        .valueStream()
        .forEach(entry -> table.row(
            Times.ago(Json.text(entry, "at"), console.pace()),
            Json.text(entry, "tenant"),
            Json.text(entry, "actor"),
            Json.text(entry, "role"),
            Json.text(entry, "action"),
            Json.text(entry, "object"),
            Json.text(entry, "details")));
    return table.isEmpty() ? "no entries" + System.lineSeparator() : table.text(console.screen());
  }
}
