package io.sluice.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What was measured: for each name the value of every round, with median and spread. */
final class Figures {
  private final Map<String, List<Double>> values = new LinkedHashMap<>();

  void add(String name, double value) {
    values.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
  }

  double median(String name) {
    List<Double> sorted = new ArrayList<>(values.getOrDefault(name, List.of()));
    Collections.sort(sorted);
    return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2);
  }

  /** Notes one figure as a multiple of another, round by round: both felt the same weather. */
  void addMultiple(String name, String of, String as) {
    List<Double> these = values.getOrDefault(name, List.of());
    List<Double> those = values.getOrDefault(of, List.of());
    for (int round = 0; round < these.size(); round++) {
      add("× " + name + " / " + as, these.get(round) / those.get(round));
    }
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** For each name: median, least, most, and all values. */
  Map<String, Object> asData() {
    Map<String, Object> data = new LinkedHashMap<>();
    values.forEach((name, all) -> {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("median", median(name));
      one.put("least", Collections.min(all));
      one.put("most", Collections.max(all));
      one.put("values", all);
      data.put(name, one);
    });
    return data;
  }

  String asTable() {
    StringBuilder table = new StringBuilder();
    line(table, "figure", "median", "least", "most");
    values.forEach((name, all) -> line(
        table, name, text(median(name)), text(Collections.min(all)), text(Collections.max(all))));
    return table.toString();
  }

  private static void line(StringBuilder table, String name, String... cells) {
    table.append("%-52s".formatted(name));
    for (String cell : cells) {
      table.append(" %12s".formatted(cell));
    }
    table.append('\n');
  }

  private static String text(double value) {
    return Math.abs(value) >= 100
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.3f", value);
  }
}
