package io.sluice.engine;

import io.sluice.Breaker;
import io.sluice.BreakerState;
import io.sluice.Event;
import io.sluice.Lane;
import io.sluice.Scope;
import io.sluice.store.Breakers;
import io.sluice.store.Tally;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The breakers and holds that lanes are under, as of a moment ago: says how many jobs may be claimed, lets
 * each start or not, and sees what came of it. All that is written to the store and read from it is done
 * by one loop, which is woken when it matters.
 */
final class Circuits implements Valve {
  private static final Logger LOG = LoggerFactory.getLogger(Circuits.class);
  private static final long COUNT = Duration.ofSeconds(1).toNanos();
  private static final Duration KEPT = Duration.ofHours(1);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);

  /**
   * What is around the circuits: how many jobs of some lanes are in hand here, what has the loop run soon,
   * and who looks again when more or less may run.
   */
  record Around(ToIntFunction<Predicate<Lane>> inHand, Runnable wake, Runnable changed) {}

  private final Breakers breakers;
  private final Tools tools;
  private final Events events;
  private final Duration poll;
  private final Around around;
  private final UUID instance;
  private final Map<Scope, Circuit> circuits = new ConcurrentHashMap<>();
  private final LaneHolds lanes = new LaneHolds();
  private long countedAt;

  Circuits(Breakers breakers, Tools tools, Events events, Duration poll, Around around) {
    this.breakers = breakers;
    this.tools = tools;
    this.events = events;
    this.poll = poll;
    this.around = around;
    this.instance = new UUID(tools.random().nextLong(), tools.random().nextLong());
    this.countedAt = now() - COUNT;
  }

  private long now() {
    return tools.nanoTime().getAsLong();
  }

  // ---- what may run

  @Override
  public int room(Lane lane) {
    int room = roomOfLane(lane);
    for (Circuit circuit : of(lane)) {
      long now = now();
      int inHand = circuit.isSlow(now) ? around.inHand.applyAsInt(circuit.scope::covers) : 0;
      room = Math.min(room, circuit.room(now, inHand));
      if (circuit.probesWanted() > 0) {
        around.wake.run();
      }
    }
    return room;
  }

  private int roomOfLane(Lane lane) {
    long now = now();
    int inFlight = lanes.isSlow(lane, now) ? around.inHand.applyAsInt(lane::equals) : 0;
    return lanes.room(lane, now, inFlight);
  }

  /** How much longer the receiver of a lane is left alone by this instance, if it asked for that. */
  Optional<Duration> leftAlone(Lane lane) {
    return lanes.leftAlone(lane, now());
  }

  @Override
  public void claimed(Lane lane, int asked, int got) {
    if (got > 0) {
      return;
    }
    for (Circuit circuit : of(lane)) {
      // What another lane of the scope gave in the same claim may still be on its way to its start.
      if (circuit.hasProbes() && around.inHand.applyAsInt(circuit.scope::covers) == 0) {
        circuit.unclaimed();
        around.wake.run();
      }
    }
  }

  /** True when no job of a lane may start. */
  boolean isShut(Lane lane) {
    return lanes.isHeld(lane, now())
        || of(lane).stream().anyMatch(circuit -> circuit.isShut(now()));
  }

  /** Lets one job of a lane start, with the tickets that it ends by; empty when it may not. */
  Optional<List<Circuit.Ticket>> admit(Lane lane) {
    if (lanes.isHeld(lane, now())) {
      return Optional.empty();
    }
    List<Circuit> all = of(lane);
    if (all.isEmpty()) {
      return Optional.of(List.of());
    }
    List<Circuit.Ticket> tickets = new ArrayList<>();
    for (Circuit circuit : all) {
      Circuit.Ticket ticket = circuit.enter(now());
      if (ticket == null) {
        ended(lane, tickets, CallEnd.NOTHING);
        return Optional.empty();
      }
      tickets.add(ticket);
    }
    return Optional.of(tickets);
  }

  private List<Circuit> of(Lane lane) {
    if (circuits.isEmpty()) {
      return List.of();
    }
    List<Circuit> found = new ArrayList<>(2);
    add(circuits.get(Scope.type(lane.tenant(), lane.type())), found);
    if (lane.hasGroup()) {
      add(circuits.get(Scope.urlGroup(lane.tenant(), lane.groupName())), found);
    }
    return found;
  }

  private static void add(@Nullable Circuit circuit, List<Circuit> to) {
    if (circuit != null) {
      to.add(circuit);
    }
  }

  // ---- what came of it

  /** Sees the end of a job that started with these tickets. */
  void ended(Lane lane, List<Circuit.Ticket> tickets, CallEnd end) {
    boolean urgent = pushedBack(lane, end);
    for (Circuit.Ticket ticket : tickets) {
      urgent |= ticket.circuit().ended(ticket, end, now());
    }
    if (urgent) {
      around.wake.run();
    }
  }

  /** Sees the end of a job that a remote worker had, wherever it got it. */
  void endedElsewhere(Lane lane, CallEnd end) {
    boolean urgent = pushedBack(lane, end);
    for (Circuit circuit : of(lane)) {
      urgent |= circuit.endedElsewhere(end, now());
    }
    if (urgent) {
      around.wake.run();
    }
  }

  /** Holds the lane, and its group, where the receiver asked for it often enough. */
  private boolean pushedBack(Lane lane, CallEnd end) {
    LaneHolds.PushbackEffect seen = lanes.ended(lane, end, now());
    if (seen.held()) {
      LOG.info(
          "a lane of url-group:{} of tenant {} (queue {}, type {}) is held for {}: its receiver asked"
              + " for that again and again",
          lane.groupName(),
          lane.tenant(),
          lane.queue(),
          lane.type(),
          leftAlone(lane).map(Words::span).orElse("a moment"));
    }
    if (!seen.group().isPositive()) {
      return seen.held();
    }
    Scope scope = Scope.urlGroup(lane.tenant(), lane.groupName());
    Circuit circuit = circuits.computeIfAbsent(scope, Circuit::new);
    return circuit.hold(seen.group(), now()) || seen.held();
  }

  // ---- the store

  Duration runOnce() {
    boolean changed = lanes.takeHeld();
    for (Circuit circuit : circuits.values()) {
      changed |= write(circuit);
    }
    changed |= count();
    changed |= look();
    long now = now();
    long pause = poll.toNanos();
    for (Circuit circuit : circuits.values()) {
      changed |= circuit.hasChanged(now);
      pause = circuit.move().isPresent() ? 0 : Math.min(pause, circuit.nanosToChange(now));
    }
    changed |= lanes.hasChanged(now);
    pause = Math.min(pause, lanes.nanosToChange(now));
    if (changed) {
      around.changed.run();
    }
    Duration rest = Duration.ofNanos(pause);
    return rest.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : rest;
  }

  /** Writes what a circuit wants written; true when more or less may run for it. */
  private boolean write(Circuit circuit) {
    Scope scope = circuit.scope;
    Duration hold = circuit.holdWanted();
    if (hold.isPositive()) {
      breakers.hold(scope, hold);
      circuit.holdWritten(hold);
      LOG.info("{} of tenant {} is held for {}", scope.key(), scope.tenant(), Words.span(hold));
    }
    Optional<Circuit.Move> move = circuit.move();
    move.ifPresent(m -> breakers.move(scope, m.version(), m.to()));
    if (move.isEmpty()) {
      circuit.report(now()).ifPresent(report -> {
        breakers.probed(scope, report.version(), report.passed(), report.unused());
        circuit.reported(report);
      });
    }
    int wanted = circuit.probesWanted();
    if (wanted > 0) {
      circuit.granted(breakers.probe(scope, wanted), now());
    }
    return hold.isPositive() || move.isPresent() || wanted > 0;
  }

  /** Puts down what was counted here, once a second, and hears what others have. */
  private boolean count() {
    long now = now();
    if (now - countedAt < COUNT) {
      return false;
    }
    List<Tally> own =
        circuits.values().stream().flatMap(c -> c.tally(now).stream()).toList();
    if (own.isEmpty()) {
      return false;
    }
    countedAt = now;
    boolean tripped = false;
    Map<Scope, Tally> mine = new HashMap<>();
    own.forEach(tally -> mine.put(tally.scope(), tally));
    for (Tally theirs : breakers.count(instance, own)) {
      Circuit circuit = circuits.get(theirs.scope());
      Tally written = mine.get(theirs.scope());
      if (circuit != null && written != null) {
        tripped |= circuit.tallied(written.calls(), theirs, now);
      }
    }
    return tripped;
  }

  /** Takes over how all breakers are now; true when one is another than before. */
  boolean look() {
    boolean changed = false;
    Set<Scope> there = new HashSet<>();
    for (Breaker fresh : breakers.list(null)) {
      there.add(fresh.scope());
      if (isSpent(fresh)) {
        breakers.delete(fresh.scope());
      }
      Circuit circuit = circuits.computeIfAbsent(fresh.scope(), Circuit::new);
      Optional<String> reason = circuit.reason();
      Optional<Breaker> before = circuit.see(fresh, now());
      changed |= before.map(b -> differs(b, fresh)).orElse(true);
      if (isReset(before, fresh)) {
        lanes.release(fresh.scope());
      }
      before.filter(b -> b.state() != fresh.state()).ifPresent(b -> tell(b.state(), fresh, reason));
    }
    changed |= circuits
        .values()
        .removeIf(
            circuit -> !there.contains(circuit.scope) && !circuit.holdWanted().isPositive());
    return changed;
  }

  /** True when it was closed since it was last seen. */
  private static boolean isReset(Optional<Breaker> before, Breaker fresh) {
    return fresh.scope().kind() == Scope.Kind.URL_GROUP
        && fresh.state() == BreakerState.CLOSED
        && !fresh.heldFor().isPositive()
        && before.filter(b -> b.version() != fresh.version()).isPresent();
  }

  /** What is left of a hold that is long over, and of settings that were taken away. */
  private static boolean isSpent(Breaker breaker) {
    Instant before = breaker.asOf().minus(KEPT);
    Instant held = breaker.heldUntil();
    return breaker.settings() == null
        && breaker.state() == BreakerState.CLOSED
        && breaker.changedAt().isBefore(before)
        && (held == null || held.isBefore(before));
  }

  private static boolean differs(Breaker before, Breaker fresh) {
    return before.version() != fresh.version()
        || before.probes().granted() > fresh.probes().granted()
        || !Objects.equals(before.heldUntil(), fresh.heldUntil())
        || !Objects.equals(before.settings(), fresh.settings());
  }

  private void tell(BreakerState from, Breaker to, Optional<String> ownReason) {
    Scope scope = to.scope();
    String reason = ownReason.orElseGet(() -> reason(from, to.state()));
    boolean holds = to.state() == BreakerState.OPEN || to.state() == BreakerState.FORCED_OPEN;
    LOG.atLevel(holds ? Level.WARN : Level.INFO)
        .log(
            "the breaker on {} of tenant {} is {}, was {}: {}",
            scope.key(),
            scope.tenant(),
            to.state(),
            from,
            reason);
    events.tell(new Event.BreakerChanged(tools.clock().instant(), scope, from, to.state(), reason));
  }

  private static String reason(BreakerState from, BreakerState to) {
    return switch (to) {
      case OPEN -> from == BreakerState.HALF_OPEN ? "a probe failed" : "too many calls failed";
      case HALF_OPEN -> "its time is over and some jobs may try";
      case CLOSED -> from == BreakerState.HALF_OPEN ? "every probe was well" : "it was reset";
      case FORCED_OPEN -> "it was opened by hand";
    };
  }
}
