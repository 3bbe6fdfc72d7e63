package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Breaker;
import io.sluice.BreakerSettings;
import io.sluice.BreakerState;
import io.sluice.Scope;
import io.sluice.store.ProbeGrant;
import io.sluice.store.Tally;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What one instance makes of a breaker, moment by moment. */
class CircuitTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final Scope GROUP = Scope.urlGroup("acme", "stripe");
  private static final BreakerSettings SETTINGS = new BreakerSettings(
      0.5, Duration.ofSeconds(10), 4, Duration.ofSeconds(2), Duration.ofSeconds(30), 2);
  private static final CallEnd WELL = CallEnd.well(SECOND);
  private static final CallEnd FAILED = new CallEnd(CallEnd.Kind.FAILED, SECOND, false, null);
  private static final CallEnd BUSY = new CallEnd(CallEnd.Kind.BUSY, SECOND, true, null);

  /** The ticker, begun where it is about to turn over. */
  private long now = Long.MAX_VALUE - 3 * SECOND;

  private final Circuit circuit = new Circuit(GROUP);
  private long version = 1;

  private Optional<Breaker> see(BreakerState state, Duration open, Duration held) {
    return see(state, open, held, Breaker.Probes.NONE, SETTINGS);
  }

  private Optional<Breaker> see(
      BreakerState state,
      Duration open,
      Duration held,
      Breaker.Probes probes,
      @Nullable BreakerSettings settings) {
    Instant asOf = Pieces.NOW;
    return circuit.see(
        new Breaker(
            GROUP,
            settings,
            state,
            version,
            asOf,
            open.isZero() ? null : asOf.plus(open),
            held.isZero() ? null : asOf.plus(held),
            probes,
            Breaker.Calls.NONE,
            asOf),
        now);
  }

  private void closed() {
    see(BreakerState.CLOSED, Duration.ZERO, Duration.ZERO);
  }

  private void halfOpen(int granted, int passed) {
    see(
        BreakerState.HALF_OPEN,
        Duration.ofSeconds(30),
        Duration.ZERO,
        new Breaker.Probes(granted, passed),
        SETTINGS);
  }

  private Circuit.Ticket enter() {
    return Objects.requireNonNull(circuit.enter(now), "a ticket");
  }

  private boolean call(CallEnd end) {
    return circuit.ended(enter(), end, now);
  }

  private int room() {
    return circuit.room(now, 0);
  }

  @Test
  void window_tripsAtTheThreshold_andNotBeforeEnoughCalls() {
    closed();
    assertThat(call(FAILED)).isFalse();
    assertThat(call(WELL)).isFalse();
    assertThat(call(FAILED)).as("three calls are too few").isFalse();
    assertThat(room()).isEqualTo(Integer.MAX_VALUE);
    Circuit.Ticket running = enter();
    assertThat(call(FAILED)).isTrue();
    assertThat(room()).as("shut before the store knows").isZero();
    assertThat(circuit.enter(now)).isNull();
    assertThat(circuit.ended(running, FAILED, now)).isFalse();
    assertThat(circuit.move()).contains(new Circuit.Move(1, BreakerState.OPEN));
    assertThat(circuit.reason()).contains("3 of 4 calls failed");
  }

  @Test
  void window_forgetsOldCalls() {
    closed();
    call(FAILED);
    call(FAILED);
    call(FAILED);
    now += 11 * SECOND;
    assertThat(call(FAILED)).isFalse();
    assertThat(circuit.tally(now)).contains(new Tally(GROUP, 1, new Breaker.Calls(1, 1)));
  }

  @Test
  void slowCalls_fail_andBusyOnesDoNotCount() {
    closed();
    CallEnd slow = CallEnd.well(2 * SECOND);
    call(slow);
    call(slow);
    circuit.ended(enter(), BUSY, now);
    see(BreakerState.CLOSED, Duration.ZERO, Duration.ZERO);
    now += 2 * SECOND;
    assertThat(circuit.tally(now).orElseThrow().calls()).isEqualTo(new Breaker.Calls(2, 2));
  }

  @Test
  void countsOfOthers_tripTogetherWithOwn_whileTheyAreFresh() {
    closed();
    call(FAILED);
    Breaker.Calls own = circuit.tally(now).orElseThrow().calls();
    Tally theirs = new Tally(GROUP, 1, new Breaker.Calls(3, 3));
    assertThat(circuit.tallied(own, theirs, now)).isTrue();
    assertThat(room()).isZero();
  }

  @Test
  void countsOfOthers_areNotBelieved_forLong() {
    closed();
    call(WELL);
    Breaker.Calls own = circuit.tally(now).orElseThrow().calls();
    circuit.tallied(own, new Tally(GROUP, 1, new Breaker.Calls(20, 9)), now);
    now += 6 * SECOND;
    assertThat(call(FAILED)).isFalse();
    assertThat(circuit.tallied(own, new Tally(GROUP, 2, new Breaker.Calls(9, 9)), now))
        .as("counts of another version")
        .isFalse();
  }

  @Test
  void callsOfAnOlderVersion_doNotCount() {
    closed();
    Circuit.Ticket old = enter();
    version = 4;
    closed();
    for (int i = 0; i < 4; i++) {
      assertThat(circuit.ended(old, FAILED, now)).isFalse();
    }
    assertThat(circuit.tally(now)).isEmpty();
  }

  @Test
  void openCircuit_asksForProbes_onlyWhenItsTimeIsOver() {
    see(BreakerState.OPEN, Duration.ofSeconds(30), Duration.ZERO);
    assertThat(room()).isZero();
    assertThat(circuit.probesWanted()).isZero();
    assertThat(circuit.nanosToChange(now)).isEqualTo(30 * SECOND);
    now += 30 * SECOND;
    assertThat(circuit.hasChanged(now)).isTrue();
    assertThat(circuit.hasChanged(now)).as("told once").isFalse();
    assertThat(room()).as("until one is granted").isZero();
    assertThat(circuit.probesWanted()).isEqualTo(2);
    circuit.granted(ProbeGrant.NONE, now);
    assertThat(room()).isZero();
    assertThat(circuit.probesWanted()).as("not asked again at once").isZero();
  }

  private void granted(int probes) {
    see(BreakerState.OPEN, Duration.ZERO, Duration.ZERO);
    room();
    version++;
    circuit.granted(new ProbeGrant(version, probes), now);
    halfOpen(probes, 0);
  }

  @Test
  void probes_start_andNothingElse() {
    granted(2);
    assertThat(room()).isEqualTo(2);
    assertThat(enter().probe()).isTrue();
    assertThat(room()).isEqualTo(1);
    enter();
    assertThat(room()).isZero();
    assertThat(circuit.enter(now)).isNull();
    assertThat(circuit.probesWanted()).as("all are granted").isZero();
  }

  @Test
  void probes_thatAreWell_areReported_andCloseIt() {
    granted(2);
    assertThat(call(WELL)).isTrue();
    assertThat(call(BUSY)).isTrue();
    Circuit.Report report = circuit.report(now).orElseThrow();
    assertThat(report).isEqualTo(new Circuit.Report(version, 2, 0));
    circuit.reported(report);
    assertThat(circuit.report(now)).isEmpty();
    assertThat(circuit.move()).isEmpty();
    halfOpen(2, 2);
    assertThat(circuit.move()).contains(new Circuit.Move(version, BreakerState.CLOSED));
  }

  @Test
  void probe_thatFails_opensItAgain() {
    granted(2);
    assertThat(call(FAILED)).isTrue();
    assertThat(circuit.move()).contains(new Circuit.Move(version, BreakerState.OPEN));
    assertThat(room()).as("the other probe does not start").isZero();
    assertThat(circuit.enter(now)).isNull();
  }

  @Test
  void probes_withoutAJob_goBack() {
    granted(2);
    assertThat(circuit.report(now)).isEmpty();
    assertThat(circuit.ended(enter(), CallEnd.NOTHING, now)).isTrue();
    now += SECOND;
    assertThat(circuit.report(now)).contains(new Circuit.Report(version, 0, 2));
    assertThat(room()).isZero();
  }

  @Test
  void closedAgain_itStartsSlowly_andDoublesEverySecond() {
    granted(2);
    version++;
    closed();
    assertThat(circuit.room(now, 0)).isEqualTo(2);
    assertThat(circuit.room(now, 2)).isZero();
    assertThat(circuit.nanosToChange(now)).isEqualTo(SECOND);
    now += 3 * SECOND;
    assertThat(circuit.room(now, 6)).isEqualTo(10);
    now += 20 * SECOND;
    assertThat(room()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void hold_isInForceAtOnce_andIsWritten_andClimbsBackInSeconds() {
    closed();
    assertThat(circuit.hold(Duration.ofSeconds(7), now)).isTrue();
    assertThat(circuit.hold(Duration.ofSeconds(6), now))
        .as("it is held for longer")
        .isFalse();
    assertThat(circuit.holdWanted()).isEqualTo(Duration.ofSeconds(7));
    assertThat(room()).isZero();
    assertThat(circuit.enter(now)).isNull();
    circuit.holdWritten(Duration.ofSeconds(7));
    see(BreakerState.CLOSED, Duration.ZERO, Duration.ofSeconds(7));
    now += 7 * SECOND;
    assertThat(room()).as("slowly at first").isEqualTo(2);
    now += 2 * SECOND;
    assertThat(room()).as("two seconds later").isEqualTo(2 << 8);
  }

  @Test
  void pushbackOfOneJob_holdsNothingHere() {
    closed();
    CallEnd asks = new CallEnd(CallEnd.Kind.BUSY, SECOND, true, Duration.ofSeconds(7));
    assertThat(call(asks)).isFalse();
    assertThat(circuit.holdWanted()).isZero();
    assertThat(room()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void holdOfAnotherInstance_isKeptHere_andEndsByItsRelease() {
    see(BreakerState.CLOSED, Duration.ZERO, Duration.ofSeconds(9));
    assertThat(room()).isZero();
    assertThat(circuit.nanosToChange(now)).isEqualTo(9 * SECOND);
    closed();
    assertThat(room()).isPositive();
  }

  @Test
  void forcedOpen_letsNothingThrough_withoutSettingsToo() {
    see(BreakerState.FORCED_OPEN, Duration.ZERO, Duration.ZERO, Breaker.Probes.NONE, null);
    assertThat(room()).isZero();
    assertThat(circuit.enter(now)).isNull();
    now += 3600 * SECOND;
    assertThat(room()).isZero();
    assertThat(circuit.probesWanted()).isZero();
  }

  @Test
  void withoutSettings_nothingTrips() {
    see(BreakerState.CLOSED, Duration.ZERO, Duration.ZERO, Breaker.Probes.NONE, null);
    for (int i = 0; i < 100; i++) {
      assertThat(call(FAILED)).isFalse();
    }
    assertThat(circuit.tally(now)).isEmpty();
  }

  @Test
  void endElsewhere_countsOnlyWhatBegan_inThisState() {
    granted(2);
    assertThat(circuit.endedElsewhere(new CallEnd(CallEnd.Kind.FAILED, SECOND, false, null), now))
        .as("it began before")
        .isFalse();
    now += 2 * SECOND;
    assertThat(circuit.endedElsewhere(CallEnd.well(SECOND), now)).isTrue();
    assertThat(circuit.report(now).orElseThrow().passed()).isEqualTo(1);
    assertThat(circuit.endedElsewhere(FAILED, now)).isTrue();
    assertThat(circuit.move()).contains(new Circuit.Move(version, BreakerState.OPEN));
  }
}
