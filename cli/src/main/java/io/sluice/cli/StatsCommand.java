package io.sluice.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code sluice stats}. */
@Operation("readStats")
@Command(
    name = "stats",
    description = "Shows how many jobs there are, by state, queue and type.",
    footer = {"", "Examples", "  sluice stats --watch", "  sluice stats --tenant acme --json"})
final class StatsCommand implements Callable<Integer> {
  private final Console console;

  @Mixin
  private LiveView view = new LiveView();

  @Mixin
  private Target target = new Target();

  StatsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Rest rest = target.open(console);
    view.show(console, () -> rest.get("/v1/stats"), this::text);
    return Exit.OK.code();
  }

  private String text(JsonNode stats) {
    String tenant = Json.text(stats, "tenant");
    String sheet = new Sheet()
        .line("tenant", tenant.isEmpty() ? "all" : tenant)
        .line("waiting", Counts.number(stats.path("depth").asLong()))
        .line("running", Counts.number(stats.path("running").asLong()))
        .line("oldest waiting", Times.readable(Json.text(stats, "oldestWaiting")))
        .line("mean time", Times.readable(Json.text(stats, "mean")))
        .line("p95", Times.readable(Json.text(stats, "p95")))
        .line("p99", Times.readable(Json.text(stats, "p99")))
        .text();
    Table queues = Counts.table("TENANT", "QUEUE");
    stats
        .path("byQueue")
        .valueStream()
        .forEach(queue -> Counts.row(
            queues,
            List.of(Json.text(queue, "tenant"), Json.text(queue, "queue")),
            queue.path("byState")));
    Table types = Counts.table("TYPE");
    stats
        .path("byType")
        .valueStream()
        .forEach(type -> Counts.row(types, Json.text(type, "type"), type.path("byState")));
    return sheet + below(queues) + below(types);
  }

  private String below(Table table) {
    return table.isEmpty() ? "" : System.lineSeparator() + table.text(console.screen());
  }
}
