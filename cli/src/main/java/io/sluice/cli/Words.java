package io.sluice.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * Text for people: nothing in it can move the cursor, colour the screen or turn the order of letters
 * round. Control characters are those of Unicode, not of ASCII alone: U+009B begins an escape sequence.
 */
final class Words {
  private Words() {}

  static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }

  /** Without line breaks and other control characters, for a cell or a line. */
  static String line(String text) {
    return text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\s]+", " ").strip();
  }

  /** Without control characters but line breaks and tabs. */
  static String block(String text) {
    return text.replace("\r\n", "\n").replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}&&[^\n\t]]", "?");
  }

  /** No longer than this, with an ellipsis for what is left out. */
  static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, Math.max(0, width - 1)) + "…";
  }

  /** The first lines of a text, and how many more there are. */
  static String head(String text, int lines) {
    List<String> all = text.strip().lines().toList();
    return all.size() <= lines
        ? text.strip()
        : String.join("\n", all.subList(0, lines)) + "\n… " + count(all.size() - lines, "line")
            + " more";
  }

  /** "1 job", "2 jobs". */
  static String count(long number, String one) {
    return String.format(Locale.ROOT, "%,d %s%s", number, one, number == 1 ? "" : "s");
  }
}
