package io.sluice.store;

import java.util.Set;

/**
 * The answer to a sign of life: whether the worker's lease was extended, and which of the claims it
 * named are no longer its own. A lease that ran out is never extended.
 */
public record Heartbeat(boolean alive, Set<ClaimRef> gone) {
  public Heartbeat {
    gone = Set.copyOf(gone);
  }
}
