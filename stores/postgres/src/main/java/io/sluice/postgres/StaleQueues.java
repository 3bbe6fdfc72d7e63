package io.sluice.postgres;

import java.sql.SQLException;

/** What this process remembered of a queue is out of date; nothing was written. */
final class StaleQueues extends SQLException {
  private static final long serialVersionUID = 1L;

  StaleQueues() {
    super("a queue was capped or deleted meanwhile");
  }
}
