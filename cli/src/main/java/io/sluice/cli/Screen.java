package io.sluice.cli;

import java.util.Properties;

/**
 * Whether a person sits there: input and output may each be a terminal or not. The launcher looks, and
 * says it in system properties, because the JVM cannot tell the two apart.
 */
public record Screen(boolean asks, boolean shows, int width) {
  private static final int USUAL = 100;
  private static final int LEAST = 40;

  /** No terminal at all, as in a script. */
  public static final Screen NONE = new Screen(false, false, USUAL);

  /** What the launcher found: {@code sluice.terminal} has "in" and "out", {@code sluice.width} columns. */
  static Screen of(Properties properties) {
    String terminal = properties.getProperty("sluice.terminal", "");
    String width = properties.getProperty("sluice.width", "");
    return new Screen(
        terminal.contains("in"),
        terminal.contains("out"),
        // A terminal that reports 0 columns does not know its size.
        width.matches("0*[1-9][0-9]{0,3}") ? Math.max(LEAST, Integer.parseInt(width)) : USUAL);
  }
}
