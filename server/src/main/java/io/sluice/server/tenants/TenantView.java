package io.sluice.server.tenants;

import io.sluice.Level;
import io.sluice.Marks;
import io.sluice.server.limit.RateBody;
import io.sluice.server.quota.Quotas;
import io.sluice.store.TenantSize;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A tenant as it is read back. {@code size} is the number of its unfinished jobs where that is limited,
 * {@code level} how full that makes it.
 */
record TenantView(
    UUID id,
    String name,
    boolean enabled,
    @Nullable Integer maxConcurrent,
    @Nullable Long maxSize,
    @Nullable LevelsBody levels,
    @Nullable RateBody rateLimit,
    Quotas quotas,
    @Nullable Long size,
    @Nullable Level level,
    Instant createdAt,
    Instant updatedAt) {

  static TenantView of(Tenant tenant, @Nullable TenantSize size, Marks marks) {
    Long held = size == null || tenant.maxSize() == null ? null : (Long) size.unfinished();
    return new TenantView(
        tenant.id(),
        tenant.name(),
        tenant.enabled(),
        tenant.maxConcurrent(),
        tenant.maxSize(),
        LevelsBody.of(tenant.levels()),
        tenant.rateLimit(),
        tenant.quotas(),
        held,
        LevelsBody.level(held, tenant.maxSize(), tenant.levels(), marks),
        tenant.createdAt(),
        tenant.updatedAt());
  }
}
