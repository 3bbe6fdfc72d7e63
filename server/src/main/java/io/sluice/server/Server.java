package io.sluice.server;

import io.sluice.ErrorCode;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.http.AddressGuard;
import io.sluice.postgres.PostgresStore;
import io.sluice.server.access.AdminKey;
import io.sluice.server.audit.Audit;
import io.sluice.server.rest.Gatekeeper;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.RestServer;
import io.sluice.server.rest.Routes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running server, from its database to its port. */
public final class Server implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);
  private static final Duration DRAIN = Duration.ofSeconds(30);

  private final ServerDatabase tables;
  private final Sluice sluice;
  private final RestServer rest;

  private Server(ServerDatabase tables, Sluice sluice, RestServer rest) {
    this.tables = tables;
    this.sluice = sluice;
    this.rest = rest;
  }

  public static Server start(ServerSettings settings) {
    ServerDatabase tables = new ServerDatabase(settings.database());
    PostgresStore store = PostgresStore.builder()
        .url(settings.database().url())
        .user(settings.database().user())
        .password(settings.database().password())
        .schema(settings.database().schema())
        .build();
    Sluice sluice = Sluice.builder(store).build().start();
    tables.migrate();
    Json json = new Json();
    Audit audit = (caller, tenant, action, object) ->
        LOG.info("{} of {} did {} to {}", caller.id(), tenant, action, object);
    Routes routes = new Routes();
    JobRoutes.Around around = new JobRoutes.Around(
        (tenant, group) -> Optional.empty(), new AddressGuard(List.of()), audit);
    new JobRoutes(sluice, store, tables.database(), json, around).addTo(routes);
    RestServer rest =
        new RestServer(settings.listen(), routes, gatekeeper(settings.adminKey()), json).start();
    return new Server(tables, sluice, rest);
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
    sluice.stop(DRAIN);
    rest.close();
    tables.close();
  }
}
