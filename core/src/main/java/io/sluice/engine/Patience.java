package io.sluice.engine;

import io.sluice.store.Strikes;
import java.time.Duration;

/**
 * How long a suspect may hold up the others of an engine, waiting to be alone and then being it: an
 * eighth of the lease after the first death, twice as long after every further one. So a job that was
 * only there when a worker died is soon back among the others, and one that takes its workers down
 * soon has an engine to itself for as long as it takes.
 */
final class Patience {
  private static final int FIRST_SHARE = 8;
  private static final int MOST_DOUBLINGS = 10;

  private final long first;

  Patience(Duration lease) {
    this.first = lease.dividedBy(FIRST_SHARE).toNanos();
  }

  /** None at all for a job that nothing speaks against. */
  long nanos(Strikes strikes) {
    return strikes.isSuspect() ? first << Math.min(strikes.deaths() - 1, MOST_DOUBLINGS) : 0;
  }
}
