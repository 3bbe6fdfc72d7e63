package io.sluice.store;

import io.sluice.QueueSettings;
import java.time.Instant;
import java.util.UUID;

/** A queue as it stands in the store. A queue that is removed and made again has another id. */
public record QueueRecord(UUID id, QueueSettings settings, Instant createdAt, Instant updatedAt) {
  public String tenant() {
    return settings.tenant();
  }

  public String name() {
    return settings.name();
  }
}
