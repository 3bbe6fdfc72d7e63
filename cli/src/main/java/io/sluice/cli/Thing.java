package io.sluice.cli;

import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Named things for people: a queue, a tenant, a URL group, with the same words for each. */
final class Thing {
  private static final List<String> TIMES = List.of(
      "createdAt",
      "updatedAt",
      "finishedAt",
      "since",
      "checkedAt",
      "nextCheckAt",
      "disabledAt",
      "openUntil",
      "heldUntil",
      "previousUntil",
      "expiresAt",
      "nextStartAt",
      "resetsAt");

  private Thing() {}

  /** Every field but these, its times readable. */
  static String full(JsonNode thing, Console console, String... left) {
    Sheet sheet = new Sheet();
    sheet.fields(thing, Stream.concat(TIMES.stream(), Stream.of(left)).toArray(String[]::new));
    TIMES.forEach(time -> sheet.line(time, Times.full(Json.text(thing, time), console.pace())));
    return sheet.text();
  }

  /** A number, or a dash for no limit. */
  static String limit(JsonNode thing, String field) {
    String text = Json.text(thing, field);
    return text.isEmpty() ? "-" : text;
  }
}
