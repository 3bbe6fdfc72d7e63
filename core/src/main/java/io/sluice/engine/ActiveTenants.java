package io.sluice.engine;

import io.sluice.Lane;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Knows whether a tenant is alone here, or others have had work lately. */
final class ActiveTenants {
  static final Duration LATELY = Duration.ofMinutes(10);

  private @Nullable String last;
  private long lastAt;
  private boolean several;
  private long severalAt;

  /** Notes that a lane was dealt room. */
  void dealt(Lane lane, long now) {
    if (last != null && !last.equals(lane.tenant())) {
      several = true;
      severalAt = now;
    }
    last = lane.tenant();
    lastAt = now;
  }

  /** True when another tenant has had work lately, also where this one never had any. */
  boolean hasOthers(String tenant, long now) {
    boolean besideTheLast = last != null && !last.equals(tenant) && isLately(lastAt, now);
    return besideTheLast || (several && isLately(severalAt, now));
  }

  private static boolean isLately(long at, long now) {
    return now - at < LATELY.toNanos();
  }
}
