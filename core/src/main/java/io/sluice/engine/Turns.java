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
 * passed over stays out for the rest of the round. No step costs more for there being many in line.
 */
final class Turns {
  private static final double AGEING_NANOS = Duration.ofSeconds(1).toNanos();

  /** The lanes of a queue that have work of one priority, the next first. */
  private static final class Line {
    final LinkedHashSet<Place> places = new LinkedHashSet<>();
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
  }

  private final ToIntFunction<Lane> weight;
  private final Map<String, Tenant> tenants = new HashMap<>();
  private final Set<Tenant> line = new LinkedHashSet<>();
  private final List<Place> passed = new ArrayList<>();
  private final List<Tenant> visited = new ArrayList<>();
  private int numbers;

  Turns(ToIntFunction<Lane> weight) {
    this.weight = weight;
  }

  void add(Place place, long now) {
    Tenant tenant = tenants.computeIfAbsent(place.lane.tenant(), t -> new Tenant());
    Queue queue = tenant.queues.computeIfAbsent(place.lane.queue(), q -> newcomer(tenant));
    queue.line(place.priority, now).places.add(place);
    queue.places++;
    place.queue = queue;
    tenant.byPass.add(queue);
    line.add(tenant);
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
    Line of = queue.lines.get(place.priority);
    if (of != null) {
      of.places.remove(place);
      if (of.places.isEmpty()) {
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
    tenant.byPass.remove(queue);
    queue.pass -= (double) unused / weight.applyAsInt(place.lane);
    tenant.byPass.add(queue);
    Line of = queue.lines.get(place.priority);
    if (got > 0) {
      line.remove(tenant);
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
    }
  }

  /** Ends the round: those passed over are in line again, behind the others. */
  void endRound() {
    passed.forEach(this::readmit);
    for (Place place : passed) {
      if (place.queue != null) {
        place.queue.sated = false;
      }
    }
    passed.clear();
    visited.forEach(tenant -> tenant.first = Double.NaN);
    visited.clear();
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
      if (queue.out && !queue.sated) {
        // What it could not take when it was its turn, it does not get later.
        queue.pass = Math.max(queue.pass, queue.tenant.pass);
      }
      queue.out = false;
      queue.tenant.byPass.add(queue);
      line.add(queue.tenant);
    }
  }
}
