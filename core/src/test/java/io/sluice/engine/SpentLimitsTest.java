package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import io.sluice.Scope;
import io.sluice.store.LaneHead;
import io.sluice.store.SpentLimit;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How long it is no use to ask a limit that gave no more. */
class SpentLimitsTest {
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final long MILLI = 1_000_000;

  private final SpentLimits spent = new SpentLimits();
  private final Place place = place(1, "q", "k");

  private static Place place(int id, String queue, String key) {
    Lane lane = new Lane("t", queue, "x", "", key);
    return new Place(new LaneHead(id, lane, 10, new UUID(0, id)));
  }

  private void note(Scope scope, Duration retryIn) {
    spent.note(List.of(new SpentLimit(scope, List.of(1), retryIn)), List.of(), 0, 7);
  }

  @Test
  void limitOfARate_isAskedAgain_afterTheTimeItNamed_whateverTheNews() {
    note(Scope.queue("t", "q"), Duration.ofMillis(30));
    assertThat(spent.next(POLL, 10 * MILLI, 7)).isEqualTo(Duration.ofMillis(20));
    spent.refresh(29 * MILLI, 99);
    assertThat(spent.holds(place)).isTrue();
    spent.refresh(30 * MILLI, 7);
    assertThat(spent.holds(place)).isFalse();
  }

  @Test
  void limitOfARate_isAskedAgain_withThePoll_forItMayHaveBeenRaised() {
    note(Scope.queue("t", "q"), Duration.ofHours(1));
    spent.refresh(999 * MILLI, 7);
    assertThat(spent.holds(place)).isTrue();
    spent.refresh(1_000 * MILLI, 7);
    assertThat(spent.holds(place)).isFalse();
  }

  @Test
  void limitOfConcurrency_isAskedAgain_afterNews_butNotForEachOfASwarm() {
    note(Scope.tenant("t"), null);
    assertThat(spent.next(POLL, 0, 7)).isEqualTo(POLL);
    assertThat(spent.next(POLL, MILLI, 8)).isEqualTo(Duration.ofMillis(4));
    spent.refresh(4 * MILLI, 8);
    assertThat(spent.holds(place)).isTrue();
    spent.refresh(900 * MILLI, 7);
    assertThat(spent.holds(place)).isTrue();
    spent.refresh(5 * MILLI, 8);
    assertThat(spent.holds(place)).isFalse();
  }

  @Test
  void spentScope_holdsAllItsLanes_andASpentKeyThoseThatWereNamed() {
    note(Scope.queue("t", "q"), null);
    assertThat(spent.holds(place(5, "q", "other"))).isTrue();
    assertThat(spent.holds(place(6, "r", "k"))).isFalse();
    SpentLimits ofKey = new SpentLimits();
    ofKey.note(List.of(new SpentLimit(Scope.key("t", "k"), List.of(1), null)), List.of(), 0, 7);
    assertThat(ofKey.holds(place)).isTrue();
    assertThat(ofKey.holds(place(2, "other", "k"))).isFalse();
  }

  @Test
  void limitThatGaveNothing_isLeftOutOfOneRound_whateverTheNews() {
    note(Scope.queue("t", "q"), null);
    spent.refresh(10 * MILLI, 8);
    assertThat(spent.holds(place)).as("in the next round").isTrue();
    assertThat(spent.next(POLL, 10 * MILLI, 8)).isZero();
    spent.refresh(10 * MILLI, 8);
    assertThat(spent.holds(place)).as("in the one after that").isFalse();
    SpentLimit limit = new SpentLimit(Scope.queue("t", "q"), List.of(1, 2), null);
    spent.note(List.of(limit), List.of(place(2, "q", "other")), 10 * MILLI, 8);
    spent.refresh(20 * MILLI, 9);
    assertThat(spent.holds(place)).as("after it gave something").isFalse();
  }
}
