package io.sluice.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code sluice workers}. */
@Operation("listWorkers")
@Command(
    name = "workers",
    description = "Lists the workers that live: the servers' own and pull workers.",
    footer = {"", "Example", "  sluice workers --watch"})
final class WorkersCommand implements Callable<Integer> {
  private final Console console;

  @Mixin
  private Paging paging = new Paging();

  @Mixin
  private LiveView view = new LiveView();

  @Mixin
  private Target target = new Target();

  WorkersCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Rest rest = target.open(console);
    view.show(console, () -> paging.fetch(rest, "/v1/workers", new Rest.Query()), this::table);
    return Exit.OK.code();
  }

  private String table(JsonNode page) {
    Table table = new Table()
        .number("ID")
        .text("KIND")
        .text("NAME")
        .text("TENANT")
        .text("QUEUE")
        .number("RUNNING")
        .number("SLOTS")
        .text("SEEN")
        .text("STARTED")
        .cuttable("TYPES");
    page.path("items")
        .valueStream()
        .forEach(worker -> table.row(
            Json.text(worker, "id"),
            Json.text(worker, "kind"),
            Json.text(worker, "name"),
            Json.text(worker, "tenant"),
            Json.text(worker, "queue"),
            Json.text(worker, "running"),
            Json.text(worker, "slots"),
            Times.ago(Json.text(worker, "seenAt"), console.pace()),
            Times.ago(Json.text(worker, "startedAt"), console.pace()),
            Json.text(worker, "types")));
    return table.isEmpty() ? "no workers" + System.lineSeparator() : table.text(console.screen());
  }
}
