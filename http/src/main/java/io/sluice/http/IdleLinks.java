package io.sluice.http;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Connections that wait for their next request, each for the party and place it was made for. */
final class IdleLinks implements AutoCloseable {
  /** What two requests must have in common to go over one connection. */
  record Key(Party party, String origin) {}

  private record Resting(Link link, long since) {}

  private static final long LONGEST_REST = Duration.ofSeconds(30).toNanos();

  private final LongSupplier nanoTime;
  private final int most;
  private final Map<Key, Deque<Resting>> resting = new HashMap<>();
  private int count;
  private boolean closed;

  IdleLinks(LongSupplier nanoTime, int most) {
    this.nanoTime = nanoTime;
    this.most = most;
  }

  Optional<Link> take(Key key) {
    for (Resting next = newest(key); next != null; next = newest(key)) {
      long rest = nanoTime.getAsLong() - next.since;
      if (rest < LONGEST_REST && !next.link.isUnfit()) {
        return Optional.of(next.link);
      }
      next.link.drop();
    }
    return Optional.empty();
  }

  private synchronized @Nullable Resting newest(Key key) {
    Deque<Resting> links = resting.get(key);
    if (links == null) {
      return null;
    }
    Resting newest = links.removeLast();
    count--;
    if (links.isEmpty()) {
      resting.remove(key);
    }
    return newest;
  }

  /** Keeps a connection for later, or drops it where there is no room. */
  void keep(Key key, Link link) {
    if (!add(key, link)) {
      link.drop();
    }
  }

  private synchronized boolean add(Key key, Link link) {
    if (closed || count >= most) {
      return false;
    }
    resting
        .computeIfAbsent(key, k -> new ArrayDeque<>())
        .addLast(new Resting(link, nanoTime.getAsLong()));
    count++;
    return true;
  }

  /** Drops what has rested too long. */
  void tidy() {
    takeOlderThan(LONGEST_REST).forEach(Link::drop);
  }

  private synchronized List<Link> takeOlderThan(long rest) {
    long now = nanoTime.getAsLong();
    List<Link> old = new ArrayList<>();
    Iterator<Deque<Resting>> all = resting.values().iterator();
    while (all.hasNext()) {
      Deque<Resting> links = all.next();
      while (!links.isEmpty() && now - links.peekFirst().since >= rest) {
        old.add(links.removeFirst().link);
        count--;
      }
      if (links.isEmpty()) {
        all.remove();
      }
    }
    return old;
  }

  synchronized int size() {
    return count;
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    takeOlderThan(Long.MIN_VALUE).forEach(Link::drop);
  }
}
