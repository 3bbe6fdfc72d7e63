package io.sluice;

import java.time.Instant;
import java.util.UUID;

/** A job as it stands in the store. */
public record JobRecord(
    UUID id, Lane lane, JobSpec spec, Instant createdAt, Instant updatedAt, JobStatus status) {

  public String tenant() {
    return lane.tenant();
  }

  public String queue() {
    return lane.queue();
  }

  public String type() {
    return lane.type();
  }

  public JobState state() {
    return status.state();
  }

  public int attempt() {
    return status.attempt();
  }

  public Priority priority() {
    return spec.priority();
  }

  /** The payload as JSON text. */
  public String payload() {
    return spec.payload();
  }
}
