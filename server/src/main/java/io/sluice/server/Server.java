package io.sluice.server;

import io.sluice.ErrorCode;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.memory.MemoryStore;
import io.sluice.postgres.PoolUse;
import io.sluice.postgres.PostgresStore;
import io.sluice.postgres.PostgresStoreBuilder;
import io.sluice.server.access.AdminKey;
import io.sluice.server.audit.Audit;
import io.sluice.server.config.Store;
import io.sluice.server.health.HealthRoutes;
import io.sluice.server.health.Readiness;
import io.sluice.server.metrics.Metrics;
import io.sluice.server.rest.Gatekeeper;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.RestServer;
import io.sluice.server.rest.Routes;
import io.sluice.server.rest.Traffic;
import io.sluice.store.JobStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running server, from its database to its port. */
public final class Server implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);
  private static final Duration DRAIN = Duration.ofSeconds(30);

  private final ServerSettings settings;
  private final Stops stops = new Stops();
  private final Metrics metrics = new Metrics();
  private final Json json = new Json();
  private final ServerDatabase tables;
  private final JobStore store;
  private final Sluice sluice;
  private final Readiness readiness;
  private final RestServer rest;
  private volatile Duration drain = DRAIN;

  /** Puts the parts together; what was opened last is closed first. */
  private Server(ServerSettings settings) {
    this.settings = settings;
    stops.add("metrics", metrics::close);
    tables = new ServerDatabase(settings.database());
    stops.add("tables", tables::close);
    store = store(settings);
    stops.add("store", store::close);
    sluice = Sluice.builder(store)
        .keepStoreOpen()
        .slots(settings.work().slots())
        .lease(settings.work().lease())
        .health(settings.work().health())
        .listener(metrics.jobs())
        .build();
    readiness = new Readiness(tables::answers, System::nanoTime);
    metrics.watch(sluice, System::nanoTime);
    metrics.watch(this::pools);
    rest = new RestServer(
        settings.listen(),
        routes(),
        gatekeeper(settings.adminKey()),
        json,
        new Traffic(System::nanoTime, metrics.requests()));
    stops.add("rest", rest::close);
  }

  public static Server start(ServerSettings settings) {
    Server server = new Server(settings);
    boolean started = false;
    try {
      server.start();
      started = true;
      return server;
    } finally {
      if (!started) {
        server.close(Duration.ZERO);
      }
    }
  }

  private void start() {
    // First, because it says best what is wrong with an address, a user or a password.
    store.open();
    tables.migrate();
    stops.add("engine", () -> sluice.stop(drain));
    sluice.start();
    rest.start();
    stops.add("readiness", readiness::stopping);
    readiness.serving();
  }

  private static JobStore store(ServerSettings settings) {
    if (settings.work().store() == Store.MEMORY) {
      MemoryStore.Builder builder = MemoryStore.builder();
      return (settings.snapshot() == null ? builder : builder.snapshot(settings.snapshot()))
          .build();
    }
    ServerSettings.DatabaseSettings database = settings.database();
    PostgresStoreBuilder builder = PostgresStore.builder()
        .url(database.url())
        .schema(database.schema())
        .pooled(database.pooled());
    if (database.user() != null) {
      builder.user(database.user());
    }
    if (database.password() != null) {
      builder.password(database.password());
    }
    return builder.build();
  }

  private List<PoolUse> pools() {
    List<PoolUse> pools = new ArrayList<>(tables.pools());
    if (store instanceof PostgresStore postgres) {
      pools.addAll(postgres.pools());
    }
    return pools;
  }

  private Routes routes() {
    Routes routes = new Routes();
    new HealthRoutes(readiness, sluice::health, System::nanoTime).addTo(routes);
    metrics.addTo(routes);
    Audit audit = (caller, tenant, action, object) ->
        LOG.info("{} of {} did {} to {}", caller.id(), tenant, action, object);
    new JobRoutes(sluice, store, tables.database(), json, audit).addTo(routes);
    return routes;
  }

  private static Gatekeeper gatekeeper(String adminKey) {
    AdminKey admin = new AdminKey(adminKey);
    return new Gatekeeper(
        (token, address) -> {
          if (admin.is(token)) {
            return admin.caller();
          }
          throw new SluiceException(ErrorCode.UNAUTHORIZED, "the key or token is not valid");
        },
        name -> name);
  }

  public int port() {
    return rest.port();
  }

  @Override
  public void close() {
    close(DRAIN);
  }

  /**
   * Stops in order: readiness off, no more claims, what runs is waited for at most so long, the port
   * closed, what is still to be written written, the store let go.
   */
  public void close(Duration patience) {
    drain = patience;
    stops.close();
  }
}
