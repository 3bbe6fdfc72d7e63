package io.sluice.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows under headings, in columns as wide as they need to be. On a terminal the widest of the columns that
 * may be cut gives way until a row fits; elsewhere nothing is cut.
 */
final class Table {
  private static final String GAP = "  ";
  private static final int LEAST = 8;

  private enum Kind {
    TEXT,
    NUMBER,
    LONG
  }

  private record Column(String heading, Kind kind) {}

  private final List<Column> columns = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  /** A column of text that is always shown whole. */
  Table text(String heading) {
    return column(heading, Kind.TEXT);
  }

  /** A column of numbers, which stand to the right. */
  Table number(String heading) {
    return column(heading, Kind.NUMBER);
  }

  /** A column of text that may be cut where the screen is narrow. */
  Table cuttable(String heading) {
    return column(heading, Kind.LONG);
  }

  private Table column(String heading, Kind kind) {
    columns.add(new Column(heading, kind));
    return this;
  }

  Table row(String... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(cells.length + " cells in " + columns.size() + " columns");
    }
    rows.add(List.of(cells).stream().map(Words::line).toList());
    return this;
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  String text(Screen screen) {
    int[] widths = widths();
    if (screen.shows()) {
      fit(widths, screen.width());
    }
    StringBuilder text = new StringBuilder();
    line(text, columns.stream().map(Column::heading).toList(), widths);
    rows.forEach(row -> line(text, row, widths));
    return text.toString();
  }

  private int[] widths() {
    int[] widths = new int[columns.size()];
    for (int i = 0; i < widths.length; i++) {
      int column = i;
      widths[i] = Math.max(
          columns.get(i).heading.length(),
          rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0));
    }
    return widths;
  }

  private void fit(int[] widths, int room) {
    int over = -GAP.length() - room;
    for (int width : widths) {
      over += width + GAP.length();
    }
    while (over > 0) {
      int widest = widestToCut(widths);
      if (widest < 0) {
        return;
      }
      widths[widest]--;
      over--;
    }
  }

  private int widestToCut(int[] widths) {
    int widest = -1;
    for (int i = 0; i < widths.length; i++) {
      int least = Math.max(LEAST, columns.get(i).heading.length());
      if (columns.get(i).kind == Kind.LONG
          && widths[i] > least
          && (widest < 0 || widths[i] > widths[widest])) {
        widest = i;
      }
    }
    return widest;
  }

  private void line(StringBuilder text, List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = Words.cut(cells.get(i), widths[i]);
      String space = " ".repeat(widths[i] - cell.length());
      line.append(columns.get(i).kind == Kind.NUMBER ? space + cell : cell + space)
          .append(GAP);
    }
    text.append(line.toString().stripTrailing()).append(System.lineSeparator());
  }
}
