package io.sluice.server;

import io.sluice.JobType;
import io.sluice.Uuid7;
import io.sluice.http.AddressGuard;
import io.sluice.http.HttpCall;
import io.sluice.http.Probe;
import io.sluice.http.Tokens;
import io.sluice.postgres.Database;
import io.sluice.server.delivery.Attempts;
import io.sluice.server.delivery.CallSecrets;
import io.sluice.server.delivery.Delivery;
import io.sluice.server.delivery.OwnDoors;
import io.sluice.server.login.Fetch;
import io.sluice.server.login.GuardedFetch;
import io.sluice.server.rest.Json;
import io.sluice.server.secret.Vault;
import io.sluice.server.urlgroup.GroupCache;
import io.sluice.server.urlgroup.UrlGroups;
import io.sluice.store.JobStore;
import java.security.SecureRandom;
import java.time.InstantSource;

/** All by which the server calls out, put together: secrets, URL groups, the guard, the delivery. */
final class Outbound implements AutoCloseable {
  private final UrlGroups urlGroups;
  private final GroupCache groups;
  private final AddressGuard guard;
  private final CallSecrets secrets;
  private final Delivery delivery;

  /** Needs the tables; fails where the master key is not the one that their secrets were sealed with. */
  Outbound(ServerSettings settings, Database database, JobStore store, Json json) {
    InstantSource clock = InstantSource.system();
    Vault vault = new Vault(database, settings.trust().masterKey()).start();
    Uuid7 ids = Uuid7.seeded(clock, new SecureRandom());
    urlGroups = new UrlGroups(database, vault, ids, json);
    groups = new GroupCache(urlGroups, clock, System::nanoTime);
    guard = new AddressGuard(
        settings.trust().allowTargets(), OwnDoors.of(settings.database().url()));
    secrets = new CallSecrets(vault);
    delivery = new Delivery(
        new Delivery.Parts(
            database, store, ProfiledQueues.of(store, settings.jobs()), groups, secrets, ids),
        guard,
        clock,
        Version.current());
  }

  UrlGroups urlGroups() {
    return urlGroups;
  }

  GroupCache groups() {
    return groups;
  }

  AddressGuard guard() {
    return guard;
  }

  CallSecrets secrets() {
    return secrets;
  }

  Tokens tokens() {
    return delivery.tokens();
  }

  /** The store to run jobs on: it tells callbacks. */
  JobStore store() {
    return delivery.store();
  }

  JobType<HttpCall> type(Attempts attempts) {
    return delivery.type(attempts);
  }

  /** Looks at places of groups. */
  Probe probe() {
    return new Probe(delivery.client(), delivery.tokens(), Version.current());
  }

  /** Gets what other parts of the server want from outside. */
  Fetch fetch() {
    return new GuardedFetch(delivery.client());
  }

  @Override
  public void close() {
    delivery.close();
  }
}
