package io.sluice.server.config;

import java.util.Collection;
import java.util.Comparator;

/** Finds the word that was probably meant. */
final class Spelling {
  private Spelling() {}

  static String nearest(String word, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(candidate -> distance(word, candidate)))
        .orElseThrow();
  }

  /** How many letters must be put in, taken out or changed to get from one word to the other. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int change = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
