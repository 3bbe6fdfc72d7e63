package io.sluice.memory;

import io.sluice.store.TenantCap;
import org.jspecify.annotations.Nullable;

/** A tenant: its cap, if it has one, and how many jobs of it, in all its queues, are not over. */
final class TenantEntry {
  final String name;

  @Nullable
  TenantCap cap;

  long unfinished;
  long ended;

  TenantEntry(String name) {
    this.name = name;
  }

  /** The number of jobs the tenant may have. */
  long most() {
    return cap == null ? Long.MAX_VALUE : cap.maxSize();
  }

  /** The number of jobs it may still have. */
  long room() {
    return Math.max(0, most() - unfinished);
  }
}
