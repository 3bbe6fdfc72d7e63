package io.sluice;

import java.time.Instant;
import java.util.UUID;

/** A job in the hands of its handler, with its payload decoded. */
public record Job<T>(
    UUID id,
    Lane lane,
    T payload,
    int attempt,
    Instant createdAt,
    Priority priority,
    Metadata metadata) {

  public String tenant() {
    return lane.tenant();
  }

  public String queue() {
    return lane.queue();
  }

  public String type() {
    return lane.type();
  }
}
