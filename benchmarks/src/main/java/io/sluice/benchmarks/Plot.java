package io.sluice.benchmarks;

import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** Panels of lines over the minutes of a run, two beside each other, as a picture in SVG. */
final class Plot {
  /** Values over time. */
  record Line(String name, String colour, List<Double> values) {}

  /** Lines on one axis. */
  record Panel(String title, boolean logarithmic, List<Line> lines) {
    private Axis axis() {
      double most = values().max().orElse(1);
      return logarithmic
          ? Axis.byPowers(values().filter(v -> v > 0).min().orElse(1), most)
          : Axis.upTo(most);
    }

    private DoubleStream values() {
      return lines.stream().flatMap(line -> line.values().stream()).mapToDouble(value -> value);
    }
  }

  /** A stretch of time that is shaded. */
  record Span(String name, double from, double to) {}

  private static final int COLUMN = 480;
  private static final int ROW = 250;
  private static final int TOP = 64;
  private static final int LEFT = 62;
  private static final int WIDTH = 390;
  private static final int HEIGHT = 150;
  private static final int HEAD = 44;

  private final String title;
  private final String note;
  private final List<Double> minutes;
  private final Span span;
  private final List<Panel> panels;
  private final Axis time;
  private final Formatter svg = new Formatter(Locale.ROOT);

  Plot(String title, String note, List<Double> minutes, Span span, List<Panel> panels) {
    this.title = title;
    this.note = note;
    this.minutes = minutes;
    this.span = span;
    this.panels = panels;
    this.time = Axis.upTo(minutes.getLast());
  }

  String svg() {
    int rows = (panels.size() + 1) / 2;
    int width = 2 * COLUMN + 10;
    int height = TOP + rows * ROW + 8;
    svg.format("""
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" \
        font-family="system-ui, sans-serif" font-size="12" fill="#444">
        <rect width="%d" height="%d" fill="#ffffff"/>
        """, width, height, width, height, width, height);
    text(22, 30, "start", "font-size=\"18\" font-weight=\"600\" fill=\"#1c1c1c\"", title);
    text(22, 50, "start", "", note);
    for (int i = 0; i < panels.size(); i++) {
      panel(panels.get(i), LEFT + i % 2 * COLUMN, TOP + i / 2 * ROW + HEAD);
    }
    svg.format("</svg>%n");
    return svg.toString();
  }

  private void panel(Panel panel, int left, int top) {
    Axis axis = panel.axis();
    shade(left, top);
    for (double tick : axis.ticks()) {
      double y = top + HEIGHT * (1 - axis.place(tick));
      svg.format("<path d=\"M%d %.1fh%d\" stroke=\"#e3e3e3\"/>%n", left, y, WIDTH);
      text(left - 8, y + 4, "end", "", Axis.text(tick));
    }
    for (double tick : time.ticks()) {
      if (tick <= minutes.getLast()) {
        text(x(tick, left), top + HEIGHT + 18, "middle", "", Axis.text(tick));
      }
    }
    text(left + WIDTH, top + HEIGHT + 34, "end", "fill=\"#777\"", "minutes");
    text(left - 40, top - 26, "start", "font-weight=\"600\" fill=\"#1c1c1c\"", panel.title());
    legend(panel, left, top);
    panel.lines().forEach(line -> curve(line, axis, left, top));
  }

  private void shade(int left, int top) {
    double from = x(span.from(), left);
    double to = x(span.to(), left);
    svg.format(
        "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#fdf0d5\"/>%n",
        from, top, to - from, HEIGHT);
    text((from + to) / 2, top + 14, "middle", "font-size=\"11\" fill=\"#9a7b3c\"", span.name());
  }

  private void legend(Panel panel, int left, int top) {
    int x = left;
    for (Line line : panel.lines()) {
      svg.format(
          "<path d=\"M%d %dh16\" stroke=\"%s\" stroke-width=\"2.5\"/>%n",
          x, top - 11, line.colour());
      text(x + 21, top - 7, "start", "", line.name());
      x += 36 + 7 * line.name().length();
    }
  }

  private void curve(Line line, Axis axis, int left, int top) {
    svg.format(
        "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" stroke-linejoin=\"round\" points=\"",
        line.colour());
    for (int i = 0; i < minutes.size(); i++) {
      double y = top + HEIGHT * (1 - axis.place(line.values().get(i)));
      svg.format("%.1f,%.1f ", x(minutes.get(i), left), y);
    }
    svg.format("\"/>%n");
  }

  private double x(double minute, int left) {
    return left + WIDTH * minute / minutes.getLast();
  }

  private void text(double x, double y, String anchor, String style, String words) {
    svg.format(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>%n",
        x, y, anchor, style, words);
  }
}
