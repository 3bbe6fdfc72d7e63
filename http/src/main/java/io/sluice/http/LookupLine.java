package io.sluice.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The queue in which look-ups wait for a thread, dealt by tenant: the tenant with the fewest under way
 * comes first, and none has more than its share. A look-up counts from its start to its end, whether or
 * not anybody still waits for it. The server's own look-ups, of the tenant without a name, have threads
 * apart. Not safe for several threads by itself.
 */
final class LookupLine<T> {
  private static final String SERVER = "";

  /**
   * Bounds of a queue.
   *
   * @param threads look-ups of all tenants at once
   * @param share those of one tenant
   * @param own those of the server itself, beside all others
   * @param waiting look-ups of one tenant that wait
   */
  record Bounds(int threads, int share, int own, int waiting) {}

  private static final class Tenant<T> {
    final Deque<T> waiting = new ArrayDeque<>();
    int running;
  }

  private final Bounds bounds;
  /** Tenants with look-ups, the one that was served longest ago first. */
  private final Map<String, Tenant<T>> tenants = new LinkedHashMap<>();

  private int running;

  LookupLine(Bounds bounds) {
    this.bounds = bounds;
  }

  /** Adds a look-up at the end of its tenant's; false where too many wait already. */
  boolean add(String tenant, T lookup) {
    Tenant<T> of = tenants.computeIfAbsent(tenant, name -> new Tenant<>());
    if (of.waiting.size() >= bounds.waiting) {
      return false;
    }
    of.waiting.add(lookup);
    return true;
  }

  /** Takes out a look-up that still waits. */
  void remove(String tenant, T lookup) {
    Tenant<T> of = tenants.get(tenant);
    if (of != null) {
      of.waiting.remove(lookup);
      forgetIfIdle(tenant, of);
    }
  }

  /** Takes out all that may start now, and counts it as running. */
  List<T> start() {
    List<T> started = new ArrayList<>();
    for (String tenant = next(); tenant != null; tenant = next()) {
      Tenant<T> of = tenants.remove(tenant);
      if (of == null) {
        break;
      }
      tenants.put(tenant, of);
      of.running++;
      running += isServer(tenant) ? 0 : 1;
      started.add(of.waiting.remove());
    }
    return started;
  }

  /** Counts one of a tenant's look-ups as ended. */
  void ended(String tenant) {
    Tenant<T> of = tenants.get(tenant);
    if (of != null) {
      of.running--;
      running -= isServer(tenant) ? 0 : 1;
      forgetIfIdle(tenant, of);
    }
  }

  private @Nullable String next() {
    String next = null;
    int fewest = Integer.MAX_VALUE;
    for (Map.Entry<String, Tenant<T>> entry : tenants.entrySet()) {
      Tenant<T> tenant = entry.getValue();
      if (!tenant.waiting.isEmpty()
          && tenant.running < fewest
          && mayStart(entry.getKey(), tenant)) {
        next = entry.getKey();
        fewest = tenant.running;
      }
    }
    return next;
  }

  private boolean mayStart(String name, Tenant<T> tenant) {
    return isServer(name)
        ? tenant.running < bounds.own
        : tenant.running < bounds.share && running < bounds.threads;
  }

  private static boolean isServer(String tenant) {
    return tenant.equals(SERVER);
  }

  private void forgetIfIdle(String name, Tenant<T> tenant) {
    if (tenant.waiting.isEmpty() && tenant.running == 0) {
      tenants.remove(name);
    }
  }
}
