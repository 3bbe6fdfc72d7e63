package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import io.sluice.memory.MemoryStore;
import io.sluice.store.ForwardingStore;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneView;
import io.sluice.store.Look;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is known of the lanes after one look and another. */
class LaneBookTest {
  private final Turns turns = new Turns(lane -> 1);
  private final Map<Lane, Object> holders = new HashMap<>();
  private final LaneBook book = new LaneBook(
      turns, lane -> !lane.type().startsWith("nobody"), place -> holders.get(place.lane));
  private long time;
  private long lookTakes;
  private final NavigableMap<Integer, LaneHead> ready = new TreeMap<>();
  private final List<Look> looks = new ArrayList<>();

  private final ForwardingStore store = new ForwardingStore(MemoryStore.create()) {
    @Override
    public LaneView look(Look look) {
      looks.add(look);
      time += lookTakes;
      var after = ready.tailMap(look.after(), false);
      List<LaneHead> window = after.values().stream().limit(look.max()).toList();
      int upTo = look.max() == 0
          ? look.after()
          : window.size() == after.size() ? LaneView.END : window.getLast().laneId();
      Stream<LaneHead> also = look.also().stream()
          .filter(lane -> lane <= look.after() || lane > upTo)
          .flatMap(lane -> Stream.ofNullable(ready.get(lane)));
      return new LaneView(Stream.concat(window.stream(), also).toList(), upTo);
    }
  };

  private void look() {
    book.look(store, () -> time);
  }

  private void fill(int from, int to) {
    for (int lane = from; lane <= to; lane++) {
      fill(lane, Lane.of("t", "q", "type" + lane));
    }
  }

  private void fill(int id, Lane lane) {
    ready.put(id, new LaneHead(id, lane, 10, new UUID(0, id)));
  }

  private Set<Integer> known() {
    Set<Integer> known = new HashSet<>();
    for (Place place = turns.next(0); place != null; place = turns.next(0)) {
      known.add(place.laneId);
      turns.passOver(place, true);
    }
    turns.endRound();
    return known;
  }

  private Place place(int lane) {
    for (Place place = turns.next(0); place != null; place = turns.next(0)) {
      if (place.laneId == lane) {
        turns.endRound();
        return place;
      }
      turns.passOver(place, true);
    }
    throw new AssertionError("lane " + lane + " is not known");
  }

  @Test
  void fewLanes_areAsNewAsTheLastLook() {
    fill(1, 5);
    look();
    assertThat(known()).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
    assertThat(book.untilLook(time)).as("all is seen").isPositive();
    ready.remove(3);
    fill(9, 9);
    look();
    assertThat(known()).containsExactlyInAnyOrder(1, 2, 4, 5, 9);
  }

  @Test
  void manyLanes_areKnownAfterARound_andEachLookIsAWindow() {
    int all = 3 * LaneBook.WINDOW + 10;
    fill(1, all);
    for (int look = 1; look <= 4; look++) {
      look();
      assertThat(book.untilLook(time).isPositive()).as("all is seen").isEqualTo(look == 4);
    }
    assertThat(known()).hasSize(all);
    assertThat(looks).extracting(Look::max).containsOnly(LaneBook.WINDOW);
    ready.clear();
    fill(7, 7);
    look();
    assertThat(known()).containsExactly(7);
  }

  @Test
  void laneThatRanEmpty_isLookedAtEveryTime_whereverTheWindowIs() {
    fill(1, 3 * LaneBook.WINDOW);
    look();
    book.emptied(place(5));
    ready.remove(5);
    look();
    assertThat(known()).doesNotContain(5);
    fill(5, 5);
    look();
    assertThat(looks.getLast().after()).isGreaterThan(5);
    assertThat(known()).contains(5);
  }

  private void lookAtAll() {
    do {
      look();
    } while (book.untilLook(time).isZero());
  }

  @Test
  void lanesThatCanNeverRunHere_areNotKept() {
    fill(1, Lane.of("t", "q", "nobody.1"));
    fill(2, Lane.of("t", "q", "known"));
    look();
    assertThat(known()).containsExactly(2);
  }

  @Test
  void windowsThatBringNothingNew_takeATenthOfTheTime() {
    fill(1, 10 * LaneBook.WINDOW);
    lookTakes = 1_000;
    lookAtAll();
    assertThat(looks).as("at full speed, until all lanes are known").hasSize(10);
    time += 100_000;
    looks.clear();
    for (int round = 0; round < 1_000; round++) {
      look();
      time += 100;
    }
    assertThat(looks).hasSizeBetween(9, 21).allMatch(look -> look.max() == LaneBook.WINDOW);
  }

  @Test
  void laneInWhichWorkCameIn_isLookedAtAtOnce_andAlone_whileNoWindowIsDue() {
    fill(1, 10 * LaneBook.WINDOW);
    lookTakes = 1_000;
    lookAtAll();
    look();
    looks.clear();
    Lane lane = Lane.of("quiet", "q", "known");
    fill(5_000, lane);
    book.arrived(Map.of(5_000, lane, 5_001, Lane.of("crowd", "q", "nobody")));
    assertThat(book.untilLook(time)).isZero();
    look();
    assertThat(looks).containsExactly(new Look(looks.getFirst().after(), 0, Set.of(5_000)));
    assertThat(known()).contains(5_000).hasSize(10 * LaneBook.WINDOW + 1);
  }

  @Test
  void heldLanes_areInNoLine_untilNothingHoldsThem() {
    fill(1, 5);
    for (int lane = 1; lane <= 4; lane++) {
      holders.put(ready.get(lane).lane(), "a paused queue");
    }
    look();
    assertThat(known()).containsExactly(5);
    book.free(place -> holders.get(place.lane));
    assertThat(known()).containsExactly(5);
    holders.clear();
    book.free(place -> holders.get(place.lane));
    assertThat(known()).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
  }

  @Test
  void heldLaneThatIsEmpty_doesNotComeBack() {
    fill(1, 2);
    holders.put(ready.get(1).lane(), "a limit");
    look();
    ready.remove(1);
    look();
    holders.clear();
    book.free(place -> null);
    assertThat(known()).containsExactly(2);
  }
}
