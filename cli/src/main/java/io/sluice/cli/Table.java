package io.sluice.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows under headings, in columns as wide as they need to be. On a terminal the columns that may be cut
 * share the room that the others leave; where that is too little for words, they get a line of their own
 * below. Elsewhere nothing is cut.
 */
final class Table {
  private static final String GAP = "  ";
  private static final String INDENT = "  ";
  private static final int LEAST = 8;
  private static final int FAIR = 20;

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
    boolean folds = screen.shows() && !fits(widths, screen.width());
    StringBuilder text = new StringBuilder();
    row(text, columns.stream().map(Column::heading).toList(), widths, folds);
    rows.forEach(row -> row(text, row, widths, folds));
    return text.toString();
  }

  /** Narrows what may be cut; false where so little is left of it that it needs a line of its own. */
  private boolean fits(int[] widths, int room) {
    int[] whole = widths.clone();
    if (fit(widths, IntStream.range(0, widths.length).toArray(), room, FAIR)) {
      return true;
    }
    System.arraycopy(whole, 0, widths, 0, whole.length);
    int[] below = columnsOf(true);
    fit(widths, below, room - INDENT.length(), LEAST);
    return below.length == 0;
  }

  private int[] columnsOf(boolean cuttable) {
    return IntStream.range(0, columns.size())
        .filter(i -> (columns.get(i).kind == Kind.LONG) == cuttable)
        .toArray();
  }

  private void row(StringBuilder text, List<String> cells, int[] widths, boolean folds) {
    if (!folds) {
      line(text, "", cells, widths, IntStream.range(0, widths.length).toArray());
      return;
    }
    line(text, "", cells, widths, columnsOf(false));
    line(text, INDENT, cells, widths, columnsOf(true));
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

  /** Takes from the widest of those that may be cut until these columns fit; false where they cannot. */
  private boolean fit(int[] widths, int[] which, int room, int least) {
    int over = -GAP.length() - room;
    for (int i : which) {
      over += widths[i] + GAP.length();
    }
    while (over > 0) {
      int widest = widestToCut(widths, which, least);
      if (widest < 0) {
        return false;
      }
      widths[widest]--;
      over--;
    }
    return true;
  }

  private int widestToCut(int[] widths, int[] which, int least) {
    int widest = -1;
    for (int i : which) {
      if (columns.get(i).kind == Kind.LONG
          && widths[i] > Math.max(least, columns.get(i).heading.length())
          && (widest < 0 || widths[i] > widths[widest])) {
        widest = i;
      }
    }
    return widest;
  }

  private void line(
      StringBuilder text, String indent, List<String> cells, int[] widths, int[] which) {
    StringBuilder line = new StringBuilder(indent);
    for (int i : which) {
      String cell = Words.cut(cells.get(i), widths[i]);
      String space = " ".repeat(widths[i] - cell.length());
      line.append(columns.get(i).kind == Kind.NUMBER ? space + cell : cell + space)
          .append(GAP);
    }
    if (!line.toString().isBlank()) {
      text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
  }
}
