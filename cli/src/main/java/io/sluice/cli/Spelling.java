package io.sluice.cli;

import java.util.Collection;
import java.util.Comparator;

/** Finds the word that was probably meant. */
public final class Spelling {
  /** Two letters that changed places, or two other slips; further away it is another word. */
  private static final int NEAR = 2;

  private Spelling() {}

  /** A question for the end of a complaint about an unknown word; nothing where no known one is near. */
  public static String hint(String word, Collection<String> known) {
    return known.stream()
        .filter(candidate -> distance(word, candidate) <= NEAR)
        .min(Comparator.comparingInt(candidate -> distance(word, candidate)))
        .map(nearest -> "; did you mean " + nearest + "?")
        .orElse("");
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
