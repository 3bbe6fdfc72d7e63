package io.sluice.server.tenants;

import io.sluice.Marks;
import io.sluice.server.limit.RateBody;
import io.sluice.server.limit.Terms;
import io.sluice.server.quota.Quotas;
import io.sluice.server.rest.Checks;
import org.jspecify.annotations.Nullable;

/** What a caller says of a tenant. Limits and quotas that are null are none; a tenant is enabled unless it is not. */
record TenantSettings(
    @Nullable String name,
    @Nullable Boolean enabled,
    @Nullable Integer maxConcurrent,
    @Nullable Long maxSize,
    @Nullable LevelsBody levels,
    @Nullable RateBody rateLimit,
    @Nullable Quotas quotas) {
  /** Those of a new tenant of which nothing is said. */
  static final TenantSettings NEW =
      new TenantSettings(null, null, null, null, null, null, Quotas.DEFAULT);

  boolean isEnabled() {
    return enabled == null || enabled;
  }

  /** These, with marks that are left out as they were. */
  TenantSettings over(@Nullable Marks before) {
    return new TenantSettings(
        name, enabled, maxConcurrent, maxSize, LevelsBody.over(levels, before), rateLimit, quotas);
  }

  /** The marks of settings that are right. */
  @Nullable
  Marks marks() {
    return LevelsBody.read(new Checks(), levels, null);
  }

  /** What is said of limits, in settings that are right. */
  Terms terms() {
    return new Terms(RateBody.read(new Checks(), "rateLimit", rateLimit), maxConcurrent);
  }

  TenantSettings withTerms(Terms terms) {
    return new TenantSettings(
        name, enabled, terms.concurrency(), maxSize, levels, RateBody.of(terms.rate()), quotas);
  }

  /** The quotas; none where they were taken away as a whole. */
  Quotas allQuotas() {
    return quotas == null ? Quotas.NONE : quotas;
  }

  /** The name of settings that were checked. */
  String checkedName() {
    Checks checks = new Checks().name("name", name);
    checks.require(
        maxConcurrent == null || maxConcurrent >= 1, "maxConcurrent", "must be 1 or more");
    checks.require(maxSize == null || maxSize >= 1, "maxSize", "must be 1 or more");
    LevelsBody.read(checks, levels, null);
    RateBody.read(checks, "rateLimit", rateLimit);
    allQuotas().check(checks);
    checks.done();
    return name == null ? "" : name;
  }
}
