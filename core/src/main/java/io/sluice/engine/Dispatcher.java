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
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Starts claimed work in the order it was claimed, each unit on a virtual thread of its own, never
 * more at once than there are slots. A unit that must run alone waits until nothing else runs, and
 * nothing else starts until it ends.
 */
final class Dispatcher {
  private final int slots;
  private final Consumer<Unit> runner;
  private final Runnable onRoom;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();
  private final Deque<Unit> waiting = new ArrayDeque<>();
  private final Set<Unit> running = new HashSet<>();
  private boolean alone;
  private boolean closed;
  private int lowMark;
  private long ended;

  Dispatcher(int slots, Consumer<Unit> runner, Runnable onRoom) {
    this.slots = slots;
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
      pump();
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
      alone = false;
      pump();
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

  private void pump() {
    while (!closed && !alone && running.size() < slots && !waiting.isEmpty()) {
      boolean solitary = waiting.getFirst().mustRunAlone();
      if (solitary && !running.isEmpty()) {
        return;
      }
      Unit unit = waiting.removeFirst();
      running.add(unit);
      alone = solitary;
      Thread.ofVirtual().name("sluice-job").start(() -> runner.accept(unit));
    }
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

  /** True while a unit runs alone or waits for the others to end: nothing else would start. */
  boolean isReserved() {
    lock.lock();
    try {
      return alone || (!waiting.isEmpty() && waiting.getFirst().mustRunAlone());
    } finally {
      lock.unlock();
    }
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

  /** Takes back what was claimed before this moment and has found no slot yet. */
  List<Unit> takeWaitingSince(long moment) {
    lock.lock();
    try {
      List<Unit> stale = new ArrayList<>();
      // What must run alone and is next has to wait for silence; it would never run otherwise.
      Unit kept =
          !waiting.isEmpty() && waiting.getFirst().mustRunAlone() ? waiting.removeFirst() : null;
      while (!waiting.isEmpty() && waiting.getFirst().claimedAt - moment < 0) {
        stale.add(waiting.removeFirst());
      }
      if (kept != null) {
        waiting.addFirst(kept);
      }
      return stale;
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
