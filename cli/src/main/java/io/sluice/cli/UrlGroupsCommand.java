package io.sluice.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code sluice url-groups}: making, changing and looking at them. */
@Command(
    name = "url-groups",
    description = "Makes and changes URL groups: targets with credentials, checks, a signature.",
    footer = {
      "",
      "Examples",
      "  sluice url-groups create shop --base-url https://shop.example.com --bearer @token.txt",
      "  sluice url-groups metrics shop --watch",
      "  sluice url-groups rotate-secret shop --overlap 24h"
    })
final class UrlGroupsCommand {
  private final Console console;
  private final UrlGroupText text;

  UrlGroupsCommand(Console console) {
    this.console = console;
    this.text = new UrlGroupText(console);
  }

  @Operation("listUrlGroups")
  @Command(
      name = "list",
      description = "Lists URL groups by name.",
      footer = {"", "Example", "  sluice url-groups list"})
  int list(@Mixin Paging paging, @Mixin LiveView view, @Mixin Target target) {
    Rest rest = target.open(console);
    view.show(console, () -> paging.fetch(rest, "/v1/url-groups", new Rest.Query()), text::list);
    return Exit.OK.code();
  }

  @Operation("readUrlGroup")
  @Command(
      name = "show",
      description = "Shows a URL group; its secrets read ***.",
      footer = {"", "Example", "  sluice url-groups show shop"})
  int show(@Mixin UrlGroupName group, @Mixin View view, @Mixin Target target) {
    return read(group.path(), view, target);
  }

  private int read(String path, View view, Target target) {
    view.print(console, target.open(console).get(path), thing -> Thing.full(thing, console));
    return Exit.OK.code();
  }

  private int watch(String path, LiveView view, Target target) {
    Rest rest = target.open(console);
    view.show(console, () -> rest.get(path), thing -> Thing.full(thing, console));
    return Exit.OK.code();
  }

  @Operation("createUrlGroup")
  @Command(
      name = "create",
      description = "Makes a URL group.",
      footer = {
        "",
        "Examples",
        "  sluice url-groups create shop --base-url https://shop.example.com --basic @login.txt",
        "  sluice url-groups create shop --from-json shop.json"
      })
  int create(
      @Parameters(arity = "0..1", paramLabel = "NAME", description = "its name") @Nullable
          String name,
      @Mixin UrlGroupOptions options,
      @Mixin View view,
      @Mixin Target target) {
    Body body = options.body(console).set("name", name);
    JsonNode made = target.open(console).post("/v1/url-groups", body.node());
    view.done(console, made, "URL group " + Json.text(made, "name") + " is made");
    return Exit.OK.code();
  }

  @Operation("changeUrlGroup")
  @Command(
      name = "change",
      description = "Changes a URL group: what is given, and nothing else.",
      footer = {"", "Example", "  sluice url-groups change shop --disable-after 3d --unset signing"
      })
  int change(
      @Mixin UrlGroupName group,
      @Mixin UrlGroupOptions options,
      @Mixin View view,
      @Mixin Target target) {
    Body body = options.body(console);
    JsonNode changed = target.open(console).put(group.path(), body.nodeOfChange());
    view.done(console, changed, "URL group " + Json.text(changed, "name") + " is changed");
    return Exit.OK.code();
  }

  @Operation("deleteUrlGroup")
  @Command(
      name = "delete",
      description = "Deletes a URL group.",
      footer = {"", "Example", "  sluice url-groups delete shop --force --yes"})
  int delete(
      @Mixin UrlGroupName group,
      @Option(names = "--force", description = "cancels its waiting jobs; queues lose the group")
          boolean force,
      @Mixin Confirm confirm,
      @Mixin Target target) {
    Rest rest = target.open(console);
    if (force) {
      JsonNode jobs = rest.get(group.path("metrics")).path("jobs");
      confirm.ask(
          console,
          "this deletes the URL group " + group.name() + " and cancels "
              + Words.count(Counts.unfinished(jobs), "unfinished job"));
    }
    rest.delete(new Rest.Query().add("force", force ? "true" : null).at(group.path()), null);
    console.out().println("URL group " + group.name() + " is deleted");
    return Exit.OK.code();
  }

  @Operation("readUrlGroupMetrics")
  @Command(
      name = "metrics",
      description = "Shows the figures of a URL group.",
      footer = {"", "Example", "  sluice url-groups metrics shop --watch"})
  int metrics(
      @Mixin UrlGroupName group,
      @Option(names = "--window", paramLabel = "TIME", description = "to look at, 1m to 24h (5m)")
          @Nullable
          String window,
      @Mixin LiveView view,
      @Mixin Target target) {
    Rest rest = target.open(console);
    String path = new Rest.Query().add("window", window).at(group.path("metrics"));
    view.show(console, () -> rest.get(path), text::metrics);
    return Exit.OK.code();
  }

  @Operation("readUrlGroupHealth")
  @Command(
      name = "health",
      description = "Shows what the last health checks of a URL group found.",
      footer = {"", "Example", "  sluice url-groups health shop --watch"})
  int health(@Mixin UrlGroupName group, @Mixin LiveView view, @Mixin Target target) {
    Rest rest = target.open(console);
    view.show(console, () -> rest.get(group.path("health")), text::health);
    return Exit.OK.code();
  }

  @Operation("listUrlGroupDeliveries")
  @Command(
      name = "deliveries",
      description = "Lists recent deliveries of a URL group, newest first.",
      footer = {"", "Example", "  sluice url-groups deliveries shop --failed"})
  int deliveries(
      @Mixin UrlGroupName group,
      @Option(names = "--failed", description = "only those that failed") boolean failed,
      @Mixin Paging paging,
      @Mixin LiveView view,
      @Mixin Target target) {
    Rest rest = target.open(console);
    Rest.Query query = new Rest.Query().add("failed", failed ? "true" : null);
    view.show(console, () -> paging.fetch(rest, group.path("deliveries"), query), text::deliveries);
    return Exit.OK.code();
  }

  @Operation("setUrlGroupAuth")
  @Command(
      name = "auth",
      description = "Sets how a URL group proves who calls.",
      footer = {
        "",
        "Examples",
        "  sluice url-groups auth shop --bearer @token.txt",
        "  sluice url-groups auth shop --oauth2 https://id.example.com/token --client-id a"
            + " --client-secret @secret.txt"
      })
  int auth(
      @Mixin UrlGroupName group,
      @Mixin AuthOptions options,
      @Option(
              names = "--from-json",
              order = 50,
              paramLabel = "FILE|-",
              description = "all of it as JSON")
          @Nullable
          String fromJson,
      @Mixin View view,
      @Mixin Target target) {
    @Nullable
    JsonNode auth =
        fromJson == null ? options.auth(console) : Body.of(console, fromJson).node();
    if (auth == null) {
      throw new CommandException(
          Exit.MISUSED, "say how: --bearer, --basic, --auth-header, --hmac, --oauth2 or --no-auth");
    }
    JsonNode changed = target.open(console).post(group.path("auth"), auth);
    view.done(
        console,
        changed,
        "URL group " + Json.text(changed, "name") + " has auth " + Json.text(changed, "auth.type"));
    return Exit.OK.code();
  }

  @Operation({"showUrlGroupAuth", "testUrlGroupAuth"})
  @Command(
      name = "auth-test",
      description = "Shows the headers that prove who calls, or tries them with one real request.",
      footer = {
        "",
        "Examples",
        "  sluice url-groups auth-test shop",
        "  sluice url-groups auth-test shop --send --method GET --path /v1/me"
      })
  int authTest(
      @Mixin UrlGroupName group,
      @Mixin TrialOptions trial,
      @Mixin View view,
      @Mixin Target target) {
    Rest rest = target.open(console);
    String path = group.path("auth", "test");
    JsonNode found = trial.isWanted() ? rest.post(path, trial.body()) : rest.get(path);
    view.print(console, found, thing -> Thing.full(thing, console));
    return found.path("ok").asBoolean(true) ? Exit.OK.code() : Exit.FAILED.code();
  }

  @Operation({"readUrlGroupRateLimits", "changeUrlGroupRateLimits"})
  @Command(
      name = "rate-limits",
      description = "Shows the rate limits of a URL group, or changes those that are given.",
      footer = {"", "Example", "  sluice url-groups rate-limits shop --rate 50 --concurrent 10"})
  int rateLimits(
      @Mixin UrlGroupName group,
      @Mixin RateOptions options,
      @Mixin View view,
      @Mixin Target target) {
    Body body = options.body(console);
    String path = group.path("rate-limits");
    Rest rest = target.open(console);
    JsonNode limits = body.node().isEmpty() ? rest.get(path) : rest.put(path, body.node());
    view.print(
        console,
        limits,
        thing -> new Sheet()
            .line("requests", Speed.shown(thing, "requestsPer"))
            .line("burst", Json.text(thing, "burst"))
            .line("concurrentRequests", Thing.limit(thing, "concurrentRequests"))
            .text());
    return Exit.OK.code();
  }

  @Operation("readUrlGroupBreaker")
  @Command(
      name = "breaker",
      description = "Shows the circuit breaker of a URL group.",
      footer = {"", "Example", "  sluice url-groups breaker shop --watch"})
  int breaker(@Mixin UrlGroupName group, @Mixin LiveView view, @Mixin Target target) {
    return watch(group.path("circuit-breaker"), view, target);
  }

  @Operation("resetUrlGroupBreaker")
  @Command(
      name = "reset-breaker",
      description = "Closes the circuit breaker of a URL group, and ends its hold.",
      footer = {"", "Example", "  sluice url-groups reset-breaker shop"})
  int resetBreaker(@Mixin UrlGroupName group, @Mixin View view, @Mixin Target target) {
    JsonNode breaker = target.open(console).post(group.path("circuit-breaker", "reset"), null);
    view.done(console, breaker, "the breaker is " + Json.text(breaker, "state"));
    return Exit.OK.code();
  }

  @Operation("openUrlGroupBreaker")
  @Command(
      name = "open-breaker",
      description = "Opens the circuit breaker of a URL group until it is reset: its jobs wait.",
      footer = {"", "Example", "  sluice url-groups open-breaker shop"})
  int openBreaker(@Mixin UrlGroupName group, @Mixin View view, @Mixin Target target) {
    JsonNode breaker = target.open(console).post(group.path("circuit-breaker", "open"), null);
    view.done(console, breaker, "the breaker is " + Json.text(breaker, "state"));
    return Exit.OK.code();
  }

  @Operation("rotateUrlGroupSecret")
  @Command(
      name = "rotate-secret",
      description = "Makes a new signing secret, shown this once.",
      footer = {"", "Example", "  sluice url-groups rotate-secret shop --overlap 24h"})
  int rotateSecret(
      @Mixin UrlGroupName group,
      @Option(
              names = "--overlap",
              paramLabel = "TIME",
              description = "how long requests are signed with the old one too (24h)")
          @Nullable
          String overlap,
      @Mixin View view,
      @Mixin Target target) {
    JsonNode body = Body.empty().set("overlap", overlap).node();
    JsonNode rotated = target.open(console).post(group.path("secrets", "rotate"), body);
    view.print(console, rotated, thing -> Thing.full(thing, console));
    return Exit.OK.code();
  }
}
