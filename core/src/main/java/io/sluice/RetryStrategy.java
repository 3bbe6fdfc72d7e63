package io.sluice;

/** How the delay before an attempt grows with the number of attempts that failed. */
public enum RetryStrategy {
  /** initial · multiplier^(n-1). */
  EXPONENTIAL,
  /** initial · n. */
  LINEAR,
  /** No delay. */
  IMMEDIATE,
  /** No further attempt. */
  NONE
}
