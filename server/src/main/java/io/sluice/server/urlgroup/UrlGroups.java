package io.sluice.server.urlgroup;

import io.sluice.ErrorCode;
import io.sluice.Scope;
import io.sluice.SluiceException;
import io.sluice.Uuid7;
import io.sluice.http.Group;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.server.limit.RowLimits;
import io.sluice.server.limit.Terms;
import io.sluice.server.quota.QuotaGate;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Json;
import io.sluice.server.secret.Place;
import io.sluice.server.secret.Vault;
import io.sluice.server.urlgroup.UrlGroupBody.RateLimits;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Where URL groups are kept, their secrets sealed. */
public final class UrlGroups {
  private static final String TABLE = "url_group";
  private static final String BY_HAND = "it was switched off by hand";

  private final Database database;
  private final Vault vault;
  private final Uuid7 ids;
  private final Json json;
  private final RowLimits limits;
  private final QuotaGate quotas;
  private final AtomicLong deletions = new AtomicLong();

  /**
   * @param limits what the limits of groups are handed on to
   */
  public UrlGroups(Database database, Vault vault, Uuid7 ids, Json json, RowLimits limits) {
    this.database = database;
    this.vault = vault;
    this.ids = ids;
    this.json = json;
    this.limits = limits;
    this.quotas = new QuotaGate(database);
  }

  /** True when the tenant has a group of this name. */
  public boolean exists(String tenant, String name) {
    return byName(tenant, name).isPresent();
  }

  /** The group of this name with its secrets in the clear, as the delivery uses it at this time. */
  public Optional<Group> group(String tenant, String name, Instant now) {
    return byName(tenant, name).map(group -> opened(group).at(now).group());
  }

  Optional<UrlGroup> byName(String tenant, String name) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "find-url-group")) {
        return call.set("tenant", tenant).set("name", name).list(this::read).stream()
            .findFirst();
      }
    });
  }

  /** The group that a path names, by its id or its name; throws NOT_FOUND. */
  UrlGroup find(String tenant, String idOrName) {
    Optional<UrlGroup> found = Checks.isUuid(idOrName)
        ? byId(tenant, UUID.fromString(idOrName))
        : byName(tenant, idOrName);
    return found.orElseThrow(UrlGroups::unknown);
  }

  private Optional<UrlGroup> byId(String tenant, UUID id) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "find-url-group-by-id")) {
        return call.set("tenant", tenant).set("id", id).list(this::read).stream()
            .findFirst();
      }
    });
  }

  private static SluiceException unknown() {
    return new SluiceException(ErrorCode.NOT_FOUND, "there is no such URL group");
  }

  /** The groups of a tenant by name, after this one. */
  List<UrlGroup> page(String tenant, @Nullable String after, int limit) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "page-url-groups")) {
        return call.set("tenant", tenant)
            .set("after", after)
            .set("limit", limit)
            .list(this::read);
      }
    });
  }

  /** Writes what is done to a group, in the transaction that does it. */
  interface ChangeNote {
    /** A note of nothing. */
    ChangeNote NONE = (connection, before, after) -> {};

    /** Where there was no group before, or is none after, that is {@link Draft#EMPTY}. */
    void write(Connection connection, Draft before, Draft after) throws SQLException;
  }

  /** Keeps a new group; throws CONFLICT where there is one of its name. */
  UrlGroup add(String tenant, String name, Draft draft, ChangeNote note) {
    UUID id = ids.next();
    UrlGroup.Sealed sealed = sealed(tenant, id, draft.secrets());
    int added = database.transact(connection -> {
      quotas.requireUrlGroup(connection, tenant);
      try (Call call = database.call(connection, "add-url-group")) {
        int rows = set(call.set("id", id).set("tenant", tenant).set("name", name), draft, sealed)
            .update();
        if (rows > 0) {
          note.write(connection, Draft.EMPTY, draft);
          setHealthCheck(connection, id, null, draft.body().healthCheck());
          limits.set(Scope.urlGroup(tenant, name), draft.body().terms());
        }
        return rows;
      }
    });
    if (added == 0) {
      throw new SluiceException(
          ErrorCode.CONFLICT, "there is a URL group of this name already: " + name);
    }
    return byId(tenant, id).orElseThrow(UrlGroups::unknown);
  }

  UrlGroup change(String tenant, UUID id, UnaryOperator<Draft> change) {
    return change(tenant, id, change, ChangeNote.NONE);
  }

  /** Makes of a group what {@code change} makes of it, with nobody changing it in between. */
  UrlGroup change(String tenant, UUID id, UnaryOperator<Draft> change, ChangeNote note) {
    return database.transact(connection -> {
      UrlGroup before = held(connection, tenant, id);
      Draft current = opened(before);
      Draft after = change.apply(current);
      note.write(connection, current, after);
      UrlGroup.Sealed sealed = sealed(tenant, id, after.secrets());
      setHealthCheck(
          connection, id, before.settings().healthCheck(), after.body().healthCheck());
      try (Call call = database.call(connection, "change-url-group")) {
        UrlGroup changed = set(call.set("id", id), after, sealed).one(this::read);
        if (!changed.terms().equals(before.terms())) {
          limits.set(changed.scope(), changed.terms());
        }
        return changed;
      }
    });
  }

  /** Makes of the limit of a group what {@code change} makes of it. */
  public void limit(String tenant, String name, UnaryOperator<Terms> change) {
    change(tenant, find(tenant, name).id(), before -> {
      RateLimits after = RateLimits.of(change.apply(before.body().terms()));
      return new Draft(
          before.body().withRateLimits(after), before.secrets(), before.previousUntil());
    });
  }

  /** Sees to it that the limits of all groups are in force; to be called at the start and now and then. */
  public void settleLimits() {
    Map<Scope, UUID> ids = new HashMap<>();
    Map<Scope, Terms> rows = new HashMap<>();
    for (UrlGroup group : found("all-url-groups")) {
      ids.put(group.scope(), group.id());
      rows.put(group.scope(), group.terms());
    }
    limits.settle(
        rows,
        scope -> database.transact(connection -> {
          try (Call call = database.call(connection, "hold-url-group")) {
            call
                .set("tenant", scope.tenant())
                .setOrNull("id", ids.get(scope))
                .list(this::read)
                .stream()
                .findFirst()
                .ifPresent(group -> limits.set(group.scope(), group.terms()));
            return true;
          }
        }));
  }

  private void setHealthCheck(
      Connection connection,
      UUID id,
      UrlGroupBody.@Nullable HealthCheck before,
      UrlGroupBody.@Nullable HealthCheck after)
      throws SQLException {
    if (after == null) {
      if (before != null) {
        try (Call call = database.call(connection, "drop-health-check")) {
          call.set("id", id).update();
        }
      }
      return;
    }
    try (Call call = database.call(connection, "set-health-check")) {
      call.set("id", id)
          .set("holds", Boolean.TRUE.equals(after.holdJobs()))
          .set("timeout_ms", HealthRules.of(after).timeout().toMillis())
          .set("anew", !after.equals(before))
          .update();
    }
  }

  /** The groups that a statement without parameters finds. */
  List<UrlGroup> found(String statement) {
    return database.run(connection -> {
      try (Call call = database.call(connection, statement)) {
        return call.list(this::read);
      }
    });
  }

  private UrlGroup held(Connection connection, String tenant, UUID id) throws SQLException {
    try (Call call = database.call(connection, "hold-url-group")) {
      return call.set("tenant", tenant).set("id", id).list(this::read).stream()
          .findFirst()
          .orElseThrow(UrlGroups::unknown);
    }
  }

  /** How often groups were deleted here: what was read before the last time may be gone. */
  long deletions() {
    return deletions.get();
  }

  boolean delete(String tenant, UUID id, ChangeNote note) {
    try {
      return deleted(tenant, id, note);
    } finally {
      // Also after an error: the deletion may have been committed all the same.
      deletions.incrementAndGet();
    }
  }

  private boolean deleted(String tenant, UUID id, ChangeNote note) {
    return database.transact(connection -> {
      UrlGroup before = held(connection, tenant, id);
      // Not opened: a group whose secrets cannot be opened any more can still be deleted.
      note.write(connection, new Draft(before.settings(), GroupSecrets.NONE, null), Draft.EMPTY);
      limits.set(before.scope(), Terms.NONE);
      try (Call call = database.call(connection, "delete-url-group")) {
        return call.set("tenant", tenant).set("id", id).update() > 0;
      }
    });
  }

  /** Takes away all groups of a tenant, which is no more. */
  public void deleteAll(String tenant) {
    try {
      database.run(connection -> {
        try (Call call = database.call(connection, "delete-url-groups")) {
          return call.set("tenant", tenant).update();
        }
      });
    } finally {
      deletions.incrementAndGet();
    }
  }

  private Call set(Call call, Draft draft, UrlGroup.Sealed sealed) throws SQLException {
    Duration disableAfter = draft.body().disableAfter();
    return call.set("settings", json.text(draft.body().withEnabled(null)))
        .set("enabled", draft.body().switchedOn())
        .set("by_hand", BY_HAND)
        .setOrNull("disable_after_ms", disableAfter == null ? null : disableAfter.toMillis())
        .set("auth", sealed.auth())
        .set("headers", sealed.headers())
        .set("signing", sealed.signing())
        .set("previous_until", draft.previousUntil());
  }

  UrlGroup read(ResultSet row) throws SQLException {
    boolean enabled = row.getBoolean("enabled");
    return new UrlGroup(
        row.getObject("id", UUID.class),
        row.getString("tenant"),
        row.getString("name"),
        json.read(row.getString("settings"), UrlGroupBody.class).withEnabled(enabled),
        time(row, "previous_until"),
        new UrlGroup.Sealed(
            row.getString("auth"), row.getString("headers"), row.getString("signing")),
        new UrlGroup.Power(
            enabled,
            row.getInt("epoch"),
            time(row, "disabled_at"),
            row.getString("disabled_reason")),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getObject("updated_at", OffsetDateTime.class).toInstant());
  }

  private static @Nullable Instant time(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  /** The group with its secrets in the clear. */
  Draft opened(UrlGroup group) {
    return new Draft(group.settings(), secrets(group), group.previousUntil());
  }

  private GroupSecrets secrets(UrlGroup group) {
    UrlGroup.Sealed sealed = group.sealed();
    String auth = open(group, "auth", sealed.auth());
    String headers = open(group, "headers", sealed.headers());
    String signing = open(group, "signing", sealed.signing());
    return new GroupSecrets(
        auth,
        headers == null ? Map.of() : json.read(headers, Kept.class).headers(),
        signing == null ? List.of() : json.read(signing, Kept.class).signing());
  }

  /** How several secrets stand in one sealed text. */
  private record Kept(Map<String, String> headers, List<String> signing) {
    Kept {
      headers = headers == null ? Map.of() : headers;
      signing = signing == null ? List.of() : signing;
    }
  }

  private @Nullable String open(UrlGroup group, String column, @Nullable String sealed) {
    return sealed == null ? null : vault.open(place(group.tenant(), column, group.id()), sealed);
  }

  private UrlGroup.Sealed sealed(String tenant, UUID id, GroupSecrets secrets) {
    String auth = secrets.auth();
    return new UrlGroup.Sealed(
        auth == null ? null : vault.seal(place(tenant, "auth", id), auth),
        secrets.headers().isEmpty()
            ? null
            : vault.seal(
                place(tenant, "headers", id), json.text(new Kept(secrets.headers(), List.of()))),
        secrets.signing().isEmpty()
            ? null
            : vault.seal(
                place(tenant, "signing", id), json.text(new Kept(Map.of(), secrets.signing()))));
  }

  static Place place(String tenant, String column, UUID id) {
    return new Place(tenant, TABLE, column, id.toString());
  }
}
