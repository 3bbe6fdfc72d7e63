package io.sluice.engine;

import io.sluice.Lane;
import io.sluice.store.JobStore;
import io.sluice.store.LaneHead;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where remote workers wait for work. However many wait for a queue, one look at it serves all of them, and
 * a lane that one of them found empty is not tried by the others until there is news. Looks at a queue of very many
 * lanes take a fifth of the time at most: until the next one, the last is as good as it gets.
 */
final class Board {
  /** What was ready at a moment, by the ticker, which news it had, and when it is time for another look. */
  record View(long news, long begunAt, long nextAt, List<LaneHead> heads, Set<Object> spent) {
    boolean offers(LaneHead head) {
      return !spent.contains(key(head));
    }

    /** Notes that these lanes gave all they had. */
    void emptied(List<LaneHead> lanes) {
      lanes.forEach(head -> spent.add(key(head)));
    }

    private static Object key(LaneHead head) {
      return List.of(head.laneId(), head.priority());
    }
  }

  private record Queue(String tenant, String name) {}

  /** What was last seen of a queue; one at a time looks. */
  private static final class Sight {
    private final ReentrantLock looking = new ReentrantLock();
    private volatile @Nullable View view;
  }

  private static final int MOST_QUEUES = 1_000;
  /** With more lanes than this, a look costs so much that it matters to others. */
  static final int MANY_LANES = 1_000;
  /** Such looks take this fraction of the time. */
  private static final int PARTS = 5;

  private final JobStore store;
  private final Predicate<Lane> held;
  private final LongSupplier nanoTime;
  private final AtomicLong news = new AtomicLong();
  private final AtomicInteger waiting = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition told = lock.newCondition();
  private final Map<Queue, Sight> sights = new ConcurrentHashMap<>();
  private volatile boolean open;

  Board(JobStore store, Predicate<Lane> held, LongSupplier nanoTime) {
    this.store = store;
    this.held = held;
    this.nanoTime = nanoTime;
  }

  void open() {
    open = true;
  }

  /** Lets everybody go who waits. */
  void close() {
    open = false;
    tell();
  }

  boolean isOpen() {
    return open;
  }

  /** Wakes those who wait: something may be ready. */
  void tell() {
    news.incrementAndGet();
    if (waiting.get() > 0) {
      lock.lock();
      try {
        told.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  long news() {
    return news.get();
  }

  /** A view of a queue that knows this much news and was begun no sooner than this. */
  View look(String tenant, String queue, long atLeast, long since) {
    if (sights.size() > MOST_QUEUES) {
      sights.clear();
    }
    Sight sight = sights.computeIfAbsent(new Queue(tenant, queue), name -> new Sight());
    View known = sight.view;
    if (known != null && fits(known, atLeast, since)) {
      return known;
    }
    sight.looking.lock();
    try {
      known = sight.view;
      if (known == null || !fits(known, atLeast, since)) {
        known = look(tenant, queue);
        sight.view = known;
      }
      return known;
    } finally {
      sight.looking.unlock();
    }
  }

  private boolean fits(View known, long atLeast, long since) {
    return (known.news() >= atLeast && known.begunAt() - since >= 0) || untilNext(known) > 0;
  }

  private long untilNext(View known) {
    return known.nextAt() - nanoTime.getAsLong();
  }

  private View look(String tenant, String queue) {
    long known = news.get();
    long begun = nanoTime.getAsLong();
    List<LaneHead> all = store.heads(tenant, queue);
    List<LaneHead> heads = all.stream().filter(head -> !held.test(head.lane())).toList();
    long ended = nanoTime.getAsLong();
    long nextAt = all.size() > MANY_LANES ? ended + (PARTS - 1) * (ended - begun) : begun;
    return new View(known, begun, nextAt, heads, ConcurrentHashMap.newKeySet());
  }

  /** Waits for news beyond those of a view, and until it is time for another; at most so long. */
  void await(View known, long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      waiting.incrementAndGet();
      long left = nanos;
      while (open && left > 0) {
        long most = news.get() <= known.news() ? left : Math.min(left, untilNext(known));
        if (most <= 0) {
          return;
        }
        left -= most - told.awaitNanos(most);
      }
    } finally {
      waiting.decrementAndGet();
      lock.unlock();
    }
  }
}
