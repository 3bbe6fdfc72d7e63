package io.sluice.server.fuzz;

/** A rule that every answer, or the run as a whole, must keep. */
enum Oracle {
  /** No answer is 500, and 503 says only that memory is short, or is of a health route. */
  SERVER_ERROR,
  /** The document has the status for the operation. */
  UNDOCUMENTED_STATUS,
  /** The answer fits the schema that the document has for it. */
  WRONG_ANSWER,
  /** A refusal is a problem+json with the status it came with, and the headers that go with it. */
  NO_PROBLEM,
  /** No answer shows the inside of the server: classes, statements, stack traces. */
  LEAK,
  /** Every request is answered, within the bound. */
  HANG,
  /** Nobody does what his role does not allow. */
  ROLE_BREACH,
  /** No body is read as a request of its own. */
  SMUGGLING,
  /** What belongs to another tenant is 404. */
  FOREIGN,
  /** Every job that was taken is found again. */
  LOST_JOB,
  /** No job is handed out under two live leases. */
  TWO_LEASES,
  /** PostgreSQL had to end no deadlock. */
  DEADLOCK,
  /** The log has no ERROR and no stack trace. */
  LOG,
  /** After the run, work of somebody new is done as usual. */
  AFTERMATH,
  /** Each operation was called, and in a long run answered 2xx. */
  COVERAGE
}
