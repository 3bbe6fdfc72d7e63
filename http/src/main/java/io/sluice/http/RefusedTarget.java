package io.sluice.http;

/** Says that no request is made to a place, and why. */
final class RefusedTarget extends Exception {
  private static final long serialVersionUID = 1L;

  /** The URL cannot be understood, or not in one way only. */
  static final String INVALID_URL = "INVALID_URL";
  /** The URL is understood, and what it names is out of bounds. */
  static final String ADDRESS_REFUSED = "ADDRESS_REFUSED";

  private final String code;

  private RefusedTarget(String code, String reason) {
    super(reason, null, false, false);
    this.code = code;
  }

  static RefusedTarget invalid(String reason) {
    return new RefusedTarget(INVALID_URL, reason);
  }

  static RefusedTarget outOfBounds(String reason) {
    return new RefusedTarget(ADDRESS_REFUSED, reason);
  }

  String code() {
    return code;
  }

  /** Why, in words that follow the name of a field. */
  String reason() {
    return String.valueOf(getMessage());
  }
}
