package io.sluice.crashtest;

/** What is so for a whole run, and must make no difference. */
enum Condition {
  /** Transactions of the database are REPEATABLE READ unless they say otherwise. */
  REPEATABLE_READ,
  /** The clocks of workers are ten minutes fast and slow. */
  WRONG_CLOCKS,
  /** Old jobs come in, and are purged, all the time. */
  PURGE
}
