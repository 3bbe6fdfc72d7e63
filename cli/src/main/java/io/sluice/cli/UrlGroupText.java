package io.sluice.cli;

import tools.jackson.databind.JsonNode;

/** URL groups for people: a list, their figures, their health, what they delivered. */
final class UrlGroupText {
  private final Console console;

  UrlGroupText(Console console) {
    this.console = console;
  }

  String list(JsonNode page) {
    Table table = new Table()
        .text("NAME")
        .text("STATE")
        .cuttable("BASE URL")
        .text("AUTH")
        .text("SIGNING")
        .number("RATE")
        .number("AT ONCE")
        .cuttable("DESCRIPTION");
    page.path("items")
        .valueStream()
        .forEach(group -> table.row(
            Json.text(group, "name"),
            state(group),
            Json.text(group, "baseUrl"),
            Json.text(group, "auth.type"),
            Json.text(group, "signing.scheme"),
            Speed.shown(group.path("rateLimits"), "requestsPer"),
            Thing.limit(group.path("rateLimits"), "concurrentRequests"),
            Json.text(group, "description")));
    return text(table, "no URL groups");
  }

  /** One word for how it stands: what holds all of its jobs goes before what lets some try. */
  private static String state(JsonNode group) {
    if (!group.path("enabled").asBoolean(true)) {
      return "disabled";
    }
    JsonNode standing = group.path("standing");
    boolean held = standing
        .path("heldBy")
        .valueStream()
        .anyMatch(by -> by.asString().equals("health-check") || by.asString().equals("receiver"));
    return switch (Json.text(standing, "breaker")) {
      case "OPEN", "FORCED_OPEN" -> "open";
      case "HALF_OPEN" -> held ? "held" : "half-open";
      default -> held ? "held" : "enabled";
    };
  }

  private String text(Table table, String none) {
    return table.isEmpty() ? none + System.lineSeparator() : table.text(console.screen());
  }

  String metrics(JsonNode metrics) {
    Table jobs = Counts.table();
    Counts.row(jobs, java.util.List.of(), metrics.path("jobs"));
    String errors = metrics.path("lastErrors").isEmpty()
        ? ""
        : System.lineSeparator() + "Last errors" + System.lineSeparator()
            + rows(metrics.path("lastErrors"));
    return new Sheet().fields(metrics, "jobs", "lastErrors").text()
        + System.lineSeparator()
        + jobs.text(console.screen())
        + errors;
  }

  String health(JsonNode health) {
    Table checks =
        new Table().text("CHECKED").text("PASSED").number("STATUS").number("MS").cuttable("REASON");
    health
        .path("checks")
        .valueStream()
        .forEach(check -> checks.row(
            Times.ago(Json.text(check, "at"), console.pace()),
            check.path("passed").asBoolean() ? "yes" : "no",
            Json.text(check, "status"),
            Json.text(check, "durationMs"),
            Json.text(check, "reason")));
    String sheet = Thing.full(health, console, "checks");
    return checks.isEmpty()
        ? sheet
        : sheet + System.lineSeparator() + checks.text(console.screen());
  }

  String deliveries(JsonNode page) {
    return page.path("items").isEmpty()
        ? "no deliveries" + System.lineSeparator()
        : rows(page.path("items"));
  }

  private String rows(JsonNode deliveries) {
    Table table = new Table()
        .text("WHEN")
        .text("JOB")
        .number("ATTEMPT")
        .number("STATUS")
        .number("MS")
        .text("CLASS")
        .cuttable("MESSAGE");
    deliveries
        .valueStream()
        .forEach(one -> table.row(
            Times.ago(Json.text(one, "at"), console.pace()),
            Json.text(one, "jobId"),
            Json.text(one, "attempt"),
            Json.text(one, "status"),
            Json.text(one, "durationMs"),
            Json.text(one, "class"),
            Json.text(one, "message")));
    return table.text(console.screen());
  }
}
