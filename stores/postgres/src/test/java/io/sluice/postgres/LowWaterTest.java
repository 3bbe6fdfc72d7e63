package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.postgres.LowWater.Mark;
import io.sluice.postgres.LowWater.Place;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LowWaterTest {
  private static final Place PLACE = new Place(1, 10);
  private static final Place OTHER = new Place(2, 10);

  private final LowWater marks = new LowWater();

  /** An id made at this second. */
  private static UUID at(int second) {
    return new UUID(((second * 1000L) << 16) | 0x7000, 7);
  }

  /** Which of the seconds from 1 to 9 is the first that a walk from the mark comes to. */
  private int begin(Place place) {
    UUID mark = LowWater.idOf(marks.of(place));
    int second = 1;
    while (second < 9 && LowWater.isBefore(at(second), mark)) {
      second++;
    }
    return second;
  }

  private @Nullable Mark mark() {
    return marks.of(PLACE);
  }

  @Test
  void place_isEnteredAtItsStart_untilSomethingIsKnown() {
    assertThat(begin(PLACE)).isEqualTo(1);
    marks.emptied(PLACE, null, null);
    marks.found(PLACE, at(5));
    assertThat(marks.window(0, 100)).isEmpty();
  }

  @Test
  void mark_movesOn_andStaysALittleBeforeTheJob() {
    marks.advance(PLACE, null, at(5));
    assertThat(begin(PLACE)).isEqualTo(5);
    assertThat(LowWater.isBefore(LowWater.idOf(mark()), new UUID((4_950L << 16) | 0x7000, 0)))
        .isTrue();
    marks.advance(PLACE, mark(), at(7));
    assertThat(begin(PLACE)).isEqualTo(7);
    assertThat(begin(OTHER)).isEqualTo(1);
  }

  @Test
  void mark_isLowered_byWhatIsFoundBehindIt_andGoesBackWhenThatIsTaken() {
    marks.advance(PLACE, null, at(7));
    marks.found(PLACE, at(3));
    assertThat(begin(PLACE)).isEqualTo(3);
    marks.found(PLACE, at(5));
    assertThat(begin(PLACE)).isEqualTo(3);
    marks.emptied(PLACE, mark(), at(3));
    assertThat(begin(PLACE)).isEqualTo(7);
    marks.emptied(PLACE, mark(), at(8));
    assertThat(begin(PLACE)).isEqualTo(8);
  }

  @Test
  void everyMark_isLowered_byAJobThatCameInSomewhere() {
    marks.advance(PLACE, null, at(7));
    marks.advance(OTHER, null, at(2));
    marks.cameIn(at(4));
    assertThat(List.of(begin(PLACE), begin(OTHER))).containsExactly(4, 2);
    marks.cameIn(at(8));
    assertThat(List.of(begin(PLACE), begin(OTHER))).containsExactly(4, 2);
  }

  @Test
  void mark_isLeftAlone_byWhoeverBeganBeforeItWasLowered() {
    marks.advance(PLACE, null, at(5));
    Mark before = mark();
    marks.cameIn(at(2));
    marks.advance(PLACE, before, at(6));
    marks.emptied(PLACE, before, at(6));
    marks.advance(PLACE, null, at(6));
    assertThat(begin(PLACE)).isEqualTo(2);
  }
}
