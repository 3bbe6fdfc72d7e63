package io.sluice.cli;

import java.time.InstantSource;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Jobs for people: many in a table, one in full. */
final class JobText {
  /** So much of an answer is shown; --json has all that is kept. */
  private static final int LINES = 8;

  private final Console console;

  JobText(Console console) {
    this.console = console;
  }

  String list(JsonNode page) {
    Table table = new Table()
        .text("ID")
        .text("STATE")
        .text("QUEUE")
        .cuttable("WHAT")
        .number("ATTEMPT")
        .text("CREATED")
        .cuttable("REASON");
    page.path("items")
        .valueStream()
        .forEach(job -> table.row(
            Json.text(job, "id"),
            Json.text(job, "state"),
            Json.text(job, "queue"),
            brief(job, console),
            attempts(job),
            Times.ago(Json.text(job, "createdAt"), console.pace()),
            reason(job)));
    return table.isEmpty() ? "no jobs" + System.lineSeparator() : table.text(console.screen());
  }

  /** What a job does, in a few words. */
  static String what(JsonNode job) {
    String method = Json.text(job, "method");
    if (method.isEmpty()) {
      return Json.text(job, "type");
    }
    String group = Json.text(job, "urlGroup");
    String path = Json.text(job, "path");
    return group.isEmpty()
        ? method + " " + Json.text(job, "url")
        : method + " " + group + ":" + (path.isEmpty() ? "/" : path);
  }

  /** The same for a table: a screen has no room for what goes without saying. */
  static String brief(JsonNode job, Console console) {
    return console.screen().shows()
        ? what(job).replaceFirst("^([A-Z]+) https?://", "$1 ")
        : what(job);
  }

  private static String attempts(JsonNode job) {
    return Json.text(job, "attempt") + "/" + Json.text(job, "maxAttempts");
  }

  /** Why its last attempt failed, or why else it ended as it did. */
  static String reason(JsonNode job) {
    JsonNode errors = job.path("errors");
    return errors.isEmpty() || Json.text(job, "state").equals("COMPLETED")
        ? ended(job)
        : failure(errors.get(errors.size() - 1));
  }

  private static String ended(JsonNode job) {
    String reason = Json.text(job, "deadReason");
    return reason.isEmpty() ? Json.text(job, "reason") : reason;
  }

  private static String failure(JsonNode error) {
    String code = Json.text(error, "code");
    String kind = Json.text(error, "class");
    return (kind.equals("UNKNOWN") && !code.isEmpty() ? code : kind) + ": "
        + Json.text(error, "message");
  }

  String full(JsonNode job) {
    return full(job, List.of());
  }

  /** The job, with the reasons why it waits. */
  String full(JsonNode job, List<String> waits) {
    InstantSource clock = console.pace();
    Sheet sheet = new Sheet()
        .line("id", Json.text(job, "id"))
        .line("state", Json.text(job, "state"))
        .line("reason", ended(job));
    waits.forEach(reason -> sheet.line("waits", reason));
    sheet
        .line("what", what(job))
        .line("queue", Json.text(job, "queue"))
        .line("tenant", Json.text(job, "tenant"))
        .line("priority", Json.text(job, "priority"))
        .line("attempt", Json.text(job, "attempt") + " of " + Json.text(job, "maxAttempts"));
    for (String time :
        new String[] {"createdAt", "runAt", "startedAt", "finishedAt", "expiresAt"}) {
      sheet.line(time, Times.full(Json.text(job, time), clock));
    }
    sheet
        .line("worker", Json.text(job, "worker"))
        .line("leaseUntil", Times.full(Json.text(job, "leaseUntil"), clock))
        .line("timeout", Json.text(job, "timeout"))
        .line("progress", progress(job.path("progress")))
        .line("idempotencyKey", Json.text(job, "idempotencyKey"))
        .line("limitKey", Json.text(job, "limitKey"))
        .line("batch", Json.text(job, "batch"))
        .line("after", after(job.path("after")))
        .line("afterPolicy", Json.text(job, "afterPolicy"))
        .line("replays", Json.text(job, "origin.replays").replaceFirst("^0$", ""));
    content(sheet, job);
    job.path("errors")
        .valueStream()
        .forEach(error -> sheet.line(
            "error " + Json.text(error, "attempt"),
            failure(error) + " (" + Times.ago(Json.text(error, "at"), clock) + ")"
                + answer(Json.text(error, "responseBody"))));
    return sheet.line("next", next(job)).text();
  }

  /** The names of what it waits for, each with its id where that is another one. */
  private static String after(JsonNode after) {
    return after
        .valueStream()
        .map(one -> Json.text(one, "name").equals(Json.text(one, "id"))
            ? Json.text(one, "id")
            : Json.text(one, "name") + " (" + Json.text(one, "id") + ")")
        .collect(Collectors.joining("\n"));
  }

  private static void content(Sheet sheet, JsonNode job) {
    sheet
        .line("headers", Json.text(job, "headers").replaceFirst("^\\{}$", ""))
        .line("body", Json.text(job, "body"))
        .line("bodyBase64", Json.text(job, "bodyBase64"))
        .line("payload", Json.text(job, "payload"))
        .line("callbackUrl", Json.text(job, "callbackUrl"))
        .line("failureCallbackUrl", Json.text(job, "failureCallbackUrl"));
    job.path("metadata")
        .propertyStream()
        .forEach(field ->
            sheet.line(field.getKey(), Json.text(field.getValue()).replaceFirst("^\\{}$", "")));
    JsonNode result = job.path("result");
    if (result.has("status") && result.has("durationMs")) {
      sheet.line(
          "result",
          "status " + Json.text(result, "status") + " after " + Json.text(result, "durationMs")
              + "ms" + answer(Json.text(result, "body")));
    } else {
      sheet.line("result", Json.text(result));
    }
  }

  private static String answer(String body) {
    return body.isBlank() ? "" : "\n" + Words.head(body, LINES);
  }

  private static String progress(JsonNode progress) {
    return progress.isObject()
        ? Json.text(progress, "percent") + "% " + Json.text(progress, "message")
        : "";
  }

  private static String next(JsonNode job) {
    String id = Json.text(job, "id");
    return switch (Json.text(job, "state")) {
      case "DEAD" -> "'sluice dlq replay " + id + "' runs it again";
      case "FAILED", "CANCELLED" -> "'sluice jobs retry " + id + "' runs it again";
      default -> "";
    };
  }

  /** True when nothing more will happen to the job by itself. */
  static boolean isOver(JsonNode job) {
    return switch (Json.text(job, "state")) {
      case "COMPLETED", "FAILED", "DEAD", "CANCELLED" -> true;
      default -> false;
    };
  }
}
