package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import io.sluice.memory.MemoryStore;
import io.sluice.store.ForwardingStore;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneView;
import io.sluice.store.Look;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is known of the lanes after one look and another. */
class LaneBookTest {
  private final Turns turns = new Turns(lane -> 1);
  private final LaneBook book = new LaneBook(turns);
  private final NavigableMap<Integer, LaneHead> ready = new TreeMap<>();
  private final List<Look> looks = new ArrayList<>();

  private final ForwardingStore store = new ForwardingStore(MemoryStore.create()) {
    @Override
    public LaneView look(Look look) {
      looks.add(look);
      var after = ready.tailMap(look.after(), false);
      List<LaneHead> window = after.values().stream().limit(look.max()).toList();
      int upTo = window.size() == after.size() ? LaneView.END : window.getLast().laneId();
      Stream<LaneHead> also = look.also().stream()
          .filter(lane -> lane <= look.after() || lane > upTo)
          .flatMap(lane -> Stream.ofNullable(ready.get(lane)));
      return new LaneView(Stream.concat(window.stream(), also).toList(), upTo);
    }
  };

  private void fill(int from, int to) {
    for (int lane = from; lane <= to; lane++) {
      ready.put(lane, new LaneHead(lane, Lane.of("t", "q", "type" + lane), 10, new UUID(0, lane)));
    }
  }

  private Set<Integer> known() {
    Set<Integer> known = new HashSet<>();
    for (Place place = turns.next(0); place != null; place = turns.next(0)) {
      known.add(place.laneId);
      turns.passOver(place, false);
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
      turns.passOver(place, false);
    }
    throw new AssertionError("lane " + lane + " is not known");
  }

  @Test
  void fewLanes_areAsNewAsTheLastLook() {
    fill(1, 5);
    book.look(store, 0);
    assertThat(known()).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
    assertThat(book.isRound()).isTrue();
    ready.remove(3);
    fill(9, 9);
    book.look(store, 0);
    assertThat(known()).containsExactlyInAnyOrder(1, 2, 4, 5, 9);
  }

  @Test
  void manyLanes_areKnownAfterARound_andEachLookIsAWindow() {
    int all = 3 * LaneBook.WINDOW + 10;
    fill(1, all);
    for (int look = 1; look <= 4; look++) {
      book.look(store, 0);
      assertThat(book.isRound()).isEqualTo(look == 4);
    }
    assertThat(known()).hasSize(all);
    assertThat(looks).extracting(Look::max).containsOnly(LaneBook.WINDOW);
    ready.clear();
    fill(7, 7);
    book.look(store, 0);
    assertThat(known()).containsExactly(7);
  }

  @Test
  void laneThatRanEmpty_isLookedAtEveryTime_whereverTheWindowIs() {
    fill(1, 3 * LaneBook.WINDOW);
    book.look(store, 0);
    book.emptied(place(5));
    ready.remove(5);
    book.look(store, 0);
    assertThat(known()).doesNotContain(5);
    fill(5, 5);
    book.look(store, 0);
    assertThat(looks.getLast().after()).isGreaterThan(5);
    assertThat(known()).contains(5);
  }
}
