package io.sluice.engine;

import io.sluice.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is. Tenants take turns; among the queues of a tenant it is the one that got least for its
 * weight; in a queue the most urgent priority, and the lanes of that one after the other. A priority that
 * waits grows more urgent by one with every second, so that it comes late but does come. Whoever is
 * passed over stays out for the rest of the round, and what is parked until it is let in again. No
 * step costs more for there being many in line, and a tenant or a queue of which too many places were passed over gives way to
 * the next: what one has in line that may not run never ends a round before the others had their turn.
 */
final class Turns {
  /** How many places of a tenant are passed over in a round; then it is the turn of the next tenant. */
  static final int PASSED_OF_TENANT = 512;
  /** How many places of a queue are; then it is the turn of the tenant's next queue. */
  static final int PASSED_OF_QUEUE = 256;

  private static final double AGEING_NANOS = Duration.ofSeconds(1).toNanos();

  /** The lanes of a queue that have work of one priority, the next first. */
  private static final class Line {
    final LinkedHashSet<Place> places = new LinkedHashSet<>();
    /** How many places belong here, with those that are passed over or parked. */
    int members;

    long since;

    Line(long now) {
      since = now;
    }

    double urgency(int priority, long now) {
      return priority - (now - since) / AGEING_NANOS;
    }
  }

  /** A queue in line; {@code pass} is what it got so far, for its weight. */
  static final class Queue {
    private final Tenant tenant;
    private final int number;
    private final Map<Integer, Line> lines = new TreeMap<>();
    private double pass;
    private int places;
    /** True when none of it is left in the round. */
    private boolean out;
    /** True when that is because it had enough, and not because it may not run. */
    private boolean sated;
    /** How many of its places were passed over in this round. */
    private int passed;

    private Queue(Tenant tenant, int number) {
      this.tenant = tenant;
      this.number = number;
    }

    private @Nullable Place next(long now) {
      Place next = null;
      double most = Double.MAX_VALUE;
      for (Map.Entry<Integer, Line> entry : lines.entrySet()) {
        Line line = entry.getValue();
        double urgency = line.urgency(entry.getKey(), now);
        if (!line.places.isEmpty() && urgency < most) {
          most = urgency;
          next = line.places.iterator().next();
        }
      }
      return next;
    }

    private Line line(int priority, long now) {
      return lines.computeIfAbsent(priority, p -> new Line(now));
    }
  }

  /** A tenant in line, with those of its queues that have work. */
  static final class Tenant {
    final Map<String, Queue> queues = new HashMap<>();
    final SortedSet<Queue> byPass = new TreeSet<>(
        Comparator.comparingDouble((Queue q) -> q.pass).thenComparingInt(q -> q.number));
    /** Where the line of queues is: a newcomer begins here and has no claim to what was before. */
    double pass;
    /** Where the first queue of the line was when the round came to this tenant. */
    double first = Double.NaN;
    /** How many of its places were passed over in this round. */
    int passed;
  }

  private final ToIntFunction<Lane> weight;
  private final Map<String, Tenant> tenants = new HashMap<>();
  private final Set<Tenant> line = new LinkedHashSet<>();
  private final List<Place> passed = new ArrayList<>();
  private final List<Queue> leftOut = new ArrayList<>();
  private final List<Queue> counted = new ArrayList<>();
  private final List<Tenant> cutShort = new ArrayList<>();
  private final List<Tenant> visited = new ArrayList<>();
  private boolean complete = true;
  private int numbers;

  Turns(ToIntFunction<Lane> weight) {
    this.weight = weight;
  }

  void add(Place place, long now) {
    Queue queue = join(place, now);
    queue.line(place.priority, now).places.add(place);
    enter(queue);
  }

  /** Adds a place that may not run for now; it is let in by {@link #unpark}. */
  void addParked(Place place, long now) {
    Queue queue = join(place, now);
    queue.out |= !queue.tenant.byPass.contains(queue);
    place.parked = true;
  }

  private Queue join(Place place, long now) {
    Tenant tenant = tenants.computeIfAbsent(place.lane.tenant(), t -> new Tenant());
    Queue queue = tenant.queues.computeIfAbsent(place.lane.queue(), q -> newcomer(tenant));
    queue.line(place.priority, now).members++;
    queue.places++;
    place.queue = queue;
    return queue;
  }

  private void enter(Queue queue) {
    if (queue.out && !queue.sated) {
      // What it could not take when it was its turn, it does not get later.
      queue.pass = Math.max(queue.pass, queue.tenant.pass);
    }
    queue.out = false;
    queue.tenant.byPass.add(queue);
    line.add(queue.tenant);
  }

  private Queue newcomer(Tenant tenant) {
    Queue queue = new Queue(tenant, ++numbers);
    queue.pass = tenant.pass;
    return queue;
  }

  /** Takes a place out that has no work; not within a round. */
  void remove(Place place) {
    Queue queue = place.queue;
    if (queue == null) {
      return;
    }
    place.queue = null;
    place.parked = false;
    Line of = queue.lines.get(place.priority);
    if (of != null) {
      of.places.remove(place);
      if (--of.members == 0) {
        queue.lines.remove(place.priority);
      }
    }
    if (--queue.places == 0) {
      Tenant tenant = queue.tenant;
      tenant.byPass.remove(queue);
      tenant.queues.remove(place.lane.queue());
      if (tenant.queues.isEmpty()) {
        tenants.remove(place.lane.tenant());
        line.remove(tenant);
      }
    }
  }

  /** The place whose turn it is, null when nobody is left in this round. */
  @Nullable
  Place next(long now) {
    while (!line.isEmpty()) {
      Tenant tenant = line.iterator().next();
      if (Double.isNaN(tenant.first) && !tenant.byPass.isEmpty()) {
        tenant.first = tenant.byPass.first().pass;
        visited.add(tenant);
      }
      while (!tenant.byPass.isEmpty()) {
        Queue queue = tenant.byPass.first();
        Place place = queue.next(now);
        if (place != null) {
          return place;
        }
        tenant.byPass.remove(queue);
        queue.out = true;
      }
      line.remove(tenant);
    }
    return null;
  }

  /** True when no queue of its tenant, were it free to run, would go before that of this place. */
  boolean isFirst(Place place) {
    Queue queue = place.queue;
    return queue != null && queue.pass <= queue.tenant.first;
  }

  /** Notes that it was this place's turn, for so many units. */
  void served(Place place, int units, long now) {
    Queue queue = place.queue;
    if (queue == null) {
      return;
    }
    Line of = queue.line(place.priority, now);
    if (place.charged == 0) {
      place.waitedSince = of.since;
    }
    place.charged += units;
    of.since = now;
    of.places.remove(place);
    of.places.add(place);
    Tenant tenant = queue.tenant;
    tenant.byPass.remove(queue);
    tenant.pass = Math.max(tenant.pass, queue.pass);
    queue.pass += (double) units / weight.applyAsInt(place.lane);
    tenant.byPass.add(queue);
    line.remove(tenant);
    line.add(tenant);
  }

  /**
   * Counts what a turn brought after all, once the round has ended: a limit that several share may have
   * given it all to others, and then it is those who got it that have had their turn.
   */
  void settle(Place place, int got) {
    int unused = place.charged - got;
    place.charged = 0;
    Queue queue = place.queue;
    if (queue == null) {
      return;
    }
    Tenant tenant = queue.tenant;
    boolean inLine = tenant.byPass.remove(queue);
    queue.pass -= (double) unused / weight.applyAsInt(place.lane);
    if (inLine) {
      tenant.byPass.add(queue);
    }
    Line of = place.parked ? null : queue.lines.get(place.priority);
    if (got > 0 && line.remove(tenant)) {
      line.add(tenant);
    }
    if (of != null && got > 0) {
      of.places.remove(place);
      of.places.add(place);
    } else if (of != null && unused > 0) {
      of.since = Math.min(of.since, place.waitedSince);
      // It is its turn still: a costly job is served only if the others let its tokens gather.
      of.places.addFirst(place);
    }
  }

  /** Leaves a place out for the rest of the round: it may not run, or it is sated and has enough. */
  void passOver(Place place, boolean sated) {
    Queue queue = place.queue;
    if (queue != null) {
      queue.sated |= sated;
      queue.line(place.priority, 0).places.remove(place);
      passed.add(place);
      if (!sated) {
        count(queue);
      }
    }
  }

  /** Takes a place out of the line that may not run, until it is let in again. */
  void park(Place place) {
    Queue queue = place.queue;
    if (queue != null) {
      queue.line(place.priority, 0).places.remove(place);
      place.parked = true;
      count(queue);
    }
  }

  /** Lets a place in again that was parked, behind the others; not within a round. */
  void unpark(Place place) {
    place.parked = false;
    readmit(place);
  }

  /** Leaves a whole queue out for the rest of the round: none of it is wanted now. */
  void passOver(Queue queue) {
    queue.sated = true;
    leaveOut(queue);
    count(queue);
  }

  private void leaveOut(Queue queue) {
    queue.tenant.byPass.remove(queue);
    queue.out = true;
    leftOut.add(queue);
  }

  private void count(Queue queue) {
    Tenant tenant = queue.tenant;
    if (queue.passed++ == 0) {
      counted.add(queue);
    }
    if (queue.passed >= PASSED_OF_QUEUE) {
      complete = false;
      // It keeps its claim: what of it may run has not been seen yet.
      queue.sated = true;
      leaveOut(queue);
    }
    if (++tenant.passed >= PASSED_OF_TENANT) {
      complete = false;
      line.remove(tenant);
      cutShort.add(tenant);
    }
  }

  /** Ends the round: those passed over are in line again, behind the others. True when it came to all. */
  boolean endRound() {
    passed.forEach(this::readmit);
    leftOut.forEach(this::enter);
    line.addAll(cutShort);
    for (Place place : passed) {
      if (place.queue != null) {
        place.queue.sated = false;
      }
    }
    for (Queue queue : counted) {
      queue.passed = 0;
      queue.sated = false;
    }
    for (Tenant tenant : visited) {
      tenant.first = Double.NaN;
      tenant.passed = 0;
    }
    passed.clear();
    leftOut.clear();
    cutShort.clear();
    counted.clear();
    visited.clear();
    boolean all = complete;
    complete = true;
    return all;
  }

  /** Lets these in again that were passed over, in the same round. */
  void readmit(List<Place> places) {
    passed.removeAll(new HashSet<>(places));
    places.forEach(this::readmit);
  }

  private void readmit(Place place) {
    Queue queue = place.queue;
    if (queue != null) {
      queue.line(place.priority, 0).places.add(place);
      enter(queue);
    }
  }
}
