package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What answers of receivers that have too much do to their lanes, by a clock of its own. */
class LaneHoldsTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final CallEnd BUSY = new CallEnd(CallEnd.Kind.BUSY, 1, true, null);

  private final LaneHolds holds = new LaneHolds();
  private final Lane lane = lane("");
  private long now = 5 * SECOND;

  private static Lane lane(String key) {
    return new Lane("acme", "default", "http", "stripe", key);
  }

  private static CallEnd asks(int seconds) {
    return new CallEnd(CallEnd.Kind.BUSY, 1, true, Duration.ofSeconds(seconds));
  }

  private Duration left() {
    return holds.leftAlone(lane, now).orElse(Duration.ZERO);
  }

  private void push(CallEnd end) {
    holds.ended(lane, end, now);
  }

  @Test
  void lane_isHeldForAsLongAsItsReceiverAsks_andForTheLongestOfSeveral() {
    push(asks(2));
    push(asks(2));
    assertThat(left()).isZero();
    push(asks(2));
    assertThat(left()).isEqualTo(Duration.ofSeconds(2));
    push(asks(9));
    push(asks(1));
    assertThat(left()).isEqualTo(Duration.ofSeconds(9));
  }

  @Test
  void withoutATime_theHoldGrowsWhileItGoesOn_andNotByWhatWasOnItsWay() {
    push(BUSY);
    push(BUSY);
    for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      push(BUSY);
      assertThat(left()).isEqualTo(Duration.ofSeconds(seconds));
      push(BUSY);
      assertThat(left()).isEqualTo(Duration.ofSeconds(seconds));
      now += seconds * SECOND;
      assertThat(left()).isZero();
    }
    holds.ended(lane, CallEnd.well(1), now);
    for (int i = 0; i < LaneHolds.IN_ROW; i++) {
      push(BUSY);
    }
    assertThat(left()).as("an answer ends the row").isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void afterAHold_theLaneClimbsBackWithinSeconds_andIsForgotten() {
    for (int i = 0; i < LaneHolds.IN_ROW; i++) {
      push(asks(2));
    }
    assertThat(holds.nanosToChange(now)).isEqualTo(2 * SECOND);
    now += 2 * SECOND;
    assertThat(holds.hasChanged(now)).isTrue();
    assertThat(holds.room(lane, now, 0)).isEqualTo(1);
    assertThat(holds.room(lane, now, 1)).isZero();
    now += 2 * SECOND;
    assertThat(holds.room(lane, now, 0)).isEqualTo(256);
    now += 3 * SECOND;
    holds.ended(lane, CallEnd.well(1), now);
    assertThat(holds.room(lane, now, 0)).isEqualTo(Integer.MAX_VALUE);
    assertThat(holds.nanosToChange(now)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void laneOfNoGroup_isNeverHeld() {
    Lane plain = Lane.of("acme", "default", "http");
    for (int i = 0; i < 20; i++) {
      assertThat(holds.ended(plain, asks(5), now)).isEqualTo(LaneHolds.PushbackEffect.NOTHING);
    }
    assertThat(holds.isHeld(plain, now)).isFalse();
  }

  @Test
  void group_isHeldUntilTheFirstOfItsLanesGoesOn() {
    for (int i = 0; i < LaneHolds.IN_ROW; i++) {
      assertThat(holds.ended(lane("a"), asks(60), now).group()).isZero();
    }
    LaneHolds.PushbackEffect seen = LaneHolds.PushbackEffect.NOTHING;
    for (int i = 0; i < LaneHolds.IN_ROW; i++) {
      seen = holds.ended(lane("b"), asks(4), now);
    }
    assertThat(seen).isEqualTo(new LaneHolds.PushbackEffect(true, Duration.ofSeconds(4)));
    Lane elsewhere = new Lane("acme", "default", "http", "other", "");
    for (int i = 0; i < LaneHolds.IN_ROW; i++) {
      assertThat(holds.ended(elsewhere, asks(4), now).group()).isZero();
    }
  }
}
