package io.sluice.server.rest;

/** The rule of which texts can be kept: PostgreSQL takes neither U+0000 nor half of a surrogate pair. */
public final class StorableText {
  public static final String PLAIN =
      "must not contain the character U+0000 or half of a surrogate pair";

  private StorableText() {}

  public static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || Character.isLowSurrogate(c)) {
        return false;
      }
      if (Character.isHighSurrogate(c)) {
        i++;
        if (i == text.length() || !Character.isLowSurrogate(text.charAt(i))) {
          return false;
        }
      }
    }
    return true;
  }
}
