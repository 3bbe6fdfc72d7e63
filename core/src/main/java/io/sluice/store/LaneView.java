package io.sluice.store;

import java.util.List;

/** What was seen of the lanes: their heads, and the number of the last lane that the look went up to. */
public record LaneView(List<LaneHead> heads, int upTo) {
  /** What {@code upTo} is of a look that went to the end. */
  public static final int END = Integer.MAX_VALUE;

  public LaneView {
    heads = List.copyOf(heads);
  }
}
