package io.sluice;

/** What a cancel met. */
public enum CancelResult {
  CANCELLED,
  /** The job had ended before. */
  ALREADY_FINISHED,
  NOT_FOUND
}
