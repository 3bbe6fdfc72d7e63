package io.sluice.postgres;

import io.sluice.SluiceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends hints to other processes, apart from the writes they are about: the first at once, those that
 * follow within a few milliseconds together. NOTIFY takes a lock over the whole database at its
 * commit, so there is never one for each job.
 */
final class Notifier implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);
  private static final Duration PAUSE = Duration.ofMillis(5);
  /** What divides a hint from the name of the process that sent it. */
  private static final char BY = '@';
  /** How many lanes are named at once: a payload takes less than 8,000 bytes. */
  private static final int MOST_LANES = 500;

  private final Database database;
  /** Tells this process from others: a server process that sent for one may send for another later. */
  private final String self;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wanted = lock.newCondition();
  private final Set<String> pending = new LinkedHashSet<>();
  private final Set<Integer> lanes = new LinkedHashSet<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  Notifier(Database database, String self) {
    this.database = database;
    this.self = self;
  }

  void start() {
    Thread.ofPlatform().daemon().name("sluice-notify").start(this::loop);
  }

  void send(String payload) {
    lock.lock();
    try {
      pending.add(payload);
      wanted.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Names lanes with the hints that are sent next; not all of very many. */
  void send(Set<Integer> named) {
    lock.lock();
    try {
      for (Integer lane : named) {
        if (lanes.size() < MOST_LANES) {
          lanes.add(lane);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private static String payload(Collection<Integer> lanes) {
    return lanes.stream()
        .limit(MOST_LANES)
        .map(String::valueOf)
        .collect(Collectors.joining(",", Signals.READY, ""));
  }

  /** The lanes that a payload names. */
  static Set<Integer> lanesOf(String payload) {
    Set<Integer> lanes = new HashSet<>();
    for (String lane : payload.substring(Signals.READY.length()).split(",", -1)) {
      lanes.add(Integer.valueOf(lane));
    }
    return lanes;
  }

  /** The hint that somebody sent; null when that was this process, which has heard it already. */
  @Nullable
  String heard(String payload) {
    int by = payload.lastIndexOf(BY);
    if (by < 0) {
      return payload;
    }
    return payload.substring(by + 1).equals(self) ? null : payload.substring(0, by);
  }

  @Override
  public void close() {
    closed.countDown();
    lock.lock();
    try {
      wanted.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void loop() {
    try {
      do {
        List<String> payloads = await();
        if (!payloads.isEmpty()) {
          deliver(payloads);
        }
      } while (!closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<String> await() throws InterruptedException {
    lock.lock();
    try {
      while (pending.isEmpty() && closed.getCount() > 0) {
        wanted.await();
      }
      List<String> payloads = new ArrayList<>();
      if (!lanes.isEmpty()) {
        payloads.add(payload(lanes));
      }
      payloads.addAll(pending);
      pending.clear();
      lanes.clear();
      return payloads;
    } finally {
      lock.unlock();
    }
  }

  private void deliver(List<String> payloads) {
    try {
      List<String> signed =
          payloads.stream().map(payload -> payload + BY + self).toList();
      database.run(connection -> notify(connection, "notify-lazily", signed));
    } catch (SluiceException e) {
      LOG.debug("A hint was not sent; whoever waits looks by itself in time", e);
    }
  }

  /** Sends hints as part of somebody's transaction, when and if that commits. */
  void sendWithin(Connection connection, Set<Integer> named, List<String> payloads)
      throws SQLException {
    List<String> all = new ArrayList<>();
    if (!named.isEmpty()) {
      all.add(payload(named));
    }
    all.addAll(payloads);
    if (!all.isEmpty()) {
      notify(connection, "notify", all);
    }
  }

  private boolean notify(Connection connection, String query, List<String> payloads)
      throws SQLException {
    try (Call call = database.call(connection, query)) {
      call.set("channel", database.sql().channel())
          .set("payloads", "text", payloads.toArray(String[]::new))
          .execute();
      return true;
    }
  }
}
