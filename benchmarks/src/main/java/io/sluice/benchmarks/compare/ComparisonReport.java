package io.sluice.benchmarks.compare;

import io.sluice.benchmarks.compare.Measurement.Figure;
import io.sluice.benchmarks.compare.RatioInterval.Confidence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The pairs of a comparison by generation, and the intervals, table and verdict made of them. */
final class ComparisonReport {
  /** Both builds in one pair of turns. */
  private record Pair(Turn ours, Turn theirs) {
    double ratio(Phase phase, Figure figure) {
      return ours.get(phase, figure) / theirs.get(phase, figure);
    }
  }

  private final List<List<Pair>> generations = new ArrayList<>();

  void beginGeneration() {
    generations.add(new ArrayList<>());
  }

  void add(Turn ours, Turn theirs) {
    generations.getLast().add(new Pair(ours, theirs));
  }

  RatioInterval interval(Phase phase, Figure figure) {
    return RatioInterval.of(ratios(phase, figure), Confidence.ONE_FIGURE);
  }

  /**
   * The ratios of each generation. A rate has one for each pair. A cost has one for all pairs together: the CPU time of
   * the server's processes is known in ticks of 10 ms, which are long beside one turn.
   */
  private List<double[]> ratios(Phase phase, Figure figure) {
    return generations.stream()
        .map(pairs -> figure == Figure.RATE
            ? pairs.stream().mapToDouble(pair -> pair.ratio(phase, figure)).toArray()
            : new double[] {
              mean(pairs, Pair::ours, phase, figure) / mean(pairs, Pair::theirs, phase, figure)
            })
        .toList();
  }

  private static double mean(
      List<Pair> pairs, Function<Pair, Turn> build, Phase phase, Figure figure) {
    return pairs.stream()
        .mapToDouble(pair -> build.apply(pair).get(phase, figure))
        .average()
        .orElseThrow();
  }

  /** The middle rate, or the mean cost, of a build. */
  private double typical(Function<Pair, Turn> build, Phase phase, Figure figure) {
    List<Pair> pairs = generations.stream().flatMap(List::stream).toList();
    return figure == Figure.RATE
        ? Medians.median(pairs.stream()
            .mapToDouble(pair -> build.apply(pair).get(phase, figure))
            .toArray())
        : mean(pairs, build, phase, figure);
  }

  boolean isNarrow(double halfWidth) {
    return Arrays.stream(Phase.values())
        .allMatch(phase -> interval(phase, Figure.RATE).halfWidth() <= halfWidth);
  }

  /** The rates so far, in one line. */
  String progress() {
    return Arrays.stream(Phase.values())
        .map(phase -> {
          RatioInterval rate = interval(phase, Figure.RATE);
          return String.format(
              Locale.ROOT,
              "%s %.3f ± %.1f %%",
              phase.title(),
              rate.ratio(),
              rate.halfWidth() * 100);
        })
        .collect(Collectors.joining(", "));
  }

  String table() {
    StringBuilder table = new StringBuilder();
    line(table, "", "this build", "the other", "ratio", "95 % interval", "");
    for (Phase phase : Phase.values()) {
      for (Figure figure : Figure.values()) {
        RatioInterval interval = interval(phase, figure);
        line(
            table,
            phase.title() + ", " + figure.unit(),
            number(typical(Pair::ours, phase, figure)),
            number(typical(Pair::theirs, phase, figure)),
            String.format(Locale.ROOT, "%.3f", interval.ratio()),
            String.format(Locale.ROOT, "%.3f to %.3f", interval.low(), interval.high()),
            Verdict.of(interval, figure).words(figure));
      }
    }
    return table.toString();
  }

  /** The overall verdict, then a sentence for each rate. */
  String verdict() {
    String sentences = Arrays.stream(Phase.values())
        .map(phase -> {
          RatioInterval rate = interval(phase, Figure.RATE);
          return String.format(
              Locale.ROOT,
              " %s: %.3f times the other's rate (%.3f to %.3f).",
              phase.title(),
              rate.ratio(),
              rate.low(),
              rate.high());
        })
        .collect(Collectors.joining());
    return "Verdict: " + overall().words(Figure.RATE) + "." + sentences;
  }

  /** By wider intervals than the table's: with three rates, chance has three times to fake a difference. */
  private Verdict overall() {
    List<Verdict> verdicts = Arrays.stream(Phase.values())
        .map(phase -> RatioInterval.of(ratios(phase, Figure.RATE), Confidence.THREE_FIGURES))
        .map(rate -> Verdict.of(rate, Figure.RATE))
        .toList();
    Verdict overall = Verdict.overall(verdicts);
    boolean narrow = isNarrow(Comparison.NARROW);
    return overall == Verdict.UNDECIDED && narrow ? Verdict.SAME : overall;
  }

  Map<String, Object> asData() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("java", System.getProperty("java.version"));
    data.put("processors", Runtime.getRuntime().availableProcessors());
    data.put("generations", generations.size());
    data.put("pairs", generations.stream().mapToInt(List::size).sum());
    data.put("verdict", verdict());
    for (Phase phase : Phase.values()) {
      for (Figure figure : Figure.values()) {
        RatioInterval interval = interval(phase, figure);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("ours", typical(Pair::ours, phase, figure));
        row.put("theirs", typical(Pair::theirs, phase, figure));
        row.put("ratio", interval.ratio());
        row.put("low", interval.low());
        row.put("high", interval.high());
        row.put("verdict", Verdict.of(interval, figure).words(figure));
        row.put("ratios", ratios(phase, figure));
        data.put(phase.title() + ", " + figure.unit(), row);
      }
    }
    return data;
  }

  private static void line(StringBuilder table, Object... cells) {
    table
        .append(
            String.format(Locale.ROOT, "%-42s %12s %12s %8s   %-16s %s", cells).stripTrailing())
        .append('\n');
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%,.0f", value);
  }
}
