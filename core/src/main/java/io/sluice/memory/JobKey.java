package io.sluice.memory;

import io.sluice.JobSpec;
import io.sluice.Lane;
import org.jspecify.annotations.Nullable;

/** An idempotency key in the scope where it is unique. */
record JobKey(String tenant, String queue, String key) {
  static @Nullable JobKey of(Lane lane, JobSpec spec) {
    String key = spec.idempotencyKey();
    return key == null ? null : new JobKey(lane.tenant(), lane.queue(), key);
  }
}
