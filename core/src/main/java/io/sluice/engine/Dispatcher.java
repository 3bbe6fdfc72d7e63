package io.sluice.engine;

import io.sluice.Lane;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts claimed work, queue by queue in turn, each unit on a virtual thread of its own, never more at
 * once than there are slots. What a limited rate lets start later is kept until then and takes no slot;
 * what found none for too long after that is handed back. A suspect waits until nothing else runs, and nothing else starts
 * until it ends, but only for as long as its patience lasts: then it is started with the others, and
 * others are started beside it.
 */
final class Dispatcher {
  private final int slots;
  private final LongSupplier nanoTime;
  private final Consumer<Unit> runner;
  private final Runnable onRoom;
  private final Runnable onDeferred;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();
  private final Waiting waiting;
  /** What is not to start yet, the next first. */
  private final PriorityQueue<Unit> deferred =
      new PriorityQueue<>((one, other) -> Long.signum(one.startAt - other.startAt));
  /** What was to start, found no slot and is too late now. */
  private final List<Unit> missed = new ArrayList<>();

  private final Map<Lane, Integer> inHand = new HashMap<>();
  private final Set<Unit> running = new HashSet<>();
  /** The unit that was started when nothing else ran, as long as nothing else is started. */
  private @Nullable Unit lone;

  private boolean wasReserved;
  private boolean closed;
  private int lowMark;
  /** The size of the payloads of all units in flight. */
  private long bytes;

  private long ended;

  /** With {@code onDeferred}, somebody is told to come back for what is not to start yet. */
  Dispatcher(
      int slots,
      LongSupplier nanoTime,
      Consumer<Unit> runner,
      Waiting waiting,
      Runnable onRoom,
      Runnable onDeferred) {
    this.slots = slots;
    this.nanoTime = nanoTime;
    this.runner = runner;
    this.waiting = waiting;
    this.onRoom = onRoom;
    this.onDeferred = onDeferred;
  }

  /** Takes units; false when closed: they are then the caller's to give back. */
  boolean submit(Collection<Unit> units) {
    boolean defers;
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      long now = nanoTime.getAsLong();
      for (Unit unit : units) {
        inHand.merge(unit.first().lane(), 1, Integer::sum);
        bytes += unit.bytes();
        if (unit.isDue(now)) {
          waiting.add(unit);
        } else {
          deferred.add(unit);
        }
      }
      lowMark = waiting.size() / 2;
      pump(now);
      defers = !deferred.isEmpty();
    } finally {
      lock.unlock();
    }
    if (defers) {
      onDeferred.run();
    }
    return true;
  }

  /** Gives the slot of a unit back, once. */
  void ended(Unit unit) {
    if (!unit.release()) {
      return;
    }
    boolean hungry;
    lock.lock();
    try {
      if (running.remove(unit)) {
        gone(unit);
      }
      ended++;
      if (unit == lone) {
        lone = null;
      }
      pump(nanoTime.getAsLong());
      hungry = (waiting.size() <= lowMark || !missed.isEmpty()) && !closed;
      if (running.isEmpty()) {
        idle.signalAll();
      }
    } finally {
      lock.unlock();
    }
    if (hungry) {
      onRoom.run();
    }
  }

  /** Starts whoever has waited long enough to be alone, and what may join one that has been. */
  void tick() {
    boolean roused;
    lock.lock();
    try {
      long now = nanoTime.getAsLong();
      int before = running.size();
      List<Unit> impatient = waiting.stream().filter(u -> u.isImpatient(now)).toList();
      for (Unit unit : impatient) {
        if (hasRoom()) {
          waiting.removeAll(List.of(unit));
          start(unit, false);
        }
      }
      pump(now);
      boolean reserved = isReserved(now);
      roused = running.size() > before || (wasReserved && !reserved);
      wasReserved = reserved;
    } finally {
      lock.unlock();
    }
    if (roused) {
      onRoom.run();
    }
  }

  /** Starts what may start now of what was kept, and says in how many nanoseconds the next may. */
  long startDue() {
    boolean late;
    long wait;
    lock.lock();
    try {
      long now = nanoTime.getAsLong();
      for (Unit next = deferred.peek(); next != null && next.isDue(now); next = deferred.peek()) {
        waiting.add(deferred.remove());
      }
      pump(now);
      late = !missed.isEmpty();
      Unit next = deferred.peek();
      wait = next == null ? Long.MAX_VALUE : next.startAt - now;
    } finally {
      lock.unlock();
    }
    if (late) {
      onRoom.run();
    }
    return wait;
  }

  private void pump(long now) {
    for (Unit unit = waiting.peek(); unit != null && hasRoom(); unit = waiting.peek()) {
      boolean solitary = unit.wantsSolitude(now);
      if (solitary ? !running.isEmpty() : hasSolitude(now)) {
        return;
      }
      waiting.removeFirst();
      if (unit.hasMissedItsStart(now)) {
        missed.add(unit);
      } else {
        start(unit, solitary);
      }
    }
  }

  private void gone(Unit unit) {
    inHand.computeIfPresent(unit.first().lane(), (lane, had) -> had > 1 ? had - 1 : null);
    bytes -= unit.bytes();
  }

  private boolean hasRoom() {
    return !closed && running.size() < slots;
  }

  private boolean hasSolitude(long now) {
    return lone != null && lone.wantsSolitude(now);
  }

  private void start(Unit unit, boolean solitary) {
    if (lone != null) {
      lone.alone(false);
    }
    unit.alone(solitary);
    lone = solitary ? unit : null;
    running.add(unit);
    Thread.ofVirtual().name("sluice-job").start(() -> runner.accept(unit));
  }

  /**
   * How many units are in hand, running or waiting for a slot. Of those that are not to start yet, which
   * need none, as many are left out as there are slots.
   */
  int inHand() {
    lock.lock();
    try {
      return waiting.size() + running.size() + Math.max(0, deferred.size() - slots);
    } finally {
      lock.unlock();
    }
  }

  /** The size of the payloads of all units in flight, running or not. */
  long bytesInFlight() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  /** True while a unit is to be alone or waits for the others to end: nothing else would start. */
  boolean isReserved() {
    lock.lock();
    try {
      return isReserved(nanoTime.getAsLong());
    } finally {
      lock.unlock();
    }
  }

  private boolean isReserved(long now) {
    Unit next = waiting.peek();
    return hasSolitude(now) || (next != null && next.wantsSolitude(now));
  }

  /** How many units of some lanes are in hand, those that are not to start yet among them. */
  int inHand(Predicate<Lane> which) {
    lock.lock();
    try {
      return inHand.entrySet().stream()
          .filter(entry -> which.test(entry.getKey()))
          .mapToInt(Map.Entry::getValue)
          .sum();
    } finally {
      lock.unlock();
    }
  }

  /** How many units of a queue are in hand. */
  int inHand(Share share) {
    return inHand((Lane lane) -> Share.of(lane).equals(share));
  }

  /** How many units of each lane are in hand. */
  Map<Lane, Integer> inHandByLane() {
    lock.lock();
    try {
      return Map.copyOf(inHand);
    } finally {
      lock.unlock();
    }
  }

  int runningNow() {
    lock.lock();
    try {
      return running.size();
    } finally {
      lock.unlock();
    }
  }

  /** How many units have ended so far. */
  long endedSoFar() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  /** Takes back what should have started before this moment, or what missed its start. */
  List<Unit> takeWaitingSince(long moment) {
    lock.lock();
    try {
      List<Unit> late = new ArrayList<>(missed);
      missed.forEach(this::gone);
      missed.clear();
      if (waiting.mayHaveWaitedSince(moment)) {
        late.addAll(takeWaiting(unit -> unit.isStale(moment)));
      }
      return late;
    } finally {
      lock.unlock();
    }
  }

  /** Takes back what waits for a slot or its time and may no longer start. */
  List<Unit> takeWaiting(Predicate<Unit> which) {
    lock.lock();
    try {
      List<Unit> taken =
          Stream.concat(waiting.stream(), deferred.stream()).filter(which).toList();
      waiting.removeAll(taken);
      deferred.removeAll(taken);
      taken.forEach(this::gone);
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Starts nothing more and hands back what has not started. */
  List<Unit> close() {
    lock.lock();
    try {
      closed = true;
      List<Unit> rest = waiting.clear();
      rest.addAll(deferred);
      rest.addAll(missed);
      deferred.clear();
      missed.clear();
      return rest;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until nothing runs, at most so long; true when nothing does. */
  boolean awaitIdle(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (!running.isEmpty() && left > 0) {
        left = idle.awaitNanos(left);
      }
      return running.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  List<Unit> running() {
    lock.lock();
    try {
      return List.copyOf(running);
    } finally {
      lock.unlock();
    }
  }
}
