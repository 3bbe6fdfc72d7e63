package io.sluice.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The values of one direction of a panel, from its first to its last tick. */
record Axis(List<Double> ticks, boolean logarithmic) {
  private static final int ABOUT = 5;

  /** From zero to a round figure at or above this. */
  static Axis upTo(double most) {
    double raw = Math.max(most, 1e-9) / ABOUT;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double step = List.of(1.0, 2.0, 5.0, 10.0).stream()
        .map(factor -> factor * power)
        .filter(s -> s >= raw * 0.999)
        .findFirst()
        .orElse(10 * power);
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i < 2 || ticks.getLast() < most * 0.999; i++) {
      ticks.add(i * step);
    }
    return new Axis(ticks, false);
  }

  /** By powers of ten, from one at or below the least to one at or above the most. */
  static Axis byPowers(double least, double most) {
    int first = (int) Math.floor(Math.log10(Math.max(least, 1e-3)));
    int last = (int) Math.ceil(Math.log10(Math.max(most, 1e-3)));
    List<Double> ticks = new ArrayList<>();
    for (int power = first; power <= Math.max(last, first + 1); power++) {
      ticks.add(Math.pow(10, power));
    }
    return new Axis(ticks, true);
  }

  /** Where a value is: 0 at the first tick, 1 at the last. */
  double place(double value) {
    double least = scaled(ticks.getFirst());
    double place = (scaled(value) - least) / (scaled(ticks.getLast()) - least);
    return Math.clamp(place, 0, 1);
  }

  private double scaled(double value) {
    return logarithmic ? Math.log10(Math.max(value, ticks.getFirst())) : value;
  }

  static String text(double tick) {
    return tick == Math.rint(tick)
        ? String.format(Locale.ROOT, "%,.0f", tick)
        : String.format(Locale.ROOT, "%.2f", tick).replaceAll("0+$", "");
  }
}
