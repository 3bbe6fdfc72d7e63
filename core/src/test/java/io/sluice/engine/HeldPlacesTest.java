package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import io.sluice.store.LaneHead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Places that may not run come back when nothing holds them, at a cost that does not grow. */
class HeldPlacesTest {
  private final HeldPlaces places = new HeldPlaces();
  private final Map<Place, Object> holders = new HashMap<>();
  private final List<Place> freed = new ArrayList<>();
  private int asked;

  private Place place(int id, Object holder) {
    Lane lane = new Lane("t", "q", "x", "", "key-" + id);
    Place place = new Place(new LaneHead(id, lane, 10, new UUID(0, id)));
    places.giveTurn(place);
    holders.put(place, holder);
    places.add(place, holder);
    return place;
  }

  private void free() {
    places.free(
        place -> {
          asked++;
          return holders.get(place);
        },
        freed::add);
  }

  @Test
  void groupThatIsHeld_costsOneQuestion_andComesBackInItsOrder() {
    List<Place> held = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      held.add(place(i, "a limit"));
    }
    free();
    assertThat(freed).isEmpty();
    assertThat(asked).isEqualTo(1);
    holders.clear();
    for (int round = 0; round < 4; round++) {
      assertThat(freed).hasSize((1 << round) * HeldPlaces.FIRST_FREED - HeldPlaces.FIRST_FREED);
      free();
      assertThat(places.isSeen()).as("all are back").isEqualTo(round == 3);
    }
    assertThat(freed).containsExactlyElementsOf(held);
    assertThat(held).allMatch(place -> place.heldWith == null);
  }

  @Test
  void groupThatIsHeldAgain_stops_andBeginsWithFew() {
    for (int i = 0; i < 1_000; i++) {
      place(i, "a limit");
    }
    Map<Place, Object> before = new HashMap<>(holders);
    holders.clear();
    free();
    free();
    assertThat(freed).hasSize(3 * HeldPlaces.FIRST_FREED);
    holders.putAll(before);
    free();
    assertThat(freed).hasSize(3 * HeldPlaces.FIRST_FREED);
    holders.clear();
    free();
    assertThat(freed).hasSize(4 * HeldPlaces.FIRST_FREED);
  }

  @Test
  void placeThatWasServed_comesBackLast_andOneThatWasNotKeepsItsTurn() {
    Place served = place(1, "a limit");
    Place passed = place(2, "a limit");
    Place last = place(3, "a limit");
    Map<Place, Object> before = new HashMap<>(holders);
    holders.clear();
    free();
    places.giveTurn(served);
    List.of(served, last, passed).forEach(place -> places.add(place, "a limit"));
    holders.putAll(before);
    freed.clear();
    holders.clear();
    free();
    assertThat(freed).containsExactly(passed, last, served);
  }

  @Test
  void groupsTakeTurns_andNobodyRestsBeforeAllWereSeen() {
    int groups = 3 * HeldPlaces.MOST_GROUPS;
    for (int i = 0; i < groups; i++) {
      place(i, "limit " + i);
    }
    Place last = place(groups, "another");
    holders.remove(last);
    places.rest();
    for (int round = 1; round <= 4; round++) {
      assertThat(places.isSeen()).isFalse();
      asked = 0;
      free();
      assertThat(asked).isLessThanOrEqualTo(HeldPlaces.MOST_GROUPS);
    }
    assertThat(places.isSeen()).isTrue();
    assertThat(freed).containsExactly(last);
  }

  @Test
  void placeThatIsHeldBySomethingElse_goesToOthersOfThat() {
    Place moved = place(1, "paused");
    Place free = place(2, "paused");
    holders.put(moved, "a limit");
    holders.remove(free);
    free();
    assertThat(freed).containsExactly(free);
    holders.remove(moved);
    free();
    assertThat(freed).containsExactly(free, moved);
  }

  /** A rule of the user's may look at the limit key. */
  @Test
  void lanesThatARuleHolds_areEachAskedInTime() {
    Lane rule = Lane.of("t", "q", "x");
    for (int i = 0; i < 50; i++) {
      place(i, rule);
    }
    Place free = place(50, rule);
    holders.remove(free);
    for (int round = 0; round < 20 && freed.isEmpty(); round++) {
      free();
    }
    assertThat(freed).containsExactly(free);
  }

  @Test
  void placeThatIsGone_doesNotComeBack() {
    Place gone = place(1, "paused");
    places.remove(gone);
    places.remove(gone);
    holders.clear();
    free();
    assertThat(freed).isEmpty();
    places.rest();
    assertThat(places.isSeen()).isTrue();
  }
}
