package io.sluice.server.tenants;

import io.sluice.ErrorCode;
import io.sluice.Marks;
import io.sluice.Names;
import io.sluice.RateLimit;
import io.sluice.Reason;
import io.sluice.ReasonCode;
import io.sluice.Scope;
import io.sluice.SluiceException;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.postgres.Times;
import io.sluice.server.access.Caller;
import io.sluice.server.access.Lookups;
import io.sluice.server.access.Role;
import io.sluice.server.audit.AuditLog;
import io.sluice.server.audit.Changes;
import io.sluice.server.limit.RateBody;
import io.sluice.server.limit.RowLimits;
import io.sluice.server.limit.Terms;
import io.sluice.server.quota.Quotas;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Json;
import io.sluice.store.TenantSize;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All tenants. Every change is in the audit log, in the transaction that makes it. */
public final class Tenants {
  private final Database database;
  private final Database logins;
  private final AuditLog audit;
  private final Changes changes = new Changes(new Json());
  private final TenantCaps caps;
  private final Lookups<String, Tenant> lookups;
  private final RowLimits limits;
  private volatile Set<String> held = Set.of();

  /**
   * @param logins the same tables by connections that are for log-ins alone
   * @param limits what the limits of tenants are handed on to
   * @param caps what their sizes are handed on to
   */
  public Tenants(
      Database database,
      Database logins,
      AuditLog audit,
      RowLimits limits,
      TenantCaps caps,
      LongSupplier nanoTime) {
    this.database = database;
    this.logins = logins;
    this.audit = audit;
    this.limits = limits;
    this.caps = caps;
    this.lookups = new Lookups<>(nanoTime);
  }

  /** The tenant of this id or name, as of now. */
  Optional<Tenant> find(String reference) {
    return find(database, reference);
  }

  private static Optional<Tenant> find(Database database, String reference) {
    boolean isId = Checks.isUuid(reference);
    if (!isId && !Names.isName(reference)) {
      return Optional.empty();
    }
    return database.run(connection -> {
      try (Call call = database.call(connection, "find-tenant")) {
        return call
            .set("name", isId ? null : reference)
            .setOrNull("id", isId ? UUID.fromString(reference) : null)
            .list(Tenants::read)
            .stream()
            .findFirst();
      }
    });
  }

  /** The tenant of this id or name, as of at most three seconds ago. */
  public Optional<Tenant> lately(String reference) {
    return lookups.get(reference, unknown -> find(logins, unknown));
  }

  /** The name of the tenant with this id or name. */
  public String name(String reference) {
    return lately(reference).orElseThrow(Tenants::unknown).name();
  }

  /** The name of the tenant with this id or name; what is neither stays as it is. */
  public String nameIfKnown(String reference) {
    return lately(reference).map(Tenant::name).orElse(reference);
  }

  /** The tenant of this id or name that the caller may know of: any for an admin, else its own. */
  public Tenant seenBy(Caller caller, String reference) {
    return find(reference)
        .filter(found -> caller.role() == Role.ADMIN || found.name().equals(caller.tenant()))
        .orElseThrow(Tenants::unknown);
  }

  /** Throws FORBIDDEN for a tenant that is disabled. */
  public static void requireEnabled(Tenant tenant) {
    if (!tenant.enabled()) {
      throw new SluiceException(ErrorCode.FORBIDDEN, "the tenant is disabled");
    }
  }

  static SluiceException unknown() {
    return new SluiceException(ErrorCode.NOT_FOUND, "there is no such tenant");
  }

  /** True when no job of this tenant may be started: it is disabled, or deleted. */
  public boolean isHeld(String tenant) {
    return held.contains(tenant);
  }

  /** Why no job of this tenant is started, as of now; empty where they are. */
  public Optional<Reason> whyHeld(String tenant) {
    return find(tenant)
        .filter(found -> !found.enabled())
        .map(found -> new Reason(
            ReasonCode.TENANT_DISABLED,
            "The tenant '" + tenant + "' is disabled, since "
                + found.updatedAt().truncatedTo(ChronoUnit.MILLIS) + " at the latest.",
            null,
            "Enable the tenant.",
            Map.of("tenant", tenant)));
  }

  /** Looks which tenants are held; to be called every second. */
  public void lookForHeld() {
    held = Set.copyOf(names("held-tenants"));
  }

  /** The tenants that were deleted within the last hour. */
  List<String> justDeleted() {
    return names("tenants-just-deleted");
  }

  private List<String> names(String query) {
    return database.run(connection -> {
      try (Call call = database.call(connection, query)) {
        return call.list(row -> row.getString("name"));
      }
    });
  }

  List<Tenant> list(@Nullable String after, int limit) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "list-tenants")) {
        return call.plannedAnew().set("after", after).set("limit", limit).list(Tenants::read);
      }
    });
  }

  /** Makes the tenant, unless one of its name is there or was deleted and not forgotten. */
  Optional<Tenant> create(TenantSettings settings, Caller caller) {
    String name = settings.checkedName();
    return database.transact(connection -> {
      Optional<Tenant> made;
      try (Call call = database.call(connection, "make-tenant")) {
        made =
            set(call.set("name", name), settings).list(Tenants::read).stream().findFirst();
      }
      if (made.isPresent()) {
        note(connection, caller, name, "tenant.create", changes.between(null, settings));
        hand(made.get());
      }
      return made;
    });
  }

  /** Makes of a tenant what {@code change} makes of it, with nobody changing it in between. */
  Tenant change(String name, UnaryOperator<TenantSettings> change, Caller caller) {
    Tenant changed = database.transact(connection -> {
      Tenant before = locked(connection, name).orElseThrow(Tenants::unknown);
      Tenant after = write(connection, before.id(), change.apply(before.settings()));
      String details = changes.between(before.settings(), after.settings());
      note(connection, caller, name, action(before, after), details);
      return after;
    });
    changed();
    return changed;
  }

  /** Makes of the limit of a tenant what {@code change} makes of it. */
  public void limit(String name, UnaryOperator<Terms> change) {
    database.transact(connection -> {
      Tenant before = locked(connection, name).orElseThrow(Tenants::unknown);
      return write(
          connection, before.id(), before.settings().withTerms(change.apply(before.terms())));
    });
    changed();
  }

  private Tenant write(Connection connection, UUID id, TenantSettings settings)
      throws SQLException {
    List<Tenant> rows;
    try (Call call = database.call(connection, "change-tenant")) {
      rows = set(call.set("id", id), settings).list(Tenants::read);
    }
    if (rows.isEmpty()) {
      throw unknown();
    }
    hand(rows.getFirst());
    return rows.getFirst();
  }

  private Optional<Tenant> locked(Connection connection, String name) throws SQLException {
    try (Call call = database.call(connection, "hold-tenant")) {
      return call.set("name", name).list(Tenants::read).stream().findFirst();
    }
  }

  /** Under the row and before the commit, so that the store and this table agree on who came last. */
  private void hand(Tenant tenant) {
    limits.set(tenant.scope(), tenant.terms());
    caps.set(tenant);
  }

  /** Sees to it that the limits of all tenants are in force; to be called at the start and now and then. */
  public void settleLimits() {
    Map<Scope, Terms> rows = list(null, Integer.MAX_VALUE).stream()
        .collect(Collectors.toMap(Tenant::scope, Tenant::terms));
    limits.settle(
        rows,
        scope -> database.transact(connection -> {
          locked(connection, scope.tenant()).ifPresent(this::hand);
          return true;
        }));
  }

  /** Lifts every limit of a tenant that is no more. */
  void dropLimits(String name) {
    limits.end(name);
  }

  private static String action(Tenant before, Tenant after) {
    if (before.enabled() == after.enabled()) {
      return "tenant.change";
    }
    return after.enabled() ? "tenant.enable" : "tenant.disable";
  }

  /** Takes the tenant away; its name stays taken until it is forgotten. */
  void delete(Tenant tenant, Caller caller) {
    database.transact(connection -> {
      try (Call call = database.call(connection, "delete-tenant")) {
        if (call.set("id", tenant.id()).update() == 0) {
          throw unknown();
        }
      }
      note(connection, caller, tenant.name(), "tenant.delete", null);
      return true;
    });
    changed();
  }

  /** True when there was a tenant of this name and its traces are not forgotten. */
  boolean was(String name) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "was-tenant")) {
        return call.set("name", name).one(row -> row.getBoolean("was"));
      }
    });
  }

  /** Forgets a deleted tenant with all that hung on it, so that its name is free. */
  void forget(String name) {
    database.run(connection -> {
      try (Call call = database.call(connection, "forget-tenant")) {
        return call.set("name", name).update();
      }
    });
    changed();
  }

  void dropUrlGroups(String name) {
    database.run(connection -> {
      try (Call call = database.call(connection, "drop-url-groups")) {
        return call.set("tenant", name).update();
      }
    });
  }

  /** The tenants that the store holds to a size, with what they have, by name. */
  Map<String, TenantSize> sizes() {
    return caps.sizes();
  }

  /** Lets the store forget the size of a tenant that is deleted. */
  void dropSize(String name) {
    caps.lift(name);
  }

  /**
   * Makes the store hold tenants to their sizes where it does not: it lives in memory, or an instance
   * stopped half way. To be called at the start and now and then.
   */
  public void settleSizes() {
    List<Tenant> known = database.run(connection -> {
      try (Call call = database.call(connection, "sized-tenants")) {
        return call.set("others", "text", caps.sizes().keySet().toArray(String[]::new))
            .list(Tenants::read);
      }
    });
    for (Tenant wrong : caps.wrong(known)) {
      database.transact(connection -> {
        locked(connection, wrong.name()).ifPresent(caps::set);
        return true;
      });
    }
  }

  /** Makes this instance see at once what others see in a moment. */
  private void changed() {
    lookups.clear();
    lookForHeld();
  }

  private void note(
      Connection connection, Caller caller, String name, String action, @Nullable String details)
      throws SQLException {
    audit.write(connection, audit.entry(caller, name, action, name, details));
  }

  private static Call set(Call call, TenantSettings settings) throws SQLException {
    Integer concurrent = settings.maxConcurrent();
    RateLimit rate = settings.terms().rate();
    Marks marks = settings.marks();
    return settings
        .allQuotas()
        .set(call)
        .set("enabled", settings.isEnabled())
        .setOrNull("warning", marks == null ? null : (Double) marks.warning())
        .setOrNull("high", marks == null ? null : (Double) marks.high())
        .set("max_concurrent", concurrent == null ? null : concurrent.toString())
        .setOrNull("max_size", settings.maxSize())
        .set("amount", rate == null ? null : String.valueOf(rate.amount()))
        .set("per", rate == null ? null : rate.per().name())
        .set("burst", rate == null ? null : String.valueOf(rate.burst()));
  }

  private static Tenant read(ResultSet row) throws SQLException {
    Double amount = row.getObject("rate_amount", Double.class);
    RateLimit rate = amount == null
        ? null
        : new RateLimit(
            amount, RateLimit.Per.valueOf(row.getString("rate_per")), row.getInt("rate_burst"));
    return new Tenant(
        row.getObject("id", UUID.class),
        row.getString("name"),
        row.getBoolean("enabled"),
        row.getObject("max_concurrent", Integer.class),
        row.getObject("max_size", Long.class),
        marks(row),
        RateBody.of(rate),
        Quotas.read(row),
        Times.read(row, "created_at"),
        Times.read(row, "updated_at"));
  }

  private static @Nullable Marks marks(ResultSet row) throws SQLException {
    Double warning = row.getObject("warning_level", Double.class);
    Double high = row.getObject("high_level", Double.class);
    return warning == null || high == null ? null : new Marks(warning, high);
  }
}
