package io.sluice.server.tenants;

import io.sluice.server.rest.Checks;
import org.jspecify.annotations.Nullable;

/** How many in a second, on the average, and how many at once after a pause. */
record Rate(@Nullable Double perSecond, @Nullable Integer burst) {
  private static final double MOST = 1e9;

  /** Where no burst is given, it is what a second allows. */
  Rate {
    if (burst == null && perSecond != null && perSecond > 0 && perSecond <= MOST) {
      burst = (int) Math.max(1, Math.ceil(perSecond));
    }
  }

  void check(Checks checks) {
    checks.require(
        perSecond != null && perSecond > 0 && perSecond <= MOST,
        "rateLimit.perSecond",
        "must be more than 0 and at most 1000000000");
    checks.require(burst == null || burst >= 1, "rateLimit.burst", "must be 1 or more");
  }
}
