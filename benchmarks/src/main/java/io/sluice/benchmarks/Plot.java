package io.sluice.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** Panels of lines over the minutes of a run, two beside each other, as a picture in SVG. */
final class Plot {
  /** Values over time. */
  record Line(String name, String colour, double[] values) {}

  /** Lines on one axis. */
  record Panel(String title, boolean logarithmic, List<Line> lines) {
    private Axis axis() {
      double most = values().max().orElse(1);
      return logarithmic
          ? Axis.byPowers(values().filter(v -> v > 0).min().orElse(1), most)
          : Axis.upTo(most);
    }

    private DoubleStream values() {
      return lines.stream().flatMapToDouble(line -> Arrays.stream(line.values()));
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
  private final double[] minutes;
  private final Span span;
  private final List<Panel> panels;
  private final Axis time;
  private final StringBuilder svg = new StringBuilder();

  Plot(String title, String note, double[] minutes, Span span, List<Panel> panels) {
    this.title = title;
    this.note = note;
    this.minutes = minutes;
    this.span = span;
    this.panels = panels;
    this.time = Axis.upTo(minutes[minutes.length - 1]);
  }

  String svg() {
    int rows = (panels.size() + 1) / 2;
    int width = 2 * COLUMN + 10;
    int height = TOP + rows * ROW + 8;
    add("""
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" \
        font-family="system-ui, sans-serif" font-size="12" fill="#444">
        <rect width="%d" height="%d" fill="#ffffff"/>
        """, width, height, width, height, width, height);
    text(22, 30, "start", "font-size=\"18\" font-weight=\"600\" fill=\"#1c1c1c\"", title);
    text(22, 50, "start", "", note);
    for (int i = 0; i < panels.size(); i++) {
      panel(panels.get(i), LEFT + i % 2 * COLUMN, TOP + i / 2 * ROW + HEAD);
    }
    add("</svg>%n");
    return svg.toString();
  }

  private void panel(Panel panel, int left, int top) {
    Axis axis = panel.axis();
    shade(left, top);
    for (double tick : axis.ticks()) {
      double y = top + HEIGHT * (1 - axis.place(tick));
      add("<path d=\"M%d %.1fh%d\" stroke=\"#e3e3e3\"/>%n", left, y, WIDTH);
      text(left - 8, y + 4, "end", "", Axis.text(tick));
    }
    for (double tick : time.ticks()) {
      if (tick <= minutes[minutes.length - 1]) {
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
    add(
        "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#fdf0d5\"/>%n",
        from, top, to - from, HEIGHT);
    text((from + to) / 2, top + 14, "middle", "font-size=\"11\" fill=\"#9a7b3c\"", span.name());
  }

  private void legend(Panel panel, int left, int top) {
    int x = left;
    for (Line line : panel.lines()) {
      add(
          "<path d=\"M%d %dh16\" stroke=\"%s\" stroke-width=\"2.5\"/>%n",
          x, top - 11, line.colour());
      text(x + 21, top - 7, "start", "", line.name());
      x += 36 + 7 * line.name().length();
    }
  }

  private void curve(Line line, Axis axis, int left, int top) {
    add(
        "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" stroke-linejoin=\"round\" points=\"",
        line.colour());
    for (int i = 0; i < minutes.length; i++) {
      double y = top + HEIGHT * (1 - axis.place(line.values()[i]));
      add("%.1f,%.1f ", x(minutes[i], left), y);
    }
    add("\"/>%n");
  }

  private double x(double minute, int left) {
    return left + WIDTH * minute / minutes[minutes.length - 1];
  }

  private void text(double x, double y, String anchor, String style, String words) {
    add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>%n", x, y, anchor, style, words);
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values));
  }
}
