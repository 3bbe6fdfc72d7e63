package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Breaker;
import io.sluice.BreakerSettings;
import io.sluice.BreakerState;
import io.sluice.ErrorClassifier;
import io.sluice.JacksonCodec;
import io.sluice.Lane;
import io.sluice.Scope;
import io.sluice.memory.MemoryStore;
import io.sluice.store.Breakers;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an instance reads, writes and asks of the store for its breakers, round by round. */
class CircuitsTest {
  private static final Lane LANE = new Lane("acme", "default", "http", "stripe", "");
  private static final Scope GROUP = Scope.urlGroup("acme", "stripe");
  private static final Scope TYPE = Scope.type("acme", "http");
  private static final Duration TRIP = Duration.ofSeconds(30);
  private static final BreakerSettings SETTINGS =
      BreakerSettings.DEFAULT.withMinimumCalls(2).withTripDuration(TRIP).withHalfOpenMaxRequests(2);
  private static final CallEnd FAILED = new CallEnd(CallEnd.Kind.FAILED, 1, false, null);
  private static final CallEnd BUSY = new CallEnd(CallEnd.Kind.BUSY, 1, true, null);

  private Duration passed = Duration.ZERO;
  private int inHand;
  private final AtomicInteger changes = new AtomicInteger();
  private final MemoryStore store =
      MemoryStore.builder().clock(() -> Pieces.NOW.plus(passed)).build();
  private final Breakers breakers = store.breakers();
  private final Circuits circuits = circuits();

  private Circuits circuits() {
    Tools tools = new Tools(
        new JacksonCodec(),
        ErrorClassifier.byType(),
        () -> Pieces.NOW.plus(passed),
        () -> passed.toNanos(),
        new SplittableRandom(5));
    return new Circuits(
        breakers,
        tools,
        new Events(tools.clock()),
        Duration.ofSeconds(1),
        new Circuits.Around(which -> inHand, () -> {}, changes::incrementAndGet));
  }

  @BeforeEach
  void open() {
    store.open();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void wait(Duration time) {
    passed = passed.plus(time);
  }

  private Breaker breaker(Scope scope) {
    return breakers.find(scope).orElseThrow();
  }

  private void call(CallEnd end) {
    circuits.ended(LANE, circuits.admit(LANE).orElseThrow(), end);
  }

  private void trip() {
    breakers.save(GROUP, SETTINGS);
    circuits.runOnce();
    call(FAILED);
    call(FAILED);
    circuits.runOnce();
  }

  private void halfOpen() {
    trip();
    wait(TRIP);
    assertThat(circuits.room(LANE)).isZero();
    circuits.runOnce();
  }

  @Test
  void withoutBreakers_everythingRuns() {
    circuits.runOnce();
    assertThat(circuits.room(LANE)).isEqualTo(Integer.MAX_VALUE);
    assertThat(circuits.admit(LANE)).contains(List.of());
  }

  @Test
  void trip_isWritten_andSeenByAnotherInstance() {
    trip();
    assertThat(breaker(GROUP).state()).isEqualTo(BreakerState.OPEN);
    Circuits other = circuits();
    other.look();
    assertThat(other.room(LANE)).isZero();
    assertThat(other.admit(LANE)).isEmpty();
    assertThat(other.room(Lane.of("acme", "default", "mail"))).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void nextRound_isWhenSomethingMayChange() {
    trip();
    wait(TRIP.minusMillis(300));
    assertThat(circuits.runOnce()).isEqualTo(Duration.ofMillis(300));
    changes.set(0);
    wait(Duration.ofMillis(300));
    circuits.runOnce();
    assertThat(changes).as("who claims looks again").hasValue(1);
  }

  @Test
  void probes_areAskedFor_whenThereIsWork() {
    trip();
    wait(TRIP);
    circuits.runOnce();
    assertThat(breaker(GROUP).state()).as("nobody asked for room").isEqualTo(BreakerState.OPEN);
    assertThat(circuits.room(LANE)).isZero();
    circuits.runOnce();
    assertThat(breaker(GROUP).state()).isEqualTo(BreakerState.HALF_OPEN);
    assertThat(circuits.room(LANE)).isEqualTo(2);
  }

  @Test
  void probes_goBack_whenAClaimGaveNothing() {
    halfOpen();
    inHand = 1;
    circuits.claimed(LANE, 2, 0);
    circuits.runOnce();
    assertThat(breaker(GROUP).probes().granted()).as("one is on its way").isEqualTo(2);
    inHand = 0;
    circuits.claimed(LANE, 2, 0);
    circuits.runOnce();
    assertThat(breaker(GROUP).probes().granted()).isZero();
  }

  @Test
  void probes_thatAreWell_closeIt_withinAFewRounds() {
    halfOpen();
    call(CallEnd.well(1));
    call(CallEnd.well(1));
    circuits.runOnce();
    circuits.runOnce();
    assertThat(breaker(GROUP).state()).isEqualTo(BreakerState.CLOSED);
    assertThat(circuits.room(LANE)).as("slowly at first").isEqualTo(2);
  }

  @Test
  void probe_isNotUsed_whereAnotherBreakerIsShut() {
    halfOpen();
    breakers.forceOpen(TYPE);
    circuits.runOnce();
    assertThat(circuits.admit(LANE)).isEmpty();
    assertThat(circuits.admit(LANE)).isEmpty();
    breakers.reset(TYPE);
    circuits.runOnce();
    circuits.room(LANE);
    circuits.runOnce();
    assertThat(circuits.admit(LANE)).as("its probes are there still").isPresent();
    assertThat(circuits.admit(LANE)).isPresent();
    assertThat(circuits.admit(LANE)).isEmpty();
  }

  @Test
  void onePushback_holdsNothing_threeInARowHoldTheirLaneAlone() {
    Lane beside = new Lane("acme", "default", "http", "stripe", "customer-2");
    CallEnd asks = new CallEnd(CallEnd.Kind.BUSY, 1, true, Duration.ofSeconds(9));
    circuits.ended(LANE, List.of(), asks);
    circuits.ended(LANE, List.of(), asks);
    assertThat(circuits.room(LANE)).isEqualTo(Integer.MAX_VALUE);
    circuits.ended(LANE, List.of(), FAILED);
    circuits.ended(LANE, List.of(), asks);
    circuits.ended(LANE, List.of(), asks);
    assertThat(circuits.admit(LANE)).as("two in a row").isPresent();
    circuits.ended(LANE, List.of(), asks);
    assertThat(circuits.room(LANE)).as("at once").isZero();
    assertThat(circuits.admit(LANE)).isEmpty();
    assertThat(circuits.leftAlone(LANE)).contains(Duration.ofSeconds(9));
    assertThat(circuits.room(beside)).isEqualTo(Integer.MAX_VALUE);
    changes.set(0);
    circuits.runOnce();
    assertThat(changes).as("what was claimed of it goes back").hasValue(1);
    assertThat(breakers.find(GROUP)).as("no other instance is concerned").isEmpty();
    wait(Duration.ofSeconds(9));
    assertThat(circuits.room(LANE)).isEqualTo(1);
    circuits.ended(LANE, List.of(), asks);
    assertThat(circuits.room(LANE)).as("right after a hold one is enough").isZero();
  }

  @Test
  void severalHeldLanes_holdTheirGroup_onEveryInstance_andAResetEndsIt() {
    for (String key : new String[] {"a", "b"}) {
      Lane lane = new Lane("acme", "default", "http", "stripe", key);
      for (int i = 0; i < LaneHolds.IN_ROW; i++) {
        circuits.ended(lane, List.of(), BUSY);
      }
    }
    circuits.runOnce();
    assertThat(breaker(GROUP).heldFor()).isEqualTo(Duration.ofSeconds(1));
    Circuits other = circuits();
    other.look();
    assertThat(other.room(LANE)).isZero();
    breakers.reset(GROUP);
    circuits.runOnce();
    assertThat(circuits.room(new Lane("acme", "default", "http", "stripe", "a")))
        .isPositive();
    assertThat(circuits.leftAlone(new Lane("acme", "default", "http", "stripe", "a")))
        .isEmpty();
  }

  @Test
  void pushbacksOfAnUnknownGroup_areWritten_andForgottenLater() {
    for (int i = 0; i < LaneHolds.GROUP_IN_ROW; i++) {
      circuits.ended(new Lane("acme", "default", "http", "stripe", "c" + i), List.of(), BUSY);
    }
    assertThat(circuits.room(LANE)).as("at once").isZero();
    circuits.runOnce();
    assertThat(breaker(GROUP).heldFor()).isEqualTo(Duration.ofSeconds(1));
    wait(Duration.ofSeconds(1));
    circuits.runOnce();
    assertThat(circuits.room(LANE)).isEqualTo(1);
    wait(Duration.ofHours(2));
    circuits.runOnce();
    circuits.runOnce();
    assertThat(breakers.find(GROUP)).isEmpty();
    assertThat(circuits.room(LANE)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void endElsewhere_counts_andHolds() {
    breakers.save(TYPE, SETTINGS);
    circuits.runOnce();
    wait(Duration.ofSeconds(1));
    circuits.endedElsewhere(LANE, FAILED);
    circuits.endedElsewhere(LANE, FAILED);
    for (int i = 0; i < LaneHolds.IN_ROW; i++) {
      circuits.endedElsewhere(LANE, BUSY);
    }
    circuits.runOnce();
    assertThat(breaker(TYPE).state()).isEqualTo(BreakerState.OPEN);
    assertThat(circuits.leftAlone(LANE)).contains(Duration.ofSeconds(1));
  }

  @Test
  void counts_areWritten_onceASecond() {
    breakers.save(GROUP, SETTINGS.withMinimumCalls(100));
    circuits.runOnce();
    call(FAILED);
    circuits.runOnce();
    call(FAILED);
    circuits.runOnce();
    assertThat(breaker(GROUP).calls().total()).isEqualTo(1);
    wait(Duration.ofSeconds(1));
    circuits.runOnce();
    assertThat(breaker(GROUP).calls().total()).isEqualTo(2);
  }
}
