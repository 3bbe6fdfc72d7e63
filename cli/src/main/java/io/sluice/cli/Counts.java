package io.sluice.cli;

import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** How many jobs are in each state, for a queue, a type or all of it. */
final class Counts {
  private static final List<String> STATES = List.of(
      "SCHEDULED", "PENDING", "RUNNING", "RETRYING", "COMPLETED", "FAILED", "DEAD", "CANCELLED");

  private Counts() {}

  /** A table with columns for these, and one for each state. */
  static Table table(String... headings) {
    Table table = new Table();
    for (String heading : headings) {
      table.text(heading);
    }
    STATES.forEach(table::number);
    return table;
  }

  static void row(Table table, String name, JsonNode byState) {
    row(table, List.of(name), byState);
  }

  static void row(Table table, List<String> names, JsonNode byState) {
    String[] cells = new String[names.size() + STATES.size()];
    names.toArray(cells);
    for (int i = 0; i < STATES.size(); i++) {
      cells[names.size() + i] = number(byState.path(STATES.get(i)).asLong(0));
    }
    table.row(cells);
  }

  /** Jobs that are not over. */
  static long unfinished(JsonNode byState) {
    return STATES.subList(0, 4).stream()
        .mapToLong(state -> byState.path(state).asLong(0))
        .sum();
  }

  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
