package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.sluice.Lane;
import io.sluice.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Lanes of which nothing may run, however many, take no turn of anybody else. */
@Tag("slow")
class UnrunnableLanesTest {
  private static final int TENANTS = 20;
  private static final int FEW = 2 * Gate.MOST_PASSED;
  private static final int MANY = 10_000;
  private static final String CROWD = "crowd";

  /** Why the lanes of the crowd may not run, and how each of them looks. */
  enum Reason {
    NO_HANDLER {
      @Override
      Lane lane(int i) {
        return Lane.of(CROWD, "q", "nobody." + i);
      }
    },
    PAUSED {
      @Override
      void set(GateRig rig, boolean holds) {
        rig.pause(CROWD, "q", holds);
      }
    },
    HELD_TENANT {
      @Override
      void set(GateRig rig, boolean holds) {
        set(rig.heldTenants, CROWD, holds);
      }
    },
    HELD_GROUP {
      @Override
      void set(GateRig rig, boolean holds) {
        set(rig.heldGroups, "receiver", holds);
      }
    },
    BREAKER {
      @Override
      void set(GateRig rig, boolean holds) {
        set(rig.openBreakers, "receiver", holds);
      }
    },
    LIMIT_OF_TENANT {
      @Override
      void set(GateRig rig, boolean holds) {
        set(rig.usedUp, Scope.tenant(CROWD), holds);
      }
    },
    LIMIT_OF_TYPE {
      @Override
      void set(GateRig rig, boolean holds) {
        set(rig.usedUp, Scope.type(CROWD, GateRig.TYPE), holds);
      }
    },
    LIMIT_OF_EACH_KEY {
      @Override
      void set(GateRig rig, boolean holds) {
        set(rig.usedUp, Scope.key(CROWD, "*"), holds);
      }
    },
    SLOTS_OF_TYPE {
      @Override
      Lane lane(int i) {
        return new Lane(CROWD, "q", GateRig.FULL_TYPE, "", "key-" + i);
      }
    },
    SLOTS_OF_QUEUE {
      @Override
      Lane lane(int i) {
        return new Lane(CROWD, GateRig.FULL_QUEUE, GateRig.TYPE, "", "key-" + i);
      }
    };

    Lane lane(int i) {
      return new Lane(CROWD, "q", GateRig.TYPE, "receiver", "key-" + i);
    }

    void set(GateRig rig, boolean holds) {}

    static <T> void set(Set<T> among, T what, boolean holds) {
      if (holds) {
        among.add(what);
      } else {
        among.remove(what);
      }
    }

    /** True when it can begin and end while the lanes have work. */
    boolean isPassing() {
      return this != NO_HANDLER && this != SLOTS_OF_TYPE && this != SLOTS_OF_QUEUE;
    }
  }

  private GateRig rig = new GateRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private Stream<DynamicTest> forEachPassing(Consumer<Reason> test) {
    return Arrays.stream(Reason.values())
        .filter(Reason::isPassing)
        .map(reason -> test(reason.name(), () -> test.accept(reason)));
  }

  private DynamicTest test(String name, Runnable body) {
    return dynamicTest(name, () -> {
      rig.close();
      rig = new GateRig();
      body.run();
    });
  }

  private void crowd(Reason reason, int lanes) {
    for (int i = 0; i < lanes; i++) {
      rig.add(reason.lane(i));
    }
  }

  /** A lane for each of the others, which one round has room for. */
  private Set<String> others() {
    Set<String> tenants = new HashSet<>();
    for (int i = 0; i < TENANTS; i++) {
      tenants.add(rig.add(Lane.of("other" + i, "q", GateRig.TYPE)).tenant());
    }
    return tenants;
  }

  @TestFactory
  Stream<DynamicTest> others_areServedInEveryRound_besideLanesThatMayNotRun() {
    return Arrays.stream(Reason.values())
        .flatMap(reason -> Stream.of(FEW, MANY)
            .map(lanes -> test(lanes + " " + reason, () -> others_areServed(reason, lanes))));
  }

  private void others_areServed(Reason reason, int lanes) {
    reason.set(rig, true);
    crowd(reason, lanes);
    Set<String> others = others();
    rig.lookAtAll();
    for (int round = 0; round < 20; round++) {
      assertThat(rig.round(2 * TENANTS).keySet()).as("round %d", round).containsAll(others);
    }
  }

  @TestFactory
  Stream<DynamicTest> others_areServedInEveryRound_whileLanesInLineCeaseToRun_andRunAgain() {
    return forEachPassing(this::others_areServed_whileLanesCeaseToRun);
  }

  private void others_areServed_whileLanesCeaseToRun(Reason reason) {
    crowd(reason, MANY);
    Set<String> others = others();
    rig.lookAtAll();
    assertThat(rig.round(2 * TENANTS))
        .containsKey(CROWD)
        .containsKeys(others.toArray(String[]::new));
    reason.set(rig, true);
    for (int round = 0; round < 50; round++) {
      assertThat(rig.round(2 * TENANTS).keySet()).containsAll(others);
    }
    reason.set(rig, false);
    Set<String> served = new HashSet<>();
    // A limit that was used up is asked again with the poll.
    for (int round = 0; round < 120; round++) {
      Set<String> now = rig.round(2 * TENANTS).keySet();
      assertThat(now).containsAll(others);
      served.addAll(now);
    }
    assertThat(served).contains(CROWD);
  }

  @Test
  void others_areServedInEveryRound_besideAMixtureOfReasons() {
    for (Reason reason : Reason.values()) {
      String queue = reason.name().toLowerCase(Locale.ROOT);
      for (int i = 0; i < 1_000; i++) {
        Lane lane = reason.lane(i);
        rig.add(new Lane(CROWD, queue, lane.type(), lane.urlGroup(), reason + "-" + i));
      }
      rig.pause(CROWD, queue, reason == Reason.PAUSED);
    }
    rig.heldGroups.add("receiver");
    rig.usedUp.add(Scope.tenant(CROWD));
    Set<String> others = others();
    rig.lookAtAll();
    for (int round = 0; round < 50; round++) {
      assertThat(rig.round(2 * TENANTS).keySet()).containsAll(others);
    }
  }

  @Test
  void everyTenant_isServed_besideManyTenantsOfWhichNothingMayRun() {
    int tenants = 30;
    for (int tenant = 0; tenant < tenants; tenant++) {
      for (int i = 0; i < 2 * Turns.PASSED_OF_QUEUE; i++) {
        rig.add(new Lane("crowd" + tenant, "q", GateRig.TYPE, "receiver", "key-" + i));
      }
    }
    Set<String> others = others();
    rig.lookAtAll();
    rig.openBreakers.add("receiver");
    Set<String> waiting = new HashSet<>(others);
    int mostRounds = tenants * Turns.PASSED_OF_QUEUE / Gate.MOST_PASSED + 1;
    for (int round = 0; round < mostRounds; round++) {
      waiting.removeAll(rig.round(2 * TENANTS).keySet());
    }
    assertThat(waiting).as("in the first %d rounds", mostRounds).isEmpty();
    for (int round = 0; round < 2 * mostRounds; round++) {
      rig.round(2 * TENANTS);
    }
    for (int round = 0; round < 5; round++) {
      assertThat(rig.round(2 * TENANTS).keySet()).containsAll(others);
    }
  }

  @Test
  void laneOfTheSameQueue_isServed_besideLanesThatMayNotRun() {
    rig.openBreakers.add("receiver");
    crowd(Reason.BREAKER, MANY);
    rig.add(new Lane(CROWD, "q", GateRig.TYPE, "", "free"));
    rig.lookAtAll();
    assertThat(rig.round(10)).containsEntry(CROWD, 10);
  }

  /** Every job that ends under a limit lets lanes go, of which one gets in. */
  @Test
  void laneOfTheSameQueue_isServed_besideALimitThatIsUsedUpTimeAndAgain() {
    crowd(Reason.LIMIT_OF_TYPE, MANY);
    rig.usedUp.add(Scope.type(CROWD, GateRig.TYPE));
    rig.add(new Lane(CROWD, "q", GateRig.OTHER_TYPE, "", "free"));
    rig.lookAtAll();
    rig.limitsNameNoTime = true;
    for (int round = 0; round < 400; round++) {
      rig.round(10);
    }
    int served = 0;
    for (int round = 0; round < 100; round++) {
      served += rig.round(10).isEmpty() ? 0 : 1;
    }
    assertThat(served).as("rounds of 100 in which it was served").isGreaterThan(40);
  }

  @TestFactory
  Stream<DynamicTest> roundCostsTheSame_howeverManyLanesMayNotRun() {
    return forEachPassing(this::roundCostsTheSame);
  }

  private void roundCostsTheSame(Reason reason) {
    reason.set(rig, true);
    crowd(reason, MANY);
    others();
    rig.lookAtAll();
    for (int round = 0; round < 200; round++) {
      rig.round(2 * TENANTS);
    }
    rig.asked = 0;
    rig.looks.clear();
    int rounds = 10;
    for (int round = 0; round < rounds; round++) {
      rig.round(2 * TENANTS);
    }
    assertThat(rig.asked / rounds).as("questions whether a lane is held").isLessThan(1_500);
    assertThat(rig.looks).hasSizeLessThanOrEqualTo(rounds);
  }

  @Test
  void laneInWhichWorkComesIn_isServedInTheNextRound_whereverTheWindowsAre() {
    crowd(Reason.NO_HANDLER, MANY);
    rig.lookAtAll();
    rig.round(10);
    List<String> late = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      rig.arrive(Lane.of("late" + i, "q", GateRig.TYPE));
      late.add("late" + i);
    }
    assertThat(rig.round(10)).containsKeys(late.toArray(String[]::new));
  }
}
