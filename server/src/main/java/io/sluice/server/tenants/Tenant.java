package io.sluice.server.tenants;

import io.sluice.Scope;
import io.sluice.server.limit.RateBody;
import io.sluice.server.limit.Terms;
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
    @Nullable RateBody rateLimit,
    Instant createdAt,
    Instant updatedAt) {

  TenantSettings settings() {
    return new TenantSettings(name, enabled, maxConcurrent, maxSize, rateLimit);
  }

  Scope scope() {
    return Scope.tenant(name);
  }

  Terms terms() {
    return settings().terms();
  }
}
