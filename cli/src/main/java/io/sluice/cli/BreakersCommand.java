package io.sluice.cli;

import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code sluice breakers}. */
@Command(
    name = "breakers",
    description = {
      "Sets, shows, opens and resets circuit breakers on job types.",
      "Those of URL groups are with them: sluice url-groups breaker."
    },
    footer = {
      "",
      "Examples",
      "  sluice breakers set mail.send --error-threshold 0.5 --minimum-calls 20",
      "  sluice breakers list --watch",
      "  sluice breakers reset mail.send"
    })
final class BreakersCommand {
  private final Console console;

  BreakersCommand(Console console) {
    this.console = console;
  }

  /** The type of jobs that a command is about. */
  static final class TypeName {
    @Parameters(paramLabel = "TYPE", description = "a type of jobs")
    private String type = "";

    String path(String... more) {
      return Rest.path(Stream.concat(Stream.of("v1", "circuit-breakers", type), Stream.of(more))
          .toArray(String[]::new));
    }
  }

  @Operation("listBreakers")
  @Command(
      name = "list",
      description = "Lists the breakers on job types.",
      footer = {"", "Example", "  sluice breakers list --watch 5"})
  int list(@Mixin Paging paging, @Mixin LiveView view, @Mixin Target target) {
    Rest rest = target.open(console);
    view.show(
        console,
        () -> paging.fetch(rest, "/v1/circuit-breakers", new Rest.Query()),
        page -> table(page, console));
    return Exit.OK.code();
  }

  private static String table(JsonNode page, Console console) {
    Table table = new Table()
        .text("TYPE")
        .text("STATE")
        .number("CALLS")
        .number("FAILED")
        .text("OPEN UNTIL")
        .number("THRESHOLD");
    page.path("items")
        .valueStream()
        .forEach(breaker -> table.row(
            Json.text(breaker, "type"),
            Json.text(breaker, "state"),
            Json.text(breaker, "calls"),
            Math.round(100 * breaker.path("failureRate").asDouble()) + "%",
            Times.full(Json.text(breaker, "openUntil"), console.pace()),
            Thing.limit(breaker, "errorThreshold")));
    return table.isEmpty() ? "no breakers" + System.lineSeparator() : table.text(console.screen());
  }

  @Operation("readBreaker")
  @Command(
      name = "show",
      description = "Shows the breaker on a job type.",
      footer = {"", "Example", "  sluice breakers show mail.send --watch"})
  int show(@Mixin TypeName type, @Mixin LiveView view, @Mixin Target target) {
    Rest rest = target.open(console);
    view.show(console, () -> rest.get(type.path()), breaker -> Thing.full(breaker, console));
    return Exit.OK.code();
  }

  @Operation("setBreaker")
  @Command(
      name = "set",
      description = "Makes or changes the breaker on a job type.",
      footer = {
        "",
        "Examples",
        "  sluice breakers set mail.send --minimum-calls 20 --trip-duration 1m",
        "  sluice breakers set mail.send --slow-call 5s"
      })
  int set(
      @Mixin TypeName type, @Mixin BreakerOptions options, @Mixin View view, @Mixin Target target) {
    JsonNode set = target.open(console).put(type.path(), options.body(console).node());
    view.done(console, set, "the breaker on " + Json.text(set, "type") + " is set");
    return Exit.OK.code();
  }

  @Operation("deleteBreaker")
  @Command(
      name = "delete",
      description = "Removes the breaker from a job type; what it held back runs.",
      footer = {"", "Example", "  sluice breakers delete mail.send"})
  int delete(@Mixin TypeName type, @Mixin Target target) {
    target.open(console).delete(type.path(), null);
    console.out().println("the breaker is deleted");
    return Exit.OK.code();
  }

  @Operation("resetBreaker")
  @Command(
      name = "reset",
      description = "Closes the breaker on a job type.",
      footer = {"", "Example", "  sluice breakers reset mail.send"})
  int reset(@Mixin TypeName type, @Mixin View view, @Mixin Target target) {
    return done(target.open(console).post(type.path("reset"), null), view);
  }

  @Operation("openBreaker")
  @Command(
      name = "open",
      description = "Opens the breaker on a job type until it is reset: its jobs wait.",
      footer = {"", "Example", "  sluice breakers open mail.send"})
  int open(@Mixin TypeName type, @Mixin View view, @Mixin Target target) {
    return done(target.open(console).post(type.path("open"), null), view);
  }

  private int done(JsonNode breaker, View view) {
    view.done(console, breaker, "the breaker is " + Json.text(breaker, "state"));
    return Exit.OK.code();
  }
}
