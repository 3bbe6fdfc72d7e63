package io.sluice.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code sluice limits}. */
@Command(
    name = "limits",
    description = {
      "Limits how fast jobs start and how many run at once, over all servers.",
      "KEY is global, tenant, queue:NAME, url-group:NAME, type:TYPE, key:LIMITKEY, or key:PREFIX*",
      "for each key that begins so."
    },
    footer = {
      "",
      "Examples",
      "  sluice limits set queue:emails --rate 100/minute --burst 10",
      "  sluice limits set 'key:customer-*' --concurrency 2",
      "  sluice limits list --watch"
    })
final class LimitsCommand {
  private final Console console;

  LimitsCommand(Console console) {
    this.console = console;
  }

  /** The limit that a command is about. */
  static final class Key {
    @Parameters(paramLabel = "KEY", description = "what it is on, such as queue:emails")
    private String key = "";

    String path() {
      return Rest.path("v1", "limits", key);
    }
  }

  @Operation("listLimits")
  @Command(
      name = "list",
      description = "Lists limits, and how far they are used.",
      footer = {"", "Example", "  sluice limits list --watch"})
  int list(@Mixin Paging paging, @Mixin LiveView view, @Mixin Target target) {
    Rest rest = target.open(console);
    view.show(console, () -> paging.fetch(rest, "/v1/limits", new Rest.Query()), this::table);
    return Exit.OK.code();
  }

  private String table(JsonNode page) {
    Table table = new Table()
        .cuttable("LIMIT")
        .number("RATE")
        .number("BURST")
        .number("SPENT")
        .number("AT ONCE")
        .number("RUNNING")
        .number("WAITING")
        .text("NEXT START");
    page.path("items")
        .valueStream()
        .forEach(limit -> table.row(
            Json.text(limit, "key"),
            Speed.shown(Json.text(limit, "rate"), Json.text(limit, "per")),
            Thing.limit(limit, "burst"),
            Thing.limit(limit, "spent"),
            Thing.limit(limit, "concurrency"),
            Thing.limit(limit, "running"),
            Counts.number(limit.path("waiting").asLong()),
            Times.ago(Json.text(limit, "nextStartAt"), console.pace())));
    return table.isEmpty() ? "no limits" + System.lineSeparator() : table.text(console.screen());
  }

  @Operation("readLimit")
  @Command(
      name = "show",
      description = "Shows a limit, and how far it is used.",
      footer = {"", "Example", "  sluice limits show key:customer-7 --json"})
  int show(@Mixin Key key, @Mixin View view, @Mixin Target target) {
    view.print(console, target.open(console).get(key.path()), l -> Thing.full(l, console));
    return Exit.OK.code();
  }

  @Operation("setLimit")
  @Command(
      name = "set",
      description = "Sets a limit: what is given, and what is left out stays.",
      footer = {
        "",
        "Examples",
        "  sluice limits set tenant --rate 50 --concurrency 20",
        "  sluice limits set type:email.send --rate 1000/hour --burst 50",
        "  sluice limits set queue:emails --unset concurrency"
      })
  int set(@Mixin Key key, @Mixin LimitOptions options, @Mixin View view, @Mixin Target target) {
    Body body = options.body(console);
    JsonNode set = target.open(console).put(key.path(), body.nodeOfChange());
    view.done(console, set, "limit " + Json.text(set, "key") + " is " + words(set));
    return Exit.OK.code();
  }

  /** "100/min with burst 10, 5 at once". */
  private static String words(JsonNode limit) {
    String rate = Speed.shown(Json.text(limit, "rate"), Json.text(limit, "per"));
    String concurrency = Json.text(limit, "concurrency");
    String first = rate.equals("-") ? "" : rate + " with burst " + Json.text(limit, "burst");
    String second = concurrency.isEmpty() ? "" : concurrency + " at once";
    return first.isEmpty() || second.isEmpty() ? first + second : first + ", " + second;
  }

  @Operation("deleteLimit")
  @Command(
      name = "delete",
      description = "Lifts a limit.",
      footer = {"", "Example", "  sluice limits delete queue:emails"})
  int delete(@Mixin Key key, @Mixin Target target) {
    target.open(console).delete(key.path(), null);
    console.out().println("limit " + key.key + " is lifted");
    return Exit.OK.code();
  }
}
