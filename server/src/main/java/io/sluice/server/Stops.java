package io.sluice.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What must be stopped at the end, last opened first; one that fails does not keep the others. */
final class Stops implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Stops.class);

  private record Stop(String name, Runnable action) {}

  private final Deque<Stop> stops = new ArrayDeque<>();

  synchronized void add(String name, Runnable action) {
    stops.push(new Stop(name, action));
  }

  @Override
  public synchronized void close() {
    while (!stops.isEmpty()) {
      Stop stop = stops.pop();
      try {
        LOG.debug("stopping {}", stop.name);
        stop.action.run();
      } catch (RuntimeException e) {
        LOG.warn("{} did not stop in order", stop.name, e);
      }
    }
  }
}
