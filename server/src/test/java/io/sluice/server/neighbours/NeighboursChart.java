package io.sluice.server.neighbours;

import io.sluice.server.neighbours.NeighboursReport.SecondSample;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Times of deliveries and memory of the server over a run, as a picture in SVG with a band for each phase. */
final class NeighboursChart {
  private static final int LEFT = 60;
  private static final int WIDTH = 900;
  private static final int HEIGHT = 170;
  private static final int TIMES_TOP = 70;
  private static final int MEMORY_TOP = 320;
  private static final String BLUE = "#1f6fb2";
  private static final String ORANGE = "#d1601f";

  /** A line of values. */
  private record Curve(String name, String colour, ToDoubleFunction<SecondSample> value) {}

  private final List<SecondSample> seconds;
  private final Formatter svg = new Formatter(Locale.ROOT);

  NeighboursChart(List<SecondSample> seconds) {
    this.seconds = seconds;
  }

  String svg() {
    int width = LEFT + WIDTH + 20;
    int height = MEMORY_TOP + HEIGHT + 50;
    svg.format("""
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" \
        font-family="system-ui, sans-serif" font-size="12" fill="#444">
        <rect width="%d" height="%d" fill="#ffffff"/>
        """, width, height, width, height, width, height);
    times();
    memory();
    text(LEFT + WIDTH, height - 10, "end", "seconds");
    svg.format("</svg>%n");
    return svg.toString();
  }

  /** Milliseconds by powers of ten, from 1 on. */
  private void times() {
    List<Curve> curves = List.of(
        new Curve("p50", BLUE, sample -> sample.times().p50()),
        new Curve("p99", ORANGE, sample -> sample.times().p99()));
    int powers = (int) Math.max(3, Math.ceil(Math.log10(most(curves))));
    frame("From enqueue to receipt, ms, of the last 5 s", curves, TIMES_TOP);
    for (int power = 0; power <= powers; power++) {
      tick(TIMES_TOP, 1.0 * power / powers, "%,.0f".formatted(Math.pow(10, power)));
    }
    curves.forEach(curve ->
        line(curve, TIMES_TOP, value -> Math.log10(Math.max(1, value)) / powers));
  }

  private void memory() {
    List<Curve> curves = List.of(
        new Curve("resident", BLUE, sample -> sample.memory().resident()),
        new Curve("heap used", ORANGE, sample -> sample.memory().heap()));
    double step = 100 * Math.max(1, Math.ceil(most(curves) / 500));
    int steps = (int) Math.max(1, Math.ceil(most(curves) / step));
    frame("Memory of the server, MiB", curves, MEMORY_TOP);
    for (int i = 0; i <= steps; i++) {
      tick(MEMORY_TOP, 1.0 * i / steps, "%,.0f".formatted(i * step));
    }
    curves.forEach(curve -> line(curve, MEMORY_TOP, value -> value / (steps * step)));
  }

  private double most(List<Curve> curves) {
    return curves.stream()
        .flatMapToDouble(curve -> seconds.stream().mapToDouble(curve.value()))
        .filter(Double::isFinite)
        .max()
        .orElse(1);
  }

  private void frame(String title, List<Curve> curves, int top) {
    text(20, top - 40, "start", title);
    int x = LEFT + 330;
    for (Curve curve : curves) {
      svg.format(
          "<path d=\"M%d %dh16\" stroke=\"%s\" stroke-width=\"2.5\"/>%n",
          x, top - 44, curve.colour());
      text(x + 21, top - 40, "start", curve.name());
      x += 100;
    }
    bands(top);
    double last = seconds.getLast().second();
    for (int second = 0; second <= last; second += last > 120 ? 60 : 10) {
      text(x(second), top + HEIGHT + 18, "middle", String.valueOf(second));
    }
  }

  /** Every phase with its name, every other one shaded. */
  private void bands(int top) {
    int first = 0;
    int band = 0;
    for (int i = 1; i <= seconds.size(); i++) {
      String phase = seconds.get(first).memory().phase();
      if (i < seconds.size() && seconds.get(i).memory().phase().equals(phase)) {
        continue;
      }
      double from = x(seconds.get(first).second());
      double to = x(seconds.get(i - 1).second());
      if (!phase.isEmpty()) {
        svg.format(
            "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
            from, top, to - from, HEIGHT, band++ % 2 == 0 ? "#fdf0d5" : "#eef3f8");
        svg.format(
            "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" font-size=\"10\">%s</text>%n",
            (from + to) / 2, top - 6, phase);
      }
      first = i;
    }
  }

  private void tick(int top, double share, String words) {
    double y = top + HEIGHT * (1 - share);
    svg.format("<path d=\"M%d %.1fh%d\" stroke=\"#d8d8d8\"/>%n", LEFT, y, WIDTH);
    text(LEFT - 8, y + 4, "end", words);
  }

  private void line(Curve curve, int top, ToDoubleFunction<Double> share) {
    svg.format(
        "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.4\" points=\"", curve.colour());
    for (SecondSample sample : seconds) {
      double value = curve.value().applyAsDouble(sample);
      if (Double.isFinite(value)) {
        double y = top + HEIGHT * (1 - Math.clamp(share.applyAsDouble(value), 0, 1));
        svg.format("%.1f,%.1f ", x(sample.second()), y);
      }
    }
    svg.format("\"/>%n");
  }

  private double x(double second) {
    return LEFT + WIDTH * second / Math.max(1, seconds.getLast().second());
  }

  private void text(double x, double y, String anchor, String words) {
    svg.format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, words);
  }
}
