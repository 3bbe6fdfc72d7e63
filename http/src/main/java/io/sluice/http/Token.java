package io.sluice.http;

/**
 * A token that an endpoint gave, until it is old.
 *
 * @param born and {@code oldAt} by the nano clock
 * @param replacing true when it was asked for because a receiver had refused the one before
 */
record Token(String text, long born, long oldAt, boolean replacing) {
  boolean isFresh(long now) {
    return now - oldAt < 0;
  }

  /** Nothing of it. */
  @Override
  public String toString() {
    return "Token[***]";
  }
}
