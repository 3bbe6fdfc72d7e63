package io.sluice.engine;

import io.sluice.Lane;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Claimed work that waits for a slot. Queues take turns by their weight, so that what was claimed ahead
 * of one holds up no other; inside a queue the more urgent goes first, and what came first among equals.
 */
final class Waiting {
  /** A unit with its number, by which those of one priority are in order. */
  private record Entry(Unit unit, long number) {}

  /** The units of one queue; {@code pass} is what it got so far, for its weight. */
  private static final class Line {
    final Queue<Entry> units = new PriorityQueue<>(ORDER);
    final long number;
    double pass;

    Line(long number, double pass) {
      this.number = number;
      this.pass = pass;
    }
  }

  private static final Comparator<Entry> ORDER = Comparator.comparingInt(
          (Entry entry) -> entry.unit.first().claimed.spec().priority().value())
      .thenComparingLong(Entry::number);

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
    line.units.add(new Entry(unit, numbers++));
    size++;
  }

  /** The unit that starts next. */
  @Nullable
  Unit peek() {
    Line first = byPass.peek();
    Entry entry = first == null ? null : first.units.peek();
    return entry == null ? null : entry.unit;
  }

  /** Takes out the unit that starts next; the others of its queue wait for their turn. */
  void removeFirst() {
    Line first = byPass.remove();
    Unit unit = first.units.remove().unit;
    size--;
    pass = first.pass;
    first.pass += 1.0 / weight.applyAsInt(unit.first().lane());
    if (first.units.isEmpty()) {
      lines.remove(Share.of(unit));
    } else {
      byPass.add(first);
    }
  }

  void removeAll(Collection<Unit> units) {
    HashSet<Unit> gone = new HashSet<>(units);
    for (Line line : lines.values()) {
      int before = line.units.size();
      line.units.removeIf(entry -> gone.contains(entry.unit));
      size -= before - line.units.size();
    }
    lines.values().removeIf(line -> line.units.isEmpty());
    byPass.removeIf(line -> line.units.isEmpty());
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
    return lines.values().stream().flatMap(line -> line.units.stream()).map(Entry::unit);
  }
}
