package io.sluice.server.quota;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The room of a tenant for things of one kind, while nobody else makes any.
 *
 * @param most how many it may have; null for any number
 */
public record Room(Quota quota, @Nullable Long most) {
  /** Throws QUOTA_EXCEEDED when the tenant has as many as it may. */
  public void require(LongSupplier count) {
    if (most != null) {
      long have = count.getAsLong();
      if (have >= most) {
        throw quota.exceeded(have, most);
      }
    }
  }
}
