package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import io.sluice.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * Tenants with any number of queues and lanes, of which now these and now those may not run: a tenant that has work that
 * may run waits no longer than until each of the others had its turn once.
 */
class FairnessProperties {
  /** A limit that was used up is asked again after this many. */
  private static final int ROUNDS_OF_A_POLL = 101;

  /** What comes and goes. */
  enum Hold {
    PAUSE,
    TENANT,
    GROUP,
    BREAKER,
    LIMIT,
    KEYS
  }

  /** A tenant with as many queues and, in each, as many lanes; some of other types than are handled. */
  record Shape(int queues, int lanes, int unhandled) {}

  /** After this many rounds, this begins or ends for a tenant. */
  record Change(int rounds, int tenant, Hold hold, boolean begins) {}

  /** One course of events. */
  record Course(List<Shape> tenants, List<Change> changes, int room) {}

  @Provide
  Arbitrary<Course> courses() {
    Arbitrary<Integer> lanes = Arbitraries.frequencyOf(
        Tuple.of(3, Arbitraries.integers().between(1, 4)),
        Tuple.of(1, Arbitraries.integers().between(200, 900)));
    Arbitrary<Integer> unhandled = Arbitraries.frequencyOf(
        Tuple.of(3, Arbitraries.just(0)), Tuple.of(1, Arbitraries.integers().between(500, 1_500)));
    Arbitrary<Shape> shapes = Combinators.combine(
            Arbitraries.integers().between(1, 3), lanes, unhandled)
        .as(Shape::new);
    Arbitrary<Change> changes = Combinators.combine(
            Arbitraries.integers().between(0, 15),
            Arbitraries.integers().between(0, 11),
            Arbitraries.of(Hold.class),
            Arbitraries.frequency(Tuple.of(2, true), Tuple.of(1, false)))
        .as(Change::new);
    return Combinators.combine(
            shapes.list().ofMinSize(2).ofMaxSize(12),
            changes.list().ofMaxSize(20),
            Arbitraries.integers().between(1, 30))
        .as(Course::new);
  }

  @Property(tries = 40)
  void tenantThatMayRun_isServedAfterEachOtherHadItsTurnOnce(@ForAll("courses") Course course) {
    try (GateRig rig = new GateRig()) {
      Waits waits = new Waits(course, rig);
      waits.begin();
      for (Change change : course.changes) {
        waits.rounds(change.rounds);
        waits.apply(change);
      }
      waits.rounds(30);
    }
  }

  /** Counts for how many rounds each tenant has waited that might have run all that time. */
  private static final class Waits {
    private final Course course;
    private final GateRig rig;
    private final Map<Integer, Set<Hold>> held = new HashMap<>();
    private final Map<Integer, Integer> waited = new HashMap<>();
    /** Until which round a limit of a tenant may still be taken for used up. */
    private final Map<Integer, Integer> limitedUntil = new HashMap<>();

    private int round;

    Waits(Course course, GateRig rig) {
      this.course = course;
      this.rig = rig;
    }

    private String name(int tenant) {
      return "t" + tenant;
    }

    void begin() {
      List<Lane> lanes = new ArrayList<>();
      for (int t = 0; t < course.tenants.size(); t++) {
        Shape shape = course.tenants.get(t);
        for (int q = 0; q < shape.queues; q++) {
          for (int i = 0; i < shape.lanes; i++) {
            lanes.add(new Lane(name(t), "q" + q, GateRig.TYPE, "g" + t, "key-" + i));
          }
        }
        for (int i = 0; i < shape.unhandled; i++) {
          lanes.add(Lane.of(name(t), "q0", "nobody." + i));
        }
        held.put(t, new HashSet<>());
      }
      lanes.forEach(rig::add);
      rig.lookAtAll();
    }

    void apply(Change change) {
      int tenant = change.tenant % course.tenants.size();
      Set<Hold> holds = held.getOrDefault(tenant, new HashSet<>());
      String name = name(tenant);
      switch (change.hold) {
        case PAUSE -> {
          for (int q = 0; q < course.tenants.get(tenant).queues; q++) {
            rig.pause(name, "q" + q, change.begins);
          }
        }
        case TENANT -> set(rig.heldTenants, name, change.begins);
        case GROUP -> set(rig.heldGroups, "g" + tenant, change.begins);
        case BREAKER -> set(rig.openBreakers, "g" + tenant, change.begins);
        case LIMIT -> set(rig.usedUp, Scope.tenant(name), change.begins);
        case KEYS -> set(rig.usedUp, Scope.key(name, "*"), change.begins);
      }
      set(holds, change.hold, change.begins);
      if (change.hold == Hold.LIMIT || change.hold == Hold.KEYS) {
        limitedUntil.put(tenant, change.begins ? Integer.MAX_VALUE : round + ROUNDS_OF_A_POLL);
      }
      waited.remove(tenant);
    }

    private static <T> void set(Set<T> among, T what, boolean in) {
      if (in) {
        among.add(what);
      } else {
        among.remove(what);
      }
    }

    void rounds(int rounds) {
      for (int i = 0; i < rounds; i++) {
        Set<String> served = rig.round(course.room).keySet();
        round++;
        for (int tenant = 0; tenant < course.tenants.size(); tenant++) {
          if (mayRun(tenant) && !served.contains(name(tenant))) {
            assertThat(waited.merge(tenant, 1, Integer::sum))
                .as("rounds that tenant %d of %s waited", tenant, course.tenants)
                .isLessThanOrEqualTo(share());
          } else {
            waited.remove(tenant);
          }
        }
      }
    }

    private boolean mayRun(int tenant) {
      return held.getOrDefault(tenant, Set.of()).isEmpty()
          && limitedUntil.getOrDefault(tenant, 0) < round;
    }

    /**
     * A round has room for a number of turns, of which each tenant has one before any has its second. What ceased
     * to run is put aside once, and groups of what is held are looked at in turn: each key that is used up
     * is one for a poll.
     */
    private int share() {
      int tenants = course.tenants.size();
      int turns = Math.ceilDiv(tenants, course.room);
      int passing = Math.ceilDiv(tenants * Turns.PASSED_OF_TENANT, Gate.MOST_PASSED) + 1;
      int groups = limitedUntil.isEmpty()
          ? 0
          : Math.ceilDiv(ROUNDS_OF_A_POLL * course.room, HeldPlaces.MOST_GROUPS);
      return turns + passing + groups;
    }
  }
}
