package io.sluice.postgres;

import java.time.Duration;

/**
 * Start-up options of a connection of our own. Every transaction is READ COMMITTED, whatever the database
 * or the role defaults to: statements that end jobs must see what they waited for. The second timeout frees
 * the locks of a client that vanished without a word to the server. Compiling a plan costs more than any
 * statement here takes, and parallel workers would take cores from the path of jobs.
 */
public final class SessionOptions {
  private SessionOptions() {}

  /** The value of the driver's property {@code options}, with so much time for a statement. */
  public static String of(Duration statement) {
    long limit = statement.toMillis();
    return "-c default_transaction_isolation=read\\ committed -c jit=off"
        + " -c max_parallel_workers_per_gather=0 -c statement_timeout=" + limit
        + " -c lock_timeout=0 -c idle_in_transaction_session_timeout=" + limit;
  }
}
