package io.sluice.postgres;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What operations took at several sizes, and the table of it that stands in docs/benchmarks.md. */
final class ScaleTable {
  /** The median time of an operation, and the fewest blocks that it touched. */
  record Figures(double millis, long blocks) {}

  private final Map<Integer, Map<String, Figures>> bySize = new LinkedHashMap<>();

  void add(int finished, Map<String, Figures> figures) {
    bySize.put(finished, figures);
  }

  Map<String, Figures> of(int finished) {
    return Objects.requireNonNull(bySize.get(finished));
  }

  String markdown() {
    StringBuilder text = new StringBuilder("| operation |");
    bySize.keySet().forEach(size -> text.append(" ms, %d million |".formatted(millions(size))));
    bySize.keySet().forEach(size -> text.append(" blocks, %d million |".formatted(millions(size))));
    text.append(" time, most / fewest |\n|---|").append("---|".repeat(2 * bySize.size() + 1));
    Map<String, Figures> fewest = bySize.values().iterator().next();
    fewest.keySet().forEach(operation -> text.append('\n').append(line(operation)));
    return text.toString();
  }

  private String line(String operation) {
    StringBuilder line = new StringBuilder("| " + operation + " |");
    double first = 0;
    double last = 0;
    for (Map<String, Figures> figures : bySize.values()) {
      last = Objects.requireNonNull(figures.get(operation)).millis();
      first = first == 0 ? last : first;
      line.append(String.format(Locale.ROOT, " %.2f |", last));
    }
    for (Map<String, Figures> figures : bySize.values()) {
      line.append(String.format(
          Locale.ROOT, " %,d |", Objects.requireNonNull(figures.get(operation)).blocks()));
    }
    return line.append(String.format(Locale.ROOT, " %.2f |", last / first)).toString();
  }

  private static int millions(int jobs) {
    return jobs / 1_000_000;
  }
}
