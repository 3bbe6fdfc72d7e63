package io.sluice.server.keys;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.access.Access;
import io.sluice.server.access.Caller;
import io.sluice.server.access.Role;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Query;
import io.sluice.server.rest.Routes;
import io.sluice.server.seal.Cursors;
import io.sluice.server.tenants.Tenant;
import io.sluice.server.tenants.Tenants;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The keys of a tenant over REST, for its operators and for admins. */
public final class KeyResource {
  private static final int LONGEST_NAME = 100;

  private record NewKey(
      @Nullable String name, @Nullable Role role, @Nullable Instant expiresAt) {}

  private record MadeKey(
      UUID id,
      String name,
      String role,
      String key,
      String prefix,
      Instant createdAt,
      @Nullable Instant expiresAt) {}

  private record KnownKey(
      UUID id,
      String name,
      String role,
      String prefix,
      Instant createdAt,
      @Nullable Instant expiresAt,
      @Nullable Instant lastUsedAt,
      boolean revoked) {
    static KnownKey of(KeyRow row) {
      return new KnownKey(
          row.id(),
          row.name(),
          row.role().label(),
          ApiKey.prefix(row.publicId()),
          row.createdAt(),
          row.expiresAt(),
          row.lastUsedAt(),
          row.revoked());
    }
  }

  private final ApiKeys keys;
  private final Tenants tenants;
  private final InstantSource clock;
  private final Cursors cursors;

  public KeyResource(ApiKeys keys, Tenants tenants, InstantSource clock, Cursors cursors) {
    this.keys = keys;
    this.tenants = tenants;
    this.clock = clock;
    this.cursors = cursors;
  }

  public Routes addTo(Routes routes) {
    return routes
        .post("/v1/tenants/{id}/keys", Access.OPERATE, this::make)
        .get("/v1/tenants/{id}/keys", Access.OPERATE, this::list)
        .delete("/v1/tenants/{id}/keys/{keyId}", Access.OPERATE, this::revoke);
  }

  private Answer make(Call call) {
    call.query().only();
    Tenant tenant = tenants.seenBy(call.caller(), call.path("id"));
    NewKey asked = call.body(NewKey.class);
    String name = asked.name == null ? "" : asked.name.strip();
    new Checks()
        .require(isName(name), "name", "must be 1 to " + LONGEST_NAME + " characters of text")
        .require(!Checks.isUuid(name), "name", "must not look like a UUID")
        .require(
            asked.role != null,
            "role",
            "must be admin, operator, producer, worker, viewer or monitor")
        .require(
            asked.expiresAt == null || asked.expiresAt.isAfter(clock.instant()),
            "expiresAt",
            "must be in the future")
        .done();
    Role role = Objects.requireNonNull(asked.role);
    requireCovered(call.caller(), role, "make");
    ApiKeys.Made made = keys.make(tenant, name, role, asked.expiresAt, call.caller());
    KeyRow row = made.row();
    return Answer.created(new MadeKey(
        row.id(),
        row.name(),
        row.role().label(),
        made.text(),
        ApiKey.prefix(row.publicId()),
        row.createdAt(),
        row.expiresAt()));
  }

  private static boolean isName(String name) {
    return !name.isEmpty()
        && name.length() <= LONGEST_NAME
        && name.chars().noneMatch(Character::isISOControl);
  }

  private static void requireCovered(Caller caller, Role role, String what) {
    if (!caller.role().covers(role)) {
      throw new SluiceException(
          ErrorCode.FORBIDDEN,
          "the role " + caller.role().label() + " may not " + what + " a key of the role "
              + role.label());
    }
  }

  private Answer list(Call call) {
    Query query = call.query().onlyPaged();
    int limit = query.limit();
    Tenant tenant = tenants.seenBy(call.caller(), call.path("id"));
    String list = "keys of " + tenant.id();
    String cursor = cursors.open(list, query);
    UUID after = cursor == null ? null : UUID.fromString(cursor);
    List<KeyRow> found = keys.list(tenant.id(), after, limit + 1);
    List<KnownKey> shown = found.stream().limit(limit).map(KnownKey::of).toList();
    return Answer.ok(
        cursors.page(list, shown, found.size() > limit ? shown.getLast().id().toString() : null));
  }

  private Answer revoke(Call call) {
    call.query().only();
    Tenant tenant = tenants.seenBy(call.caller(), call.path("id"));
    KeyRow key = Optional.of(call.path("keyId"))
        .filter(KeyResource::isName)
        .flatMap(reference -> keys.find(tenant.id(), reference))
        .orElseThrow(() -> new SluiceException(ErrorCode.NOT_FOUND, "the tenant has no such key"));
    requireCovered(call.caller(), key.role(), "revoke");
    keys.revoke(tenant, key, call.caller());
    return Answer.none();
  }
}
