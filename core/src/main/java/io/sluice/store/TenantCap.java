package io.sluice.store;

import io.sluice.Marks;
import io.sluice.SluiceException;
import org.jspecify.annotations.Nullable;

/**
 * How many unfinished jobs, waiting or running, a tenant may have in all its queues together, and the
 * marks of its levels where they are other than the engine's.
 */
public record TenantCap(long maxSize, @Nullable Marks levels) {
  public TenantCap {
    if (maxSize < 1) {
      throw SluiceException.invalid("tenant.maxSize", "must be 1 or more, was " + maxSize);
    }
  }

  /** A cap with the marks of the engine. */
  public static TenantCap of(long maxSize) {
    return new TenantCap(maxSize, null);
  }
}
