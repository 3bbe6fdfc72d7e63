package io.sluice.cli;

import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code sluice master-key}: the key under which stored credentials are encrypted, and its change. */
@Command(
    name = "master-key",
    description = "Shows which master key encrypts credentials, and changes it.",
    footer = {
      "",
      "Keys are shown by names that tell nothing of them.",
      "",
      "Examples",
      "  sluice master-key status",
      "  sluice master-key rotate"
    })
final class MasterKeyCommand {
  private static final Duration LOOK = Duration.ofMillis(500);

  private final Console console;

  MasterKeyCommand(Console console) {
    this.console = console;
  }

  @Operation("readMasterKey")
  @Command(
      name = "status",
      description = "Shows the key in force, how far its change has come, and who has which key.",
      footer = {"", "Example", "  sluice master-key status --watch"})
  int status(@Mixin LiveView view, @Mixin Target target) {
    Rest rest = target.open(console);
    view.show(console, () -> rest.get("/v1/master-key"), this::text);
    return Exit.OK.code();
  }

  @Operation("rotateMasterKey")
  @Command(
      name = "rotate",
      description = "Changes the master key while everything runs, and waits until it is done.",
      footer = {
        "",
        "A key in the data folder is made anew. Servers that are given the key by a setting must",
        "have NEW,OLD first, all of them. All data keys are renewed and all stored credentials",
        "encrypted anew; called again, it goes on where it was.",
        "",
        "Example",
        "  sluice master-key rotate"
      })
  int rotate(
      @Option(names = "--no-wait", description = "returns when it has begun") boolean noWait,
      @Mixin View view,
      @Mixin Target target) {
    Rest rest = target.open(console);
    JsonNode status = rest.post("/v1/master-key/rotate", null);
    if (!noWait) {
      status = awaitEnd(rest, status);
    }
    view.print(console, status, this::text);
    return Exit.OK.code();
  }

  private JsonNode awaitEnd(Rest rest, JsonNode begun) {
    JsonNode status = begun;
    while (Json.text(status, "state").equals("rotating")) {
      long total = status.at("/rows/total").asLong();
      try (Progress progress = new Progress(console, total)) {
        progress.at(
            status.at("/rows/done").asLong(),
            "%,d of %,d data keys, %,d of %,d rows"
                .formatted(
                    status.at("/dataKeys/done").asLong(),
                    status.at("/dataKeys/total").asLong(),
                    status.at("/rows/done").asLong(),
                    total));
        if (!console.pace().pause(LOOK)) {
          throw new CommandException(
              Exit.FAILED, "interrupted; the change goes on: sluice master-key status");
        }
      }
      status = rest.get("/v1/master-key");
    }
    return status;
  }

  private String text(JsonNode status) {
    String sheet = new Sheet()
        .line("key", Json.text(status, "key"))
        .line("kept in", Json.text(status, "source"))
        .line("state", Json.text(status, "state"))
        .line(
            "data keys",
            "%,d of %,d under it"
                .formatted(
                    status.at("/dataKeys/done").asLong(),
                    status.at("/dataKeys/total").asLong()))
        .line("values renewed", Counts.number(status.at("/rows/resealed").asLong()))
        .line("do not open", Counts.number(status.at("/rows/unreadable").asLong()))
        .line("", Json.text(status, "message"))
        .text();
    Table servers = new Table().text("SERVER").text("VERSION").text("KEYS").text("SEEN");
    status
        .path("servers")
        .valueStream()
        .forEach(server -> servers.row(
            Json.text(server, "name"),
            Json.text(server, "version"),
            Json.text(server, "keys"),
            Times.ago(Json.text(server, "seenAt"), console.pace())));
    return sheet
        + (servers.isEmpty() ? "" : System.lineSeparator() + servers.text(console.screen()));
  }
}
