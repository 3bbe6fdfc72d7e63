package io.sluice.server;

import io.sluice.Scope.Kind;
import io.sluice.postgres.Database;
import io.sluice.server.audit.Audit;
import io.sluice.server.limit.Keeper;
import io.sluice.server.limit.LimitsResource;
import io.sluice.server.limit.StoreKeeper;
import io.sluice.server.queue.QueuesResource;
import io.sluice.server.queue.Turns;
import io.sluice.server.quota.Quota;
import io.sluice.server.rest.Routes;
import io.sluice.server.seal.Cursors;
import io.sluice.server.seal.Seal;
import io.sluice.server.seal.SealKey;
import io.sluice.store.JobStore;
import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.Map;

/** The routes of limits, put together: who keeps which of them. */
final class LimitRoutes {
  private final LimitsResource limits;

  LimitRoutes(JobStore store, Database database, Keeper tenants, Keeper urlGroups, Audit audit) {
    Turns turns = new Turns(database);
    StoreKeeper.Turn turn =
        (tenant, name, work) -> turns.making(tenant, name, Quota.LIMITS, room -> {
          work.accept(room);
          return true;
        });
    Map<Kind, Keeper> keepers = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      keepers.put(kind, new StoreKeeper(kind, store.limits(), turn));
    }
    Keeper queues = new StoreKeeper(Kind.QUEUE, store.limits(), turn);
    keepers.put(Kind.QUEUE, (tenant, name, change) -> {
      QueuesResource.find(store.queues(), tenant, name);
      queues.change(tenant, name, change);
    });
    keepers.put(Kind.TENANT, tenants);
    keepers.put(Kind.URL_GROUP, urlGroups);
    this.limits = new LimitsResource(
        store.limits(),
        keepers,
        new Cursors(new Seal(SealKey.load(database, new SecureRandom()))),
        audit);
  }

  Routes addTo(Routes routes) {
    return limits.addTo(routes);
  }
}
