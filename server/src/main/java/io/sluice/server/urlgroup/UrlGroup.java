package io.sluice.server.urlgroup;

import io.sluice.Scope;
import io.sluice.server.limit.Terms;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A URL group as it is kept: its settings to be read by anyone in its tenant, its secrets sealed.
 *
 * @param previousUntil when the second of two signing secrets is no longer used
 */
record UrlGroup(
    UUID id,
    String tenant,
    String name,
    UrlGroupBody settings,
    @Nullable Instant previousUntil,
    Sealed sealed,
    Power power,
    Instant createdAt,
    Instant updatedAt) {

  /**
   * Whether its jobs are sent.
   *
   * @param epoch grows each time the group is switched on again
   */
  record Power(
      boolean enabled,
      int epoch,
      @Nullable Instant disabledAt,
      @Nullable String disabledReason) {
    static final Power ON = new Power(true, 0, null, null);
  }

  /** The sealed secrets; null where there are none. */
  record Sealed(
      @Nullable String auth,
      @Nullable String headers,
      @Nullable String signing) {}

  Scope scope() {
    return Scope.urlGroup(tenant, name);
  }

  Terms terms() {
    return settings.terms();
  }

  /** The group at this time, without its secrets. */
  UrlGroupBody shown(Instant now) {
    return new Draft(settings, GroupSecrets.NONE, previousUntil).at(now).body();
  }
}
