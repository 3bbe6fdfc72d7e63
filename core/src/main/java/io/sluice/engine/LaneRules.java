package io.sluice.engine;

import io.sluice.ErrorCode;
import io.sluice.Lane;
import io.sluice.SluiceException;
import java.util.function.Predicate;

/**
 * Which lanes wait: those of which {@code held} is true for now, and those of a URL group that has
 * {@code urlGroupSlots} jobs in hand here, so that one receiver that does not answer leaves room to others.
 */
public record LaneRules(Predicate<Lane> held, int urlGroupSlots) {
  public LaneRules {
    if (urlGroupSlots < 1) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION, "urlGroupSlots must be 1 or more, was " + urlGroupSlots);
    }
  }
}
