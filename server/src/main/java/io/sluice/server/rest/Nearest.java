package io.sluice.server.rest;

import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/** Words that help who mistyped one. */
final class Nearest {
  private Nearest() {}

  /** The known words in order, as far as a person would read them. */
  static String listed(Collection<?> known) {
    String words = known.stream()
        .map(
            word -> word instanceof Enum<?> e ? e.name().toLowerCase(Locale.ROOT) : word.toString())
        .sorted()
        .limit(40)
        .collect(Collectors.joining(", "));
    return words.isEmpty() ? "none" : words;
  }
}
