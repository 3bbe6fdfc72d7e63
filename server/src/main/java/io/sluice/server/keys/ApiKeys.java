package io.sluice.server.keys;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.Uuid7;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.server.access.Caller;
import io.sluice.server.access.Lookups;
import io.sluice.server.access.Role;
import io.sluice.server.audit.AuditLog;
import io.sluice.server.quota.QuotaGate;
import io.sluice.server.rest.Checks;
import io.sluice.server.tenants.Tenant;
import io.sluice.server.tenants.Tenants;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** All API keys. A key that is revoked, expired or of a deleted tenant is none within three seconds. */
public final class ApiKeys {
  /** What keys are made of and judged by. Random numbers must be fit for secrets. */
  public record Tools(
      InstantSource clock, LongSupplier nanoTime, RandomGenerator random, Uuid7 ids) {}

  private final Database database;
  private final Database logins;
  private final AuditLog audit;
  private final Tenants tenants;
  private final QuotaGate quotas;
  private final Tools tools;
  private final Lookups<String, KeyRow> lookups;
  private final Set<UUID> used = ConcurrentHashMap.newKeySet();

  /**
   * @param logins the same tables by connections that are for log-ins alone
   */
  public ApiKeys(Database database, Database logins, AuditLog audit, Tenants tenants, Tools tools) {
    this.database = database;
    this.logins = logins;
    this.audit = audit;
    this.tenants = tenants;
    this.quotas = new QuotaGate(database);
    this.tools = tools;
    // No key gets an id that somebody may have guessed before.
    this.lookups = Lookups.rememberingAbsence(tools.nanoTime);
  }

  /** True when a token can only be meant as an API key. */
  public static boolean areLike(String token) {
    return ApiKey.looksLike(token);
  }

  /** Whom a key belongs to; nobody when it is not good. Throws FORBIDDEN when its tenant is disabled. */
  public Optional<Caller> caller(String token) {
    return ApiKey.parse(token)
        .flatMap(key -> lookups
            .get(key.publicId(), this::look)
            .filter(row -> key.matches(row.hash()) && row.isGoodAt(tools.clock.instant()))
            .flatMap(this::owner));
  }

  private Optional<Caller> owner(KeyRow row) {
    Optional<Tenant> tenant = tenants.lately(row.tenant().toString());
    tenant.ifPresent(Tenants::requireEnabled);
    tenant.ifPresent(owner -> used.add(row.id()));
    return tenant.map(owner -> new Caller(owner.name(), row.role(), "key:" + row.publicId()));
  }

  private Optional<KeyRow> look(String publicId) {
    return logins.run(connection -> {
      try (Call call = logins.call(connection, "find-key")) {
        return call.set("public_id", publicId).list(KeyRow::read).stream().findFirst();
      }
    });
  }

  /** Writes down which keys were used since the last time; to be called every few seconds. */
  public void noteUse() {
    List<UUID> ids = List.copyOf(used);
    if (!ids.isEmpty()) {
      used.removeAll(Set.copyOf(ids));
      database.run(connection -> {
        try (Call call = database.call(connection, "note-use")) {
          return call.set("ids", ids).update();
        }
      });
    }
  }

  /** A key that was just made: the only time that its text is known. */
  record Made(KeyRow row, String text) {}

  Made make(Tenant tenant, String name, Role role, @Nullable Instant expiresAt, Caller caller) {
    ApiKey key = ApiKey.make(tools.random);
    UUID id = tools.ids.next();
    KeyRow row = database.transact(connection -> {
      quotas.requireKey(connection, tenant.name());
      KeyRow made;
      try (Call call = database.call(connection, "make-key")) {
        made = call.set("id", id)
            .set("tenant", tenant.id())
            .set("public_id", key.publicId())
            .set("hash", key.hash())
            .set("name", name)
            .set("role", role.name())
            .set("expires_at", expiresAt)
            .one(KeyRow::read);
      }
      String details = "name " + name + ", role " + role.label();
      audit.write(
          connection, audit.entry(caller, tenant.name(), "key.create", id.toString(), details));
      return made;
    });
    return new Made(row, key.text());
  }

  /** The keys of a tenant, newest first, after the given one. */
  List<KeyRow> list(UUID tenant, @Nullable UUID after, int limit) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "list-keys")) {
        return call.plannedAnew()
            .set("tenant", tenant)
            .setOrNull("after", after)
            .set("limit", limit)
            .list(KeyRow::read);
      }
    });
  }

  /** The key of a tenant with this id, or the one in force with this name. */
  Optional<KeyRow> find(UUID tenant, String reference) {
    boolean isId = Checks.isUuid(reference);
    List<KeyRow> found = database.run(connection -> {
      try (Call call = database.call(connection, "keys-named")) {
        return call.set("tenant", tenant)
            .setOrNull("id", isId ? UUID.fromString(reference) : null)
            .set("name", isId ? null : reference)
            .list(KeyRow::read);
      }
    });
    if (found.size() > 1) {
      throw new SluiceException(
          ErrorCode.CONFLICT, "several keys have this name; use the id of the one you mean");
    }
    return found.stream().findFirst();
  }

  void revoke(Tenant tenant, KeyRow key, Caller caller) {
    database.transact(connection -> {
      int revoked;
      try (Call call = database.call(connection, "revoke-key")) {
        revoked = call.set("id", key.id()).update();
      }
      if (revoked > 0) {
        audit.write(
            connection,
            audit.entry(
                caller, tenant.name(), "key.revoke", key.id().toString(), "name " + key.name()));
      }
      return true;
    });
    lookups.clear();
  }
}
