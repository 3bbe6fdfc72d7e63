package io.sluice.postgres;

import java.time.InstantSource;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Empty schemas for tests, each used by one test after the other. */
final class Schemas {
  private record Kind(Server server, int today) {}

  private static final Map<Kind, Queue<Ground>> FREE = new ConcurrentHashMap<>();

  private Schemas() {}

  /** An empty schema for stores that go by the time of day. */
  static Ground take(Server server) {
    return take(server, Shelves.dayOf(InstantSource.system().instant()));
  }

  /** An empty schema, or one that is not there yet, for stores whose clocks show this day. */
  static Ground take(Server server, int today) {
    Ground free = free(server, today).poll();
    return free == null ? new Ground(server, Server.newSchema(), today) : free;
  }

  static void giveBack(Ground ground) {
    ground.clear();
    free(ground.server(), ground.today()).add(ground);
  }

  private static Queue<Ground> free(Server server, int today) {
    return FREE.computeIfAbsent(new Kind(server, today), kind -> new ConcurrentLinkedQueue<>());
  }
}
