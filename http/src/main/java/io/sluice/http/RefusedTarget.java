package io.sluice.http;

import io.sluice.SluiceException;

/** Says that no request is made to a place, and why. */
final class RefusedTarget extends Exception {
  private static final long serialVersionUID = 1L;

  /** The URL cannot be understood, or not in one way only. */
  static final String INVALID_URL = "INVALID_URL";
  /** The URL is understood, and what it names is out of bounds. */
  static final String ADDRESS_REFUSED = "ADDRESS_REFUSED";

  private final String code;
  private final String remedy;

  private RefusedTarget(String code, String reason, String remedy) {
    super(reason, null, false, false);
    this.code = code;
    this.remedy = remedy;
  }

  static RefusedTarget invalid(String reason) {
    return new RefusedTarget(INVALID_URL, reason, "");
  }

  static RefusedTarget outOfBounds(String reason) {
    return new RefusedTarget(ADDRESS_REFUSED, reason, "");
  }

  /** The same for a place inside, which an operator may open by a range such as this. */
  static RefusedTarget inside(String reason, String range) {
    return new RefusedTarget(
        ADDRESS_REFUSED,
        reason,
        "; start the server with --allow-target " + range + " to let jobs go there");
  }

  String code() {
    return code;
  }

  /**
   * The refusal for whoever gave the URL, with the remedy if there is one. A delivery does without that: where
   * a redirect or a name led inside, opening the way in is no remedy.
   */
  SluiceException ofField(String field) {
    return SluiceException.invalid(field, reason() + remedy);
  }

  /** Why, in words that follow the name of a field. */
  String reason() {
    return String.valueOf(getMessage());
  }
}
