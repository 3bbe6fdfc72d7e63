package io.sluice.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds its way in the parentheses of a statement. */
final class Nesting {
  private Nesting() {}

  /** Without comments, in small letters, and with single spaces. */
  static String plain(String sql) {
    return sql.replaceAll("(?m)--.*$", "").replaceAll("\\s+", " ").strip().toLowerCase(Locale.ROOT);
  }

  /** Where the parenthesis that opens here closes. */
  static int close(String text, int open) {
    int depth = 0;
    for (int i = open; i < text.length(); i++) {
      depth += depth(text.charAt(i));
      if (depth == 0) {
        return i;
      }
    }
    throw new IllegalArgumentException("not closed: " + text.substring(open));
  }

  /** The text with all that is within parentheses left out. */
  static String flat(String text) {
    StringBuilder flat = new StringBuilder();
    int depth = 0;
    for (char c : text.toCharArray()) {
      int change = depth(c);
      if (depth == 0 && change == 0) {
        flat.append(c);
      }
      depth += change;
    }
    return flat.toString();
  }

  /** Where a word stands outside all parentheses, or -1. */
  static int word(String text, String word) {
    Matcher matcher = Pattern.compile("\\b" + word + "\\b").matcher(text);
    while (matcher.find()) {
      if (text.substring(0, matcher.start()).chars().map(c -> depth((char) c)).sum() == 0) {
        return matcher.start();
      }
    }
    return -1;
  }

  /** The pieces between these marks, except within a body that two dollars begin and end. */
  static List<String> split(String text, char mark) {
    List<String> pieces = new ArrayList<>();
    int start = 0;
    boolean body = false;
    for (int i = 0; i < text.length(); i++) {
      body ^= text.startsWith("$$", i);
      if (!body && text.charAt(i) == mark) {
        pieces.add(text.substring(start, i).strip());
        start = i + 1;
      }
    }
    pieces.add(text.substring(start).strip());
    return pieces;
  }

  private static int depth(char c) {
    return switch (c) {
      case '(' -> 1;
      case ')' -> -1;
      default -> 0;
    };
  }
}
