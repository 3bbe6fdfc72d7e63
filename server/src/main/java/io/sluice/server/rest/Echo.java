package io.sluice.server.rest;

import java.util.regex.Pattern;

/** Keeps refusals short, whatever of the request they repeat. */
final class Echo {
  private static final int LONGEST_WORD = 100;
  private static final int LONGEST_TEXT = 1_000;
  private static final Pattern LONG_WORD =
      Pattern.compile("(\\S{" + (LONGEST_WORD - 1) + "})\\S{2,}");

  private Echo() {}

  /** The text with the rest of long words left out, and with its own rest left out. */
  static String cut(String text) {
    if (text.length() <= LONGEST_WORD) {
      return text;
    }
    String words = LONG_WORD.matcher(text).replaceAll("$1…");
    return words.length() <= LONGEST_TEXT ? words : words.substring(0, LONGEST_TEXT - 1) + "…";
  }

  static FieldError cut(FieldError error) {
    String field = error.field();
    return new FieldError(
        field.length() <= LONGEST_WORD ? field : field.substring(0, LONGEST_WORD - 1) + "…",
        cut(error.message()));
  }
}
