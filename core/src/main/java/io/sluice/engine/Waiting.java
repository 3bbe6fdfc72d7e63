package io.sluice.engine;

import io.sluice.Lane;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Claimed work that waits for a slot. Queues take turns by their weight, so that what was claimed ahead
 * of one holds up no other; inside a queue the more urgent goes first, and what came first among equals.
 */
final class Waiting {
  /** The units of one queue by their priority; {@code pass} is what it got so far, for its weight. */
  private static final class Line {
    private final TreeMap<Integer, Deque<Unit>> units = new TreeMap<>();
    final long number;
    double pass;

    Line(long number, double pass) {
      this.number = number;
      this.pass = pass;
    }

    void add(Unit unit) {
      units.computeIfAbsent(priority(unit), p -> new ArrayDeque<>()).add(unit);
    }

    @Nullable
    Unit first() {
      return units.isEmpty() ? null : units.firstEntry().getValue().getFirst();
    }

    Unit removeFirst() {
      Deque<Unit> most = units.firstEntry().getValue();
      Unit unit = most.removeFirst();
      if (most.isEmpty()) {
        units.pollFirstEntry();
      }
      return unit;
    }

    void removeAll(Set<Unit> gone) {
      units.values().forEach(some -> some.removeIf(gone::contains));
      units.values().removeIf(Deque::isEmpty);
    }

    boolean isEmpty() {
      return units.isEmpty();
    }

    Stream<Unit> stream() {
      return units.values().stream().flatMap(Deque::stream);
    }

    /** The unit of each priority that has waited longest. */
    Stream<Unit> heads() {
      return units.values().stream().map(Deque::getFirst);
    }

    private static int priority(Unit unit) {
      return unit.first().claimed.spec().priority().value();
    }
  }

  private final ToIntFunction<Lane> weight;
  private final Map<Share, Line> lines = new HashMap<>();
  private final Queue<Line> byPass = new PriorityQueue<>(
      Comparator.comparingDouble((Line line) -> line.pass).thenComparingLong(line -> line.number));
  private double pass;
  private long numbers;
  private int size;

  Waiting(ToIntFunction<Lane> weight) {
    this.weight = weight;
  }

  void add(Unit unit) {
    Line line = lines.get(Share.of(unit));
    if (line == null) {
      line = new Line(numbers++, pass);
      lines.put(Share.of(unit), line);
      byPass.add(line);
    }
    line.add(unit);
    size++;
  }

  /** The unit that starts next. */
  @Nullable
  Unit peek() {
    Line first = byPass.peek();
    return first == null ? null : first.first();
  }

  /** Takes out the unit that starts next; the others of its queue wait for their turn. */
  void removeFirst() {
    Line first = byPass.element();
    Unit unit = first.removeFirst();
    size--;
    pass = first.pass;
    if (first.isEmpty()) {
      byPass.remove();
      lines.remove(Share.of(unit));
    } else {
      first.pass += 1.0 / weight.applyAsInt(unit.first().lane());
      if (byPass.size() > 1) {
        byPass.remove();
        byPass.add(first);
      }
    }
  }

  void removeAll(Collection<Unit> units) {
    if (units.isEmpty()) {
      return;
    }
    Set<Unit> gone = new HashSet<>(units);
    lines.values().forEach(line -> line.removeAll(gone));
    lines.values().removeIf(Line::isEmpty);
    byPass.removeIf(Line::isEmpty);
    size = Math.toIntExact(stream().count());
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
    return lines.values().stream().flatMap(Line::stream);
  }

  /** True when something may have waited since before this moment: those that came first are asked. */
  boolean mayHaveWaitedSince(long moment) {
    return lines.values().stream().flatMap(Line::heads).anyMatch(unit -> unit.startAt - moment < 0);
  }
}
