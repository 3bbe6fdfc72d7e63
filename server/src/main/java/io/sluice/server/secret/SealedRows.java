package io.sluice.server.secret;

import org.jspecify.annotations.Nullable;

/** A table with values that the vault sealed. All of them are sealed anew when the master key changes. */
public interface SealedRows {
  /**
   * What came of some rows.
   *
   * @param looked how many rows there were
   * @param resealed how many values have been sealed anew
   * @param unreadable how many values do not open, and were left as they are
   * @param last the last row, to go on after; null when there are no more
   */
  record Batch(
      int looked, int resealed, int unreadable, @Nullable String last) {}

  /** How many rows there are. */
  long count();

  /**
   * Looks at the rows after one and seals with the newest data key what is not. A value that somebody
   * changes meanwhile stays as he wants it.
   */
  Batch reseal(@Nullable String after);
}
