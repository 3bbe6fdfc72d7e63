package io.sluice.cli;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Why a job does not run, as the server explains it, with the command that helps. */
final class Reasons {
  private final Rest rest;

  Reasons(Rest rest) {
    this.rest = rest;
  }

  /** A sentence for each thing that is in the way of a job that waits. */
  List<String> of(JsonNode job) {
    return switch (Json.text(job, "state")) {
      case "PENDING", "SCHEDULED", "RETRYING" ->
        explained(Json.text(job, "id")).stream()
            .flatMap(explanation -> explanation.path("reasons").valueStream())
            .map(reason -> Json.text(reason, "message") + prefixed("\n", command(reason, job)))
            .toList();
      default -> List.of();
    };
  }

  private Optional<JsonNode> explained(String id) {
    try {
      return Optional.of(rest.get(Rest.path("v1", "jobs", id, "explain")));
    } catch (CommandException e) {
      // The job, which is what was asked for, is there; a server of before cannot explain it.
      return Optional.empty();
    }
  }

  /** The whole explanation: all of it in a line, then each reason with what would change it. */
  static String full(JsonNode explanation) {
    Sheet sheet = new Sheet();
    explanation
        .path("reasons")
        .valueStream()
        .forEach(reason -> sheet.line(
            Json.text(reason, "code"),
            Json.text(reason, "message") + "\n" + Json.text(reason, "remedy")
                + prefixed("\n", command(reason, explanation))));
    return Words.block(Json.text(explanation, "headline"))
        + System.lineSeparator()
        + System.lineSeparator()
        + sheet.text();
  }

  private static String prefixed(String prefix, String text) {
    return text.isEmpty() ? "" : prefix + text;
  }

  /** What to type against a reason, or to learn more of it; nothing where no command helps. */
  private static String command(JsonNode reason, JsonNode job) {
    JsonNode details = reason.path("details");
    String id = Json.text(job, "id");
    return switch (Json.text(reason, "code")) {
      case "TENANT_DISABLED" ->
        "'sluice tenants change " + Json.text(details, "tenant") + " --enabled' starts them again";
      case "QUEUE_PAUSED" ->
        "'sluice queues resume " + Json.text(details, "queue") + "' starts it again";
      case "GROUP_DISABLED" ->
        "'sluice url-groups change " + Json.text(details, "urlGroup")
            + " --enabled' opens it again";
      case "BREAKER_OPEN" -> reset(details);
      case "CONCURRENCY_LIMITED", "RATE_LIMITED" ->
        "'sluice limits show " + Json.text(details, "limit") + "' tells more";
      case "GROUP_HELD" ->
        details.has("breaker")
            ? reset(details)
            : "'sluice url-groups health " + Json.text(details, "urlGroup") + "' tells more";
      case "ORDERED_BEHIND" -> "'sluice jobs explain " + Json.text(details, "job") + "' tells more";
      case "HELD" -> held(details.path("failed").path(0), id);
      case "DEAD" -> "'sluice dlq replay " + id + "' runs it again";
      case "FAILED", "CANCELLED" ->
        "'sluice jobs retry " + id + "' runs it again"
            + prefixed("\n", revive(Json.text(details, "because")));
      default -> "";
    };
  }

  /** A held job is let go, or what failed before it is run again. */
  private static String held(JsonNode failed, String id) {
    String first = Json.text(failed, "id");
    String other = Json.text(failed, "kind").equals("batch")
        ? "'sluice jobs list --batch " + first + " --state dead,failed,cancelled' shows what failed"
        : "'sluice jobs retry " + first + "' runs that one again";
    return "'sluice jobs retry " + id + "' runs it all the same"
        + (first.isEmpty() ? "" : "\n" + other);
  }

  private static String revive(String cause) {
    return cause.isEmpty()
        ? ""
        : "'sluice jobs retry --cascade " + cause + "' runs first what had it cancelled";
  }

  private static String reset(JsonNode details) {
    String group = Json.text(details, "urlGroup");
    return group.isEmpty()
        ? "'sluice breakers reset " + Json.text(details, "type") + "' ends that"
        : "'sluice url-groups reset-breaker " + group + "' ends that";
  }
}
