package io.sluice.cli;

import tools.jackson.databind.JsonNode;

/** Named things for people: a queue, a tenant, a URL group, with the same words for each. */
final class Thing {
  private Thing() {}

  /** Every field, its times readable. */
  static String full(JsonNode thing, Console console) {
    Sheet sheet = new Sheet();
    sheet.fields(thing, "createdAt", "updatedAt", "checkedAt", "openUntil", "previousUntil");
    for (String time :
        new String[] {"createdAt", "updatedAt", "checkedAt", "openUntil", "previousUntil"}) {
      sheet.line(time, Times.full(Json.text(thing, time), console.pace()));
    }
    return sheet.text();
  }

  /** "per second", "5/s", or nothing. */
  static String rate(JsonNode rate) {
    return rate.isObject() ? Json.text(rate, "perSecond") + "/s" : "";
  }

  /** A number, or a dash for no limit. */
  static String limit(JsonNode thing, String field) {
    String text = Json.text(thing, field);
    return text.isEmpty() ? "-" : text;
  }
}
