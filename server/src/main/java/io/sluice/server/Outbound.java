package io.sluice.server;

import io.sluice.JobType;
import io.sluice.Uuid7;
import io.sluice.http.AddressGuard;
import io.sluice.http.HttpCall;
import io.sluice.http.Probe;
import io.sluice.http.Tokens;
import io.sluice.postgres.Database;
import io.sluice.server.audit.AuditLog;
import io.sluice.server.config.Store;
import io.sluice.server.delivery.Attempts;
import io.sluice.server.delivery.CallSecrets;
import io.sluice.server.delivery.Delivery;
import io.sluice.server.delivery.JobSeals;
import io.sluice.server.delivery.OwnDoors;
import io.sluice.server.limit.Keeper;
import io.sluice.server.limit.RowLimits;
import io.sluice.server.login.Fetch;
import io.sluice.server.login.GuardedFetch;
import io.sluice.server.rest.Json;
import io.sluice.server.secret.Rotation;
import io.sluice.server.secret.SealedRows;
import io.sluice.server.secret.Vault;
import io.sluice.server.urlgroup.GroupCache;
import io.sluice.server.urlgroup.GroupSeals;
import io.sluice.server.urlgroup.UrlGroups;
import io.sluice.store.JobStore;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** All by which the server calls out, put together: secrets, URL groups, the guard, the delivery. */
final class Outbound implements AutoCloseable {
  private final Database database;
  private final Vault vault;
  private final UrlGroups urlGroups;
  private final GroupCache groups;
  private final OwnDoors ownDoors;
  private final AddressGuard guard;
  private final CallSecrets secrets;
  private final Delivery delivery;

  /** Needs the tables; fails where the master key is not the one that their secrets were sealed with. */
  Outbound(ServerSettings settings, Database database, JobStore store, Json json) {
    InstantSource clock = InstantSource.system();
    this.database = database;
    vault = new Vault(database, settings.trust().masterKey()).start();
    Uuid7 ids = Uuid7.seeded(clock, new SecureRandom());
    urlGroups = new UrlGroups(database, vault, ids, json, new RowLimits(store.limits()));
    urlGroups.settleLimits();
    groups = new GroupCache(urlGroups, clock, System::nanoTime);
    ownDoors = OwnDoors.of(settings.database().url());
    guard = new AddressGuard(settings.trust().allowTargets(), ownDoors::doors);
    secrets = new CallSecrets(vault);
    delivery = new Delivery(
        new Delivery.Parts(
            database, store, ProfiledQueues.of(store, settings.jobs()), groups, secrets, ids),
        guard,
        clock,
        Version.current());
  }

  /** The change of the master key, which reaches the jobs only where they are in this database. */
  Rotation rotation(ServerSettings settings, AuditLog audit) {
    List<SealedRows> places = new ArrayList<>(List.of(new GroupSeals(database, vault)));
    if (settings.work().store() == Store.POSTGRES) {
      places.add(new JobSeals(database, secrets));
    }
    SecureRandom random = new SecureRandom();
    return new Rotation(
        database,
        vault,
        places,
        audit,
        new Rotation.Self(
            Uuid7.seeded(InstantSource.system(), random).next(), name(), Version.current()),
        new Rotation.Tools(random, System::nanoTime));
  }

  /** How people know this server: its machine and its process. */
  private static String name() {
    return ManagementFactory.getRuntimeMXBean().getName();
  }

  UrlGroups urlGroups() {
    return urlGroups;
  }

  /** Who keeps the limits of URL groups. */
  Keeper limits() {
    return urlGroups::limit;
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
    ownDoors.close();
  }
}
