package io.sluice;

/** What becomes of a job when one of those it waits for does not complete: it dies, fails or is cancelled. */
public enum AfterPolicy {
  /** It is cancelled, at once, with the reason. */
  CANCEL,
  /** It runs all the same once all of them are over. */
  RUN,
  /** It is held, once all of them are over, until a person lets it run or the one that failed is run again. */
  HOLD,
  /** It runs only then: once all of them are over, and it is cancelled when all of them completed. */
  IF_FAILED
}
