package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import io.sluice.store.LaneHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Whose turn it is among tenants, queues, priorities and lanes. */
class TurnsTest {
  private final Map<String, Integer> weights = new TreeMap<>();
  private final Turns turns = new Turns(lane -> weights.getOrDefault(lane.queue(), 1));
  private long now;
  private int lanes;

  private Place place(String tenant, String queue, String key, int priority) {
    Lane lane = new Lane(tenant, queue, "x", "", key);
    Place place = new Place(new LaneHead(++lanes, lane, priority, new UUID(0, lanes)));
    turns.add(place, now);
    return place;
  }

  private Place turn() {
    Place place = turns.next(now);
    assertThat(place).as("somebody in line").isNotNull();
    turns.served(place, 1, now);
    return place;
  }

  private Map<String, Integer> count(int served, Function<Place, String> by) {
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < served; i++) {
      counts.merge(by.apply(turn()), 1, Integer::sum);
    }
    return counts;
  }

  @Test
  void tenantsTakeTurns_howeverManyQueuesAndLanesTheyHave() {
    for (int i = 0; i < 50; i++) {
      place("many", "q" + i % 5, "k" + i, 10);
    }
    place("few", "q", "", 10);
    place("urgent", "q", "", 0);
    assertThat(count(300, p -> p.lane.tenant()))
        .isEqualTo(Map.of("many", 100, "few", 100, "urgent", 100));
  }

  @Test
  void queuesOfATenant_getTheirWeight_overRoundsOfOneUnit() {
    weights.put("heavy", 18);
    weights.put("light", 2);
    place("t", "heavy", "", 10);
    place("t", "light", "", 10);
    Map<String, Integer> served = new TreeMap<>();
    for (int i = 0; i < 1000; i++) {
      served.merge(turn().lane.queue(), 1, Integer::sum);
      turns.endRound();
    }
    assertThat(served).isEqualTo(Map.of("heavy", 900, "light", 100));
  }

  /** It may want more than there is as yet, which must gather for it. */
  @Test
  void laneThatGotNothing_staysAtTheHeadOfItsLine() {
    Place costly = place("t", "q", "costly", 10);
    Place cheap = place("t", "q", "cheap", 10);
    for (int round = 0; round < 3; round++) {
      assertThat(List.of(turn(), turn(), turn())).containsExactly(costly, cheap, costly);
      turns.endRound();
      turns.settle(cheap, 0);
      turns.settle(costly, 0);
    }
    turn();
    turns.endRound();
    turns.settle(costly, 1);
    assertThat(turn()).isSameAs(cheap);
  }

  @Test
  void equalLanesOfAQueue_takeTurns() {
    for (String key : List.of("a", "b", "c")) {
      place("t", "q", key, 10);
    }
    List<String> order = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      order.add(turn().lane.limitKey());
    }
    assertThat(order).containsExactly("a", "b", "c", "a", "b", "c");
  }

  @Test
  void urgentPriority_goesFirst_andTheOtherComesLateButComes() {
    place("t", "q", "urgent", 5);
    place("t", "q", "low", 15);
    assertThat(count(1000, p -> p.lane.limitKey())).isEqualTo(Map.of("urgent", 1000));
    int low = 0;
    for (int second = 0; second < 100; second++) {
      now += Duration.ofSeconds(1).toNanos();
      low += count(10, p -> p.lane.limitKey()).getOrDefault("low", 0);
    }
    assertThat(low).as("about once in the ten seconds of ten priorities").isBetween(8, 10);
  }

  @Test
  void newcomer_hasNoClaimToWhatWasBefore() {
    place("t", "old", "", 10);
    count(1000, p -> p.lane.queue());
    place("t", "new", "", 10);
    assertThat(count(100, p -> p.lane.queue())).isEqualTo(Map.of("new", 50, "old", 50));
  }

  @Test
  void whoIsPassedOver_isOutUntilTheRoundEnds_andLosesNoTurnByIt() {
    Place held = place("t", "q", "held", 10);
    place("t", "q", "free", 10);
    turns.passOver(held, false);
    assertThat(count(5, p -> p.lane.limitKey())).isEqualTo(Map.of("free", 5));
    turns.endRound();
    assertThat(count(4, p -> p.lane.limitKey())).isEqualTo(Map.of("free", 2, "held", 2));
  }

  @Test
  void nobodyIsLeft_whenAllArePassedOver_andAllAreBackInTheNextRound() {
    List<Place> places =
        List.of(place("a", "q", "", 10), place("b", "q", "", 10), place("b", "r", "", 3));
    for (Place place : places) {
      assertThat(turns.next(now)).isNotNull();
      turns.passOver(place, false);
    }
    assertThat(turns.next(now)).isNull();
    turns.readmit(List.of(places.getFirst()));
    assertThat(turns.next(now)).isSameAs(places.getFirst());
    turns.endRound();
    assertThat(count(4, p -> p.lane.tenant())).isEqualTo(Map.of("a", 2, "b", 2));
  }

  @Test
  void emptiedPlaces_leaveNothingBehind() {
    List<Place> places = List.of(place("a", "q", "", 10), place("a", "q", "", 3));
    places.forEach(turns::remove);
    places.forEach(turns::remove);
    assertThat(turns.next(now)).isNull();
    place("a", "q", "again", 10);
    assertThat(turn().lane.limitKey()).isEqualTo("again");
  }

  @Test
  void tenantOfWhichManyArePassedOver_givesWay_andGoesLastInTheNextRound() {
    for (int i = 0; i < 3 * Turns.PASSED_OF_TENANT; i++) {
      place("crowd", "q" + i % 10, "k" + i, 10);
    }
    place("other", "q", "", 10);
    for (int i = 0; i < Turns.PASSED_OF_TENANT; i++) {
      Place next = turns.next(now);
      assertThat(next.lane.tenant()).isEqualTo("crowd");
      turns.passOver(next, false);
    }
    assertThat(turn().lane.tenant()).isEqualTo("other");
    assertThat(turns.endRound()).as("it came to all").isFalse();
    assertThat(turns.next(now).lane.tenant()).isEqualTo("other");
    turns.endRound();
  }

  @Test
  void queueOfWhichManyArePassedOver_givesWayToTheNextOfItsTenant_andKeepsItsClaim() {
    for (int i = 0; i < 2 * Turns.PASSED_OF_QUEUE; i++) {
      place("t", "crowd", "k" + i, 10);
    }
    Place free = place("t", "free", "", 10);
    for (int i = 0; i < Turns.PASSED_OF_QUEUE; i++) {
      turns.passOver(turns.next(now), false);
    }
    assertThat(turn()).isSameAs(free);
    assertThat(turns.endRound()).isFalse();
    assertThat(turn().lane.queue()).isEqualTo("crowd");
  }

  @Test
  void parkedPlace_isInNoRound_untilItIsLetIn_andItsPriorityAgesMeanwhile() {
    Place parked = place("t", "q", "parked", 15);
    Place other = place("t", "q", "other", 5);
    turns.park(parked);
    assertThat(turns.endRound()).isTrue();
    assertThat(count(5, p -> p.lane.limitKey())).isEqualTo(Map.of("other", 5));
    now += Duration.ofSeconds(11).toNanos();
    turns.settle(parked, 0);
    assertThat(turn()).isSameAs(other);
    turns.unpark(parked);
    assertThat(turn()).as("it has waited for eleven seconds").isSameAs(parked);
  }

  @Test
  void queueThatWasParked_hasNoClaimToWhatWasBefore() {
    Place parked = place("t", "parked", "", 10);
    Place late = new Place(new LaneHead(99, Lane.of("t", "late", "x"), 10, new UUID(0, 99)));
    place("t", "old", "", 10);
    turns.park(parked);
    turns.addParked(late, now);
    assertThat(count(1000, p -> p.lane.queue())).isEqualTo(Map.of("old", 1000));
    turns.endRound();
    turns.unpark(parked);
    turns.unpark(late);
    Map<String, Integer> served = count(99, p -> p.lane.queue());
    assertThat(served.values()).hasSize(3).allMatch(n -> n >= 32);
  }

  @Test
  void parkedPlaces_leaveNothingBehind() {
    Place parked = place("a", "q", "", 10);
    turns.park(parked);
    turns.endRound();
    turns.remove(parked);
    turns.remove(parked);
    assertThat(turns.next(now)).isNull();
    Place again = place("a", "q", "again", 10);
    assertThat(turn()).isSameAs(again);
  }

  @Test
  void queueThatIsLeftOut_isBackInTheNextRound_atItsTurn() {
    Place full = place("t", "full", "", 10);
    place("t", "open", "", 10);
    turns.passOver(full.queue);
    assertThat(count(3, p -> p.lane.queue())).isEqualTo(Map.of("open", 3));
    assertThat(turns.endRound()).isTrue();
    assertThat(count(3, p -> p.lane.queue())).isEqualTo(Map.of("full", 3));
  }
}
