package io.sluice;

/** Whether a breaker lets jobs through. */
public enum BreakerState {
  /** All of them. */
  CLOSED,
  /** None, until its time is over. */
  OPEN,
  /** A few of them, to see whether the trouble is over. */
  HALF_OPEN,
  /** None, until a person resets it. */
  FORCED_OPEN
}
