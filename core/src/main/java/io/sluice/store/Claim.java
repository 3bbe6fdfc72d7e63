package io.sluice.store;

import java.util.List;

/** What a worker asks for: at most {@code max} jobs, from these lanes in this order. */
public record Claim(long worker, List<LaneQuota> lanes, int max) {
  public Claim {
    lanes = List.copyOf(lanes);
  }
}
