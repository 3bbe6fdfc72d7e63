package io.sluice.crashtest;

import java.time.Duration;

/** What can be done to a process or its connections, the gravest first. */
enum FaultKind {
  KILL_WORKER(0),
  PAUSE_WORKER(1_000),
  KILL_DATABASE(4_000),
  /** The database's clock goes back by an hour, and forth again. */
  CLOCK_STEP(12_000),
  /** Bytes vanish, nobody is told; found out by a time-out only. */
  HALF_OPEN(16_000),
  /** What it says arrives when others have its jobs, even if it has given up by then. */
  HOLD_BACK(1_000),
  /** Statements commit when their clients have been cut off and look no more. */
  LATE_COMMIT(1_000),
  CUT(1_000),
  TERMINATE(1_000),
  /** A statement was carried out and its answer got lost. */
  LOST_REPLY(1_000),
  DELAY(1_000),
  KILL_PRODUCER(0),
  PAUSE_PRODUCER(0),
  /** A caller's transaction stays open for longer than two leases and holds what others need. */
  OPEN_TRANSACTION(0),
  /** The machine gave no time to run; nobody's doing. */
  STALL(0);

  private final Duration aftermath;

  FaultKind(long aftermathMillis) {
    this.aftermath = Duration.ofMillis(aftermathMillis);
  }

  /** How long after its end a fault may still show. */
  Duration aftermath() {
    return aftermath;
  }

  /** True when a worker that it befalls may run on although its claims are another's by then. */
  boolean endsLeases() {
    return switch (this) {
      case KILL_WORKER,
          PAUSE_WORKER,
          KILL_DATABASE,
          CLOCK_STEP,
          HALF_OPEN,
          HOLD_BACK,
          LATE_COMMIT,
          STALL -> true;
      case CUT, TERMINATE, LOST_REPLY, DELAY, KILL_PRODUCER, PAUSE_PRODUCER, OPEN_TRANSACTION ->
        false;
    };
  }

  /** True when it can make a job run again. */
  boolean harmsWorkers() {
    return this != KILL_PRODUCER && this != PAUSE_PRODUCER && this != OPEN_TRANSACTION;
  }
}
