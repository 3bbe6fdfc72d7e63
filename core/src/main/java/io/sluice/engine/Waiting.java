package io.sluice.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Claimed work that waits for a slot. Queues take turns, so that what was claimed ahead of one holds up
 * no other; inside a queue the more urgent goes first, and what came first among equals.
 */
final class Waiting {
  /** A unit with its number, by which those of one priority are in order. */
  private record Entry(Unit unit, long number) {}

  private static final Comparator<Entry> ORDER = Comparator.comparingInt(
          (Entry entry) -> entry.unit.first().claimed.spec().priority().value())
      .thenComparingLong(Entry::number);

  private final Map<Share, Queue<Entry>> shares = new LinkedHashMap<>();
  private long numbers;
  private int size;

  void addAll(Collection<Unit> units) {
    units.forEach(this::add);
  }

  void add(Unit unit) {
    shares
        .computeIfAbsent(Share.of(unit), share -> new PriorityQueue<>(ORDER))
        .add(new Entry(unit, numbers++));
    size++;
  }

  /** The unit that starts next. */
  @Nullable
  Unit peek() {
    Iterator<Queue<Entry>> first = shares.values().iterator();
    Entry entry = first.hasNext() ? first.next().peek() : null;
    return entry == null ? null : entry.unit;
  }

  /** Takes out the unit that starts next; the others of its queue wait for their turn. */
  void removeFirst() {
    Map.Entry<Share, Queue<Entry>> first = shares.entrySet().iterator().next();
    Share share = first.getKey();
    Queue<Entry> queue = first.getValue();
    shares.remove(share);
    queue.remove();
    size--;
    if (!queue.isEmpty()) {
      shares.put(share, queue);
    }
  }

  void removeAll(Collection<Unit> units) {
    HashSet<Unit> gone = new HashSet<>(units);
    for (Queue<Entry> queue : shares.values()) {
      int before = queue.size();
      queue.removeIf(entry -> gone.contains(entry.unit));
      size -= before - queue.size();
    }
    shares.values().removeIf(Queue::isEmpty);
  }

  /** Takes out everything, in the order of a start of all. */
  List<Unit> clear() {
    List<Unit> all = new ArrayList<>(size);
    for (Unit unit = peek(); unit != null; unit = peek()) {
      removeFirst();
      all.add(unit);
    }
    return all;
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  Stream<Unit> stream() {
    return shares.values().stream().flatMap(Collection::stream).map(Entry::unit);
  }
}
