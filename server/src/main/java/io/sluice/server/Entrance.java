package io.sluice.server;

import io.sluice.EventListener;
import io.sluice.Lane;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.Uuid7;
import io.sluice.postgres.Database;
import io.sluice.server.access.AdminKey;
import io.sluice.server.audit.AuditLog;
import io.sluice.server.audit.AuditResource;
import io.sluice.server.keys.ApiKeys;
import io.sluice.server.keys.KeyResource;
import io.sluice.server.limit.Keeper;
import io.sluice.server.limit.RowLimits;
import io.sluice.server.login.Fetch;
import io.sluice.server.login.JwtLogin;
import io.sluice.server.login.Login;
import io.sluice.server.quota.QuotaWatch;
import io.sluice.server.rest.Gatekeeper;
import io.sluice.server.rest.Routes;
import io.sluice.server.seal.Cursors;
import io.sluice.server.tenants.TenantCaps;
import io.sluice.server.tenants.TenantEnd;
import io.sluice.server.tenants.TenantResource;
import io.sluice.server.tenants.Tenants;
import io.sluice.server.tenants.Usage;
import io.sluice.server.tenants.UsageResource;
import io.sluice.store.Limits;
import io.sluice.store.Queues;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who calls and what belongs to whom, put together: tenants, keys, tokens, audit log and usage. */
final class Entrance implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Entrance.class);
  private static final Duration HELD = Duration.ofSeconds(1);
  private static final Duration FLUSH = Duration.ofSeconds(2);
  private static final Duration QUOTAS = Duration.ofSeconds(5);
  private static final Duration SWEEP = Duration.ofSeconds(5);
  private static final Duration SETTLE = Duration.ofMinutes(1);

  private final InstantSource clock = InstantSource.system();
  private final AuditLog audit;
  private final Tenants tenants;
  private final ApiKeys keys;
  private final Usage usage;
  private final QuotaWatch quotas;
  private final Gatekeeper gatekeeper;
  private final Rounds rounds = new Rounds();

  /** On tables that are up to date. */
  Entrance(
      ServerDatabase tables, AccessSettings settings, Fetch fetch, Limits limits, Queues queues) {
    Database database = tables.database();
    SecureRandom random = new SecureRandom();
    Uuid7 ids = Uuid7.seeded(clock, random);
    audit = new AuditLog(database, ids, clock);
    tenants = new Tenants(
        database,
        tables.logins(),
        audit,
        new RowLimits(limits),
        new TenantCaps(queues),
        System::nanoTime);
    keys = new ApiKeys(
        database,
        tables.logins(),
        audit,
        tenants,
        new ApiKeys.Tools(clock, System::nanoTime, random, ids));
    usage = new Usage(database, clock);
    quotas = new QuotaWatch(database, queues);
    JwtLogin tokens = settings.jwt() == null
        ? null
        : new JwtLogin(settings.jwt(), tenants::lately, fetch, clock, System::nanoTime);
    Login login = new Login(
        new AdminKey(settings.adminKey()),
        keys,
        tokens,
        settings.loginFailures(),
        System::nanoTime);
    gatekeeper = new Gatekeeper(login, tenants::name, usage::request);
    tenants.lookForHeld();
    settle();
  }

  /** Who keeps the limits of tenants. */
  Keeper limits() {
    return (tenant, name, change) -> tenants.limit(tenant, change);
  }

  Gatekeeper gatekeeper() {
    return gatekeeper;
  }

  AuditLog audit() {
    return audit;
  }

  /** Makes the store keep to what the tables say of tenants. */
  void settle() {
    tenants.settleLimits();
    tenants.settleSizes();
  }

  Tenants tenants() {
    return tenants;
  }

  /** Which tenants have more than they may. */
  QuotaWatch quotas() {
    return quotas;
  }

  /** True when nothing of this lane may be started. */
  boolean holds(Lane lane) {
    return tenants.isHeld(lane.tenant());
  }

  /** Counts what an engine does. */
  EventListener counting() {
    return usage;
  }

  /** Adds the routes, and for each tenant the lists of what the table has already. */
  void addTo(Routes routes, Sluice sluice, Cursors cursors) {
    TenantResource resource =
        new TenantResource(tenants, new TenantEnd(tenants, sluice), sluice.marks(), cursors);
    resource.addTo(routes);
    resource.addListsTo(routes);
    new UsageResource(tenants, usage).addTo(routes);
    new KeyResource(keys, tenants, clock, cursors).addTo(routes);
    new AuditResource(audit, tenants::nameIfKnown, cursors).addTo(routes);
  }

  /** Begins the duties. */
  void start(Sluice sluice) {
    rounds
        .every(HELD, "held-tenants", tenants::lookForHeld)
        .every(SETTLE, "limits-of-tenants", this::settle)
        .every(QUOTAS, "quotas", quotas::look)
        .every(FLUSH, "usage", usage::flush)
        .every(FLUSH, "key-use", keys::noteUse)
        .every(SWEEP, "deleted-tenants", new TenantEnd(tenants, sluice)::sweep);
  }

  /** Ends the duties and writes what is not written: after the last request and the last job. */
  @Override
  public void close() {
    rounds.close();
    try {
      usage.flush();
      keys.noteUse();
    } catch (SluiceException e) {
      LOG.warn("the last usage could not be written: {}", e.getMessage());
    }
  }
}
