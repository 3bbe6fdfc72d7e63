package io.sluice.memory;

import java.util.Comparator;
import java.util.UUID;

/**
 * The order of ids as they are written: unsigned, byte by byte. {@link UUID#compareTo} compares signed
 * halves and would put an id made later before an earlier one.
 */
final class IdOrder {
  static final Comparator<UUID> UNSIGNED = IdOrder::compare;
  static final Comparator<JobEntry> OF_JOBS = (a, b) -> compare(a.id, b.id);

  private IdOrder() {}

  private static int compare(UUID a, UUID b) {
    int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
  }
}
