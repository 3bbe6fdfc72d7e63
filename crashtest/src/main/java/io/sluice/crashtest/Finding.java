package io.sluice.crashtest;

/** A promise that was broken, with what shows it. */
record Finding(Kind kind, String text) {
  enum Kind {
    /** Acknowledged, and not there or not over. */
    LOST,
    /** There, or ran, and nobody ever enqueued it. */
    PHANTOM,
    WRONG_PAYLOAD,
    /** One idempotency key, two jobs. */
    KEY_TAKEN_TWICE,
    /** More than one end was recorded. */
    FINISHED_TWICE,
    /** An outcome was recorded although the claim it came from had been taken over. */
    LATE_WRITE_TAKEN,
    /** One claim was run twice. */
    CLAIM_RAN_TWICE,
    /** Ran again although nothing had happened to its first run. */
    UNEXPLAINED_DUPLICATE,
    /** A job that must not run twice did. */
    FRAGILE_RAN_TWICE,
    /** Ended in a state that its work does not explain. */
    WRONG_END,
    TOO_MANY_ATTEMPTS,
    ORDER_BROKEN,
    /** More ran at once than a limit allows. */
    LIMIT_EXCEEDED,
    /** More began in a second than a limit allows. */
    RATE_EXCEEDED,
    /** Work of a paced queue waited, and none of it began for two leases, whatever the clock said. */
    RATE_STUCK,
    /** Work waited for two leases although fewer ran than may. */
    SLOT_LOST,
    /** A limit counts what nobody runs. */
    SLOT_COUNTED_TWICE,
    /** The callback of a batch ran before the last of its jobs was over. */
    CALLBACK_EARLY,
    /** The callback of a batch did not run. */
    CALLBACK_MISSED,
    /** The callback of a batch ran again although its worker was well. */
    CALLBACK_AGAIN,
    /** The counts of a batch are not what became of its jobs. */
    MISCOUNTED,
    /** A batch among other jobs is not over, its counts or its callback are wrong, or a member ran unasked. */
    WRONG_BATCH,
    /** A claim stood for two leases, and the process that it is on, which was well, had never heard of it. */
    FORGOTTEN_CLAIM,
    /** An outcome was recorded two leases after the handler's end, although nothing was wrong. */
    SLOW_OUTCOME,
    /** An enqueue was answered after two leases, although nothing was wrong. */
    SLOW_ENQUEUE,
    /** The jobs of a dead worker waited longer than two leases. */
    SLOW_RECOVERY,
    /** A claim outlived its lease by a lease. */
    DEAD_LEASE
  }

  @Override
  public String toString() {
    return kind + ": " + text;
  }
}
