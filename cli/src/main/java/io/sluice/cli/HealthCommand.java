package io.sluice.cli;

import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code sluice health}: the three questions of health at once. */
@Operation({"isLive", "isReady", "isHealthy"})
@Command(
    name = "health",
    description =
        "Says whether a server lives, serves, and gets its jobs done; exit code 1 if not.",
    footer = {
      "",
      "Examples",
      "  sluice health --watch",
      "  sluice health >/dev/null || page-somebody"
    })
final class HealthCommand implements Callable<Integer> {
  private final Console console;

  @Mixin
  private LiveView view = new LiveView();

  @Mixin
  private Target target = new Target();

  HealthCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Rest rest = target.open(console);
    boolean[] good = new boolean[1];
    view.show(
        console,
        () -> {
          JsonNode all = ask(rest);
          good[0] = all.valueStream().allMatch(one -> Json.text(one, "status").equals("ok"));
          return all;
        },
        this::text);
    return good[0] ? Exit.OK.code() : Exit.FAILED.code();
  }

  private static JsonNode ask(Rest rest) {
    ObjectNode all = Json.object();
    for (String question : new String[] {"live", "ready", "queue"}) {
      // 503 is an answer here: it says what is wrong.
      Rest.Reply reply = rest.send("GET", "/health/" + question, null);
      if (!reply.json().has("status") || reply.json().has("code")) {
        throw rest.refused(reply);
      }
      all.set(question, reply.json());
    }
    return all;
  }

  /** Why it is not well, and what is worth knowing though it is. */
  private static String said(JsonNode check) {
    return Stream.of("reasons", "notes")
        .map(field -> Json.text(check, field))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private String text(JsonNode all) {
    Table table = new Table().text("CHECK").text("STATUS").cuttable("REASONS");
    all.propertyStream()
        .forEach(check -> table.row(
            check.getKey(), Json.text(check.getValue(), "status"), said(check.getValue())));
    return table.text(console.screen());
  }
}
