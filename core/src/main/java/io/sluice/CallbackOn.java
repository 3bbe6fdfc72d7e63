package io.sluice;

/** When the callback of a batch runs. */
public enum CallbackOn {
  /** When all jobs of the batch are over. */
  ALWAYS(AfterPolicy.RUN),
  /** When all of them completed; otherwise it is cancelled. */
  SUCCESS(AfterPolicy.CANCEL),
  /** When one of them did not; otherwise it is cancelled. */
  FAILURE(AfterPolicy.IF_FAILED);

  private final AfterPolicy policy;

  CallbackOn(AfterPolicy policy) {
    this.policy = policy;
  }

  /** What a callback says of the batch it waits for. */
  public AfterPolicy policy() {
    return policy;
  }
}
