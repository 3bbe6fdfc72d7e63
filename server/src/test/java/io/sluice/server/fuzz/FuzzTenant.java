package io.sluice.server.fuzz;

import io.sluice.server.access.Role;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** A tenant of the run: its keys, what it made, the jobs that it was promised, and its leases. */
final class FuzzTenant {
  private final String name;
  private final Map<Role, String> keys;
  private final boolean mayDelete;
  private final KnownThings things = new KnownThings();
  private final Set<String> taken = ConcurrentHashMap.newKeySet();
  private final ConcurrentMap<String, String> leases = new ConcurrentHashMap<>();

  /** One whose dead letters, queues and groups may be deleted, or one that keeps every job it was given. */
  FuzzTenant(String name, Map<Role, String> keys, boolean mayDelete) {
    this.name = name;
    this.keys = Map.copyOf(keys);
    this.mayDelete = mayDelete;
    things.add(KnownThings.Kind.QUEUE, "default");
    things.add(KnownThings.Kind.TENANT, name);
  }

  String name() {
    return name;
  }

  String key(Role role) {
    return keys.get(role);
  }

  boolean hasKeys() {
    return !keys.isEmpty();
  }

  boolean mayDelete() {
    return mayDelete;
  }

  KnownThings things() {
    return things;
  }

  /** The jobs that the server said to have taken. */
  Set<String> taken() {
    return taken;
  }

  void take(String job) {
    taken.add(job);
    things.add(KnownThings.Kind.JOB, job);
  }

  /** Notes under which lease a job is handed out, and answers the one before, or nothing. */
  String handOut(String job, String lease) {
    things.add(KnownThings.Kind.LEASE, lease);
    String before = leases.put(job, lease);
    return before == null ? "" : before;
  }
}
