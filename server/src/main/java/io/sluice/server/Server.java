package io.sluice.server;

import io.sluice.ErrorCode;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.Uuid7;
import io.sluice.http.AddressGuard;
import io.sluice.postgres.PostgresStore;
import io.sluice.server.access.AdminKey;
import io.sluice.server.delivery.CallSecrets;
import io.sluice.server.delivery.Delivery;
import io.sluice.server.delivery.OwnDoors;
import io.sluice.server.rest.Gatekeeper;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.RestServer;
import io.sluice.server.rest.Routes;
import io.sluice.server.secret.Vault;
import io.sluice.server.urlgroup.GroupCache;
import io.sluice.server.urlgroup.GroupJobs;
import io.sluice.server.urlgroup.UrlGroups;
import io.sluice.server.urlgroup.UrlGroupsResource;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;

/** One running server, from its database to its port. */
public final class Server implements AutoCloseable {
  private static final Duration DRAIN = Duration.ofSeconds(30);
  private static final int SLOTS = 100;

  private final InstantSource clock = InstantSource.system();
  private final SecureRandom random = new SecureRandom();
  private final Json json = new Json();
  private final ServerDatabase tables;
  private final AddressGuard guard;
  private final UrlGroups groups;
  private final CallSecrets secrets;
  private final Delivery delivery;
  private final Sluice sluice;
  private final RestServer rest;

  private Server(ServerSettings settings) {
    tables = new ServerDatabase(settings.database());
    PostgresStore store = PostgresStore.builder()
        .url(settings.database().url())
        .user(settings.database().user())
        .password(settings.database().password())
        .schema(settings.database().schema())
        .build();
    tables.migrate();
    Vault vault = new Vault(tables.database(), settings.delivering().masterKey()).start();
    Uuid7 ids = Uuid7.seeded(clock, random);
    groups = new UrlGroups(tables.database(), vault, ids, json);
    guard = new AddressGuard(
        settings.delivering().allowTargets(), OwnDoors.of(settings.database().url()));
    secrets = new CallSecrets(vault);
    Delivery.Parts parts = new Delivery.Parts(
        tables.database(), store, new GroupCache(groups, clock, System::nanoTime), secrets, ids);
    delivery = new Delivery(parts, guard, clock, version());
    sluice =
        Sluice.builder(delivery.store()).handler(delivery.type()).slots(SLOTS).build();
    rest = new RestServer(settings.listen(), routes(), gatekeeper(settings.adminKey()), json);
  }

  public static Server start(ServerSettings settings) {
    Server server = new Server(settings);
    server.sluice.start();
    server.rest.start();
    return server;
  }

  private static String version() {
    String version = Server.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }

  private Routes routes() {
    Routes routes = new Routes();
    new UrlGroupsResource(
            groups,
            new GroupJobs(sluice),
            guard,
            (who, tenant, action, object) -> {},
            clock,
            random)
        .addTo(routes);
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

  Sluice sluice() {
    return sluice;
  }

  CallSecrets secrets() {
    return secrets;
  }

  public int port() {
    return rest.port();
  }

  @Override
  public void close() {
    sluice.stop(DRAIN);
    rest.close();
    delivery.close();
    tables.close();
  }
}
