package io.sluice.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts claimed work in the order it was claimed, each unit on a virtual thread of its own, never
 * more at once than there are slots. A suspect waits until nothing else runs, and nothing else starts
 * until it ends, but only for as long as its patience lasts: then it is started with the others, and
 * others are started beside it.
 */
final class Dispatcher {
  private final int slots;
  private final LongSupplier nanoTime;
  private final Consumer<Unit> runner;
  private final Runnable onRoom;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();
  private final Deque<Unit> waiting = new ArrayDeque<>();
  private final Set<Unit> running = new HashSet<>();
  /** The unit that was started when nothing else ran, as long as nothing else is started. */
  private @Nullable Unit lone;

  private boolean wasReserved;
  private boolean closed;
  private int lowMark;
  private long ended;

  Dispatcher(int slots, LongSupplier nanoTime, Consumer<Unit> runner, Runnable onRoom) {
    this.slots = slots;
    this.nanoTime = nanoTime;
    this.runner = runner;
    this.onRoom = onRoom;
  }

  /** Takes units; false when closed: they are then the caller's to give back. */
  boolean submit(Collection<Unit> units) {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      waiting.addAll(units);
      lowMark = waiting.size() / 2;
      pump(nanoTime.getAsLong());
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Gives the slot of a unit back, once. */
  void ended(Unit unit) {
    if (!unit.release()) {
      return;
    }
    boolean hungry;
    lock.lock();
    try {
      running.remove(unit);
      ended++;
      if (unit == lone) {
        lone = null;
      }
      pump(nanoTime.getAsLong());
      hungry = waiting.size() <= lowMark && !closed;
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
          waiting.remove(unit);
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

  private void pump(long now) {
    while (hasRoom() && !waiting.isEmpty()) {
      boolean solitary = waiting.getFirst().wantsSolitude(now);
      if (solitary ? !running.isEmpty() : hasSolitude(now)) {
        return;
      }
      start(waiting.removeFirst(), solitary);
    }
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

  /** How many units are in hand, running or waiting for a slot. */
  int inHand() {
    lock.lock();
    try {
      return waiting.size() + running.size();
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
    return hasSolitude(now) || (!waiting.isEmpty() && waiting.getFirst().wantsSolitude(now));
  }

  /** How many units of a kind are in hand. */
  int inHand(Predicate<Unit> which) {
    lock.lock();
    try {
      return (int)
          Stream.concat(waiting.stream(), running.stream()).filter(which).count();
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

  /** Takes back what should have started before this moment and has found no slot yet. */
  List<Unit> takeWaitingSince(long moment) {
    return takeWaiting(unit -> unit.isStale(moment));
  }

  /** Takes back what waits for a slot and may no longer have one. */
  List<Unit> takeWaiting(Predicate<Unit> which) {
    lock.lock();
    try {
      List<Unit> taken = waiting.stream().filter(which).toList();
      waiting.removeAll(new HashSet<>(taken));
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
      List<Unit> rest = new ArrayList<>(waiting);
      waiting.clear();
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
