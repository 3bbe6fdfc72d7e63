package io.sluice.server.tenants;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A tenant as it stands in the database and in an answer. */
public record Tenant(
    UUID id,
    String name,
    boolean enabled,
    @Nullable Integer maxConcurrent,
    @Nullable Long maxSize,
    @Nullable Rate rateLimit,
    Instant createdAt,
    Instant updatedAt) {

  TenantSettings settings() {
    return new TenantSettings(name, enabled, maxConcurrent, maxSize, rateLimit);
  }
}
