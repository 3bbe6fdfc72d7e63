package io.sluice;

/** How much of a job is read: each has more than the one before. */
public enum Detail {
  /** All but the payload, the result and the stack traces. The payload reads {@code null}. */
  STATE,
  /** The same, and of the payload of an HTTP job all but the body. */
  SUMMARY,
  FULL
}
