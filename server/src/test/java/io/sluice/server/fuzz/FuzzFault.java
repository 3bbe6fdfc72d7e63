package io.sluice.server.fuzz;

/** A rule that was broken: which, by which operation, request and answer. */
record FuzzFault(Oracle oracle, String operation, String request, String answer, String detail) {

  /** One that is about the run and not about a single answer. */
  static FuzzFault of(Oracle oracle, String detail) {
    return new FuzzFault(oracle, "", "", "", detail);
  }

  /** The same for faults that are alike but for ids, names and numbers. */
  String likeness() {
    return oracle + " " + operation + " " + detail.replaceAll("[A-Za-z0-9_-]{30,}|\\d+", "#");
  }

  @Override
  public String toString() {
    return oracle + ": " + detail
        + (operation.isEmpty() ? "" : "\n  operation: " + operation)
        + (request.isEmpty() ? "" : "\n  request: " + request)
        + (answer.isEmpty() ? "" : "\n  answer: " + answer);
  }
}
