package io.sluice.server;

import io.sluice.Sluice;
import io.sluice.SluiceBuilder;
import io.sluice.postgres.PoolUse;
import io.sluice.postgres.PostgresStore;
import io.sluice.server.audit.Audit;
import io.sluice.server.breaker.BreakersResource;
import io.sluice.server.config.Store;
import io.sluice.server.health.HealthRoutes;
import io.sluice.server.health.Held;
import io.sluice.server.health.Readiness;
import io.sluice.server.listener.ConnectionBounds;
import io.sluice.server.listener.Descriptors;
import io.sluice.server.metrics.Metrics;
import io.sluice.server.openapi.OpenApi;
import io.sluice.server.queue.Turns;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.Listen;
import io.sluice.server.rest.RestServer;
import io.sluice.server.rest.Routes;
import io.sluice.server.rest.Traffic;
import io.sluice.server.seal.Cursors;
import io.sluice.server.seal.Seal;
import io.sluice.server.seal.SealKey;
import io.sluice.server.secret.MasterKeyResource;
import io.sluice.server.secret.Rotation;
import io.sluice.server.urlgroup.AuthTrials;
import io.sluice.server.urlgroup.GroupBreakers;
import io.sluice.server.urlgroup.GroupJobs;
import io.sluice.server.urlgroup.GroupQueues;
import io.sluice.server.urlgroup.GroupReasons;
import io.sluice.server.urlgroup.GroupStateResource;
import io.sluice.server.urlgroup.UrlGroupsResource;
import io.sluice.store.JobStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running server, from its database to its port. */
public final class Server implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);
  private static final Duration DRAIN = Duration.ofSeconds(30);
  private static final Duration BEAT = Duration.ofSeconds(1);
  private static final Duration BREAKERS = Duration.ofSeconds(15);

  private final ServerSettings settings;
  private final Stops stops;
  private final Metrics metrics = new Metrics();
  private final Json json = new Json();
  private final Routes routes = new Routes();
  private final ServerDatabase tables;
  private final JobStore store;
  private final Outbound outbound;
  private final Entrance entrance;
  private final Rotation rotation;
  private final GroupDuties groups;
  private final Sluice sluice;
  private final Readiness readiness;
  private final RestServer rest;
  private volatile Duration drain = DRAIN;

  /** Opens the database and puts the parts together; what was opened last is closed first. */
  private Server(ServerSettings settings, Stops stops) {
    this.settings = settings;
    this.stops = stops;
    stops.add("metrics", metrics::close);
    tables = new ServerDatabase(settings.database());
    stops.add("tables", tables::close);
    store = Stores.of(settings);
    stops.add("store", store::close);
    // The store first, because it says best what is wrong with an address, a user or a password.
    store.open();
    tables.migrate();
    outbound = new Outbound(settings, tables.database(), store, json);
    stops.add("delivery", outbound::close);
    entrance = new Entrance(
        tables, settings.trust().access(), outbound.fetch(), store.limits(), store.queues());
    stops.add("entrance", entrance::close);
    rotation = outbound.rotation(settings, entrance.audit());
    stops.add("rotation", rotation::close);
    rotation.start();
    groups = new GroupDuties(outbound, tables.database(), json, entrance.audit(), metrics.groups());
    stops.add("groups", groups::close);
    sluice = sluice();
    readiness = new Readiness(tables::answers, System::nanoTime);
    metrics.watch(sluice, System::nanoTime);
    metrics.watch(this::pools);
    addRoutes();
    rest = new RestServer(
        listen(),
        routes,
        entrance.gatekeeper(),
        json,
        new Traffic(System::nanoTime, metrics.requests()));
    stops.add("rest", rest::close);
  }

  /** Where to listen, with no more connections than there are descriptors and memory for. */
  private Listen listen() {
    Listen listen = settings.listen();
    ConnectionBounds asked = listen.bounds();
    long descriptors = Descriptors.limit().orElse(Long.MAX_VALUE);
    long heap = Runtime.getRuntime().maxMemory();
    ConnectionBounds bounds =
        asked.within(descriptors, settings.work().slots()).withinHeap(heap, listen.tls() != null);
    if (bounds.connections() < asked.connections()) {
      LOG.warn(
          "{} connections may be open at once, not the {} of max-connections: there are {} descriptors"
              + " (ulimit -n) and {} MB of heap (-Xmx)",
          bounds.connections(),
          asked.connections(),
          descriptors,
          heap >> 20);
    }
    return listen.with(bounds);
  }

  private Sluice sluice() {
    SluiceBuilder builder = Sluice.builder(outbound.store())
        .keepStoreOpen()
        .slots(settings.work().slots())
        .lease(settings.work().lease())
        .health(settings.work().health())
        .hold(entrance::holds)
        .hold(groups::holds)
        .background(whyHeld())
        .urlGroupSlots(settings.work().hostSlots())
        .listener(metrics.jobs())
        .listener(entrance.counting());
    return (settings.work().role().runsJobs()
            ? builder.handler(outbound.type(groups.attempts()))
            : builder)
        .build();
  }

  private WhyHeld whyHeld() {
    return new WhyHeld(
        entrance.tenants(),
        new GroupReasons(outbound.urlGroups(), groups.health()),
        outbound.groups());
  }

  public static Server start(ServerSettings settings) {
    Stops stops = new Stops();
    boolean started = false;
    try {
      Server server = new Server(settings, stops);
      server.start();
      started = true;
      return server;
    } finally {
      if (!started) {
        stops.close();
      }
    }
  }

  private void start() {
    Rounds duties = new Rounds()
        .every(BEAT, "master-key", rotation::beat)
        .every(BEAT, "master-key-change", rotation::work)
        .every(BREAKERS, "group-breakers", groupBreakers()::round);
    stops.add("duties", duties::close);
    stops.add("rotation's work", rotation::stop);
    stops.add("engine", () -> sluice.stop(drain));
    // Before the first job, since groups may be older than their breakers.
    groupBreakers().round();
    sluice.start();
    entrance.start(sluice);
    groups.start(settings.work().role().runsJobs());
    rest.start();
    stops.add("readiness", readiness::stopping);
    readiness.serving();
  }

  private List<PoolUse> pools() {
    List<PoolUse> pools = new ArrayList<>(tables.pools());
    if (store instanceof PostgresStore postgres) {
      pools.addAll(postgres.pools());
    }
    return pools;
  }

  /** Every route that there is. */
  Routes routes() {
    return routes;
  }

  private void addRoutes() {
    Held held = new Held(sluice.breakers(), () -> groups.holds().held());
    new HealthRoutes(readiness, sluice::health, held::notes, System::nanoTime).addTo(routes);
    metrics.addTo(routes);
    if (!settings.work().role().servesApi()) {
      return;
    }
    new OpenApi(Version.current(), routes).addTo(routes);
    Audit audit = entrance.audit();
    Cursors cursors = new Cursors(new Seal(SealKey.load(tables.database(), new SecureRandom())));
    JobRoutes.Around around = new JobRoutes.Around(
        outbound.groups(), outbound.guard(), outbound.secrets(), audit, entrance.quotas());
    new JobRoutes(sluice, outbound.store(), tables.database(), json, around).addTo(routes);
    new UrlGroupsResource(
            outbound.urlGroups(),
            hanging(cursors),
            outbound.guard(),
            audit,
            InstantSource.system(),
            new SecureRandom())
        .addTo(routes);
    new BreakersResource(sluice.breakers(), audit, cursors).addTo(routes);
    new MasterKeyResource(rotation).addTo(routes);
    new LimitRoutes(
            outbound.store(), tables.database(), entrance.limits(), outbound.limits(), audit)
        .addTo(routes);
    new GroupStateResource(
            outbound.urlGroups(),
            hanging(cursors),
            groups.health(),
            groups.figures(),
            new AuthTrials(
                outbound.urlGroups(),
                tables.database(),
                outbound.probe(),
                outbound.tokens(),
                InstantSource.system()))
        .addTo(routes);
    // After what tenants have, to list it for each of them.
    entrance.addTo(routes, sluice, cursors);
  }

  private UrlGroupsResource.Hanging hanging(Cursors cursors) {
    return new UrlGroupsResource.Hanging(
        groupJobs(),
        new GroupQueues(sluice.queues(), new Turns(tables.database())),
        groups.holds(),
        groupBreakers(),
        cursors);
  }

  private GroupBreakers groupBreakers() {
    return new GroupBreakers(sluice.breakers(), outbound.urlGroups());
  }

  private GroupJobs groupJobs() {
    boolean inDatabase = settings.work().store() == Store.POSTGRES;
    return new GroupJobs(sluice, tables.database(), inDatabase, InstantSource.system());
  }

  public int port() {
    return rest.port();
  }

  /** Completed when nobody listens at the port any more, though nobody closed this server. */
  CompletionStage<Void> listenerDied() {
    return rest.died();
  }

  /** Is not ready any more, and serves on: who sends requests here has time to see it. */
  void announceStop() {
    readiness.stopping();
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
