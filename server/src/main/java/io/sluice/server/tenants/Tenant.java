package io.sluice.server.tenants;

import io.sluice.Marks;
import io.sluice.Scope;
import io.sluice.server.limit.RateBody;
import io.sluice.server.limit.Terms;
import io.sluice.server.quota.Quotas;
import io.sluice.store.TenantCap;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A tenant as it stands in the database. */
public record Tenant(
    UUID id,
    String name,
    boolean enabled,
    @Nullable Integer maxConcurrent,
    @Nullable Long maxSize,
    @Nullable Marks levels,
    @Nullable RateBody rateLimit,
    Quotas quotas,
    Instant createdAt,
    Instant updatedAt) {

  TenantSettings settings() {
    return new TenantSettings(
        name, enabled, maxConcurrent, maxSize, LevelsBody.of(levels), rateLimit, quotas);
  }

  /** How many unfinished jobs it may have, where that is limited. */
  @Nullable
  TenantCap cap() {
    return maxSize == null ? null : new TenantCap(maxSize, levels);
  }

  Scope scope() {
    return Scope.tenant(name);
  }

  Terms terms() {
    return settings().terms();
  }
}
