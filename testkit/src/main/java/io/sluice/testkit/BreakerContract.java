package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Breaker;
import io.sluice.BreakerSettings;
import io.sluice.BreakerState;
import io.sluice.Scope;
import io.sluice.SluiceException;
import io.sluice.store.Breakers;
import io.sluice.store.ProbeGrant;
import io.sluice.store.Tally;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How the state of breakers is kept and changed, by many at once. */
public interface BreakerContract extends StoreTopic {
  Scope GROUP = Scope.urlGroup("acme", "stripe");
  Scope MAIL = Scope.type("acme", "mail");
  Duration TRIP = Duration.ofSeconds(30);
  Duration WINDOW = Duration.ofSeconds(60);
  BreakerSettings SETTINGS = new BreakerSettings(0.25, WINDOW, 7, Duration.ofMillis(1500), TRIP, 3);
  UUID ONE = new UUID(0, 1);
  UUID TWO = new UUID(0, 2);

  @Test
  default void breaker_isKept_andSeenByAnotherInstance(Bench bench) {
    Breaker made = bench.store().breakers().save(GROUP, SETTINGS);
    assertThat(made.settings()).isEqualTo(SETTINGS);
    assertThat(made.state()).isEqualTo(BreakerState.CLOSED);
    assertThat(made.changedAt()).isEqualTo(bench.now());
    assertThat(made.openUntil()).isNull();
    assertThat(made.heldUntil()).isNull();
    assertThat(bench.other().breakers().find(GROUP)).contains(made);
    assertThat(bench.other().breakers().find(MAIL)).isEmpty();
  }

  @Test
  default void breakers_areListed_byTenantKindAndName(Bench bench) {
    Breakers breakers = bench.store().breakers();
    Scope other = Scope.type("globex", "mail");
    Scope later = Scope.urlGroup("acme", "zendesk");
    List.of(other, MAIL, later, GROUP).forEach(scope -> breakers.save(scope, SETTINGS));
    assertThat(breakers.list(null))
        .extracting(Breaker::scope)
        .containsExactly(GROUP, later, MAIL, other);
    assertThat(breakers.list("acme"))
        .extracting(Breaker::scope)
        .containsExactly(GROUP, later, MAIL);
  }

  @Test
  default void breaker_isRefused_onWhatCannotHaveOne(Bench bench) {
    assertThatThrownBy(() -> bench.store().breakers().save(Scope.tenant("acme"), SETTINGS))
        .isInstanceOf(SluiceException.class)
        .hasMessageContaining("must be a URL group or a job type");
  }

  @Test
  default void settings_change_andLeaveTheState(Bench bench) {
    Breakers breakers = open(bench);
    long version = version(breakers);
    BreakerSettings changed = SETTINGS.withSlowCallThreshold(null).withMinimumCalls(1);
    Breaker saved = breakers.save(GROUP, changed);
    assertThat(saved.settings()).isEqualTo(changed);
    assertThat(saved.state()).isEqualTo(BreakerState.OPEN);
    assertThat(saved.version()).isEqualTo(version);
    assertThat(saved.openUntil()).isNotNull();
  }

  @Test
  default void openBreaker_isClosed_whenItsSettingsAreTakenAway(Bench bench) {
    Breakers breakers = open(bench);
    long version = version(breakers);
    Breaker saved = breakers.save(GROUP, null);
    assertThat(saved.state()).isEqualTo(BreakerState.CLOSED);
    assertThat(saved.settings()).isNull();
    assertThat(saved.openUntil()).isNull();
    assertThat(saved.version()).isGreaterThan(version);
  }

  @Test
  default void forcedBreaker_staysSo_whenItsSettingsAreTakenAway(Bench bench) {
    Breakers breakers = bench.store().breakers();
    breakers.forceOpen(GROUP);
    assertThat(breakers.save(GROUP, SETTINGS).state()).isEqualTo(BreakerState.FORCED_OPEN);
    assertThat(breakers.save(GROUP, null).state()).isEqualTo(BreakerState.FORCED_OPEN);
  }

  @Test
  default void deletedBreaker_isGone(Bench bench) {
    Breakers breakers = open(bench);
    assertThat(breakers.delete(GROUP)).isTrue();
    assertThat(breakers.delete(GROUP)).isFalse();
    assertThat(breakers.find(GROUP)).isEmpty();
  }

  @Test
  default void move_opensForTheTripDuration(Bench bench) {
    Breakers breakers = open(bench);
    Breaker seen = found(breakers);
    assertThat(seen.state()).isEqualTo(BreakerState.OPEN);
    assertThat(seen.changedAt()).isEqualTo(bench.now());
    assertThat(seen.openUntil()).isEqualTo(bench.now().plus(TRIP));
    assertThat(seen.openFor()).isEqualTo(TRIP);
  }

  @Test
  default void move_isRefused_fromAnOlderVersion(Bench bench) {
    Breakers breakers = bench.store().breakers();
    long version = breakers.save(GROUP, SETTINGS).version();
    assertThat(breakers.move(GROUP, version, BreakerState.OPEN)).isTrue();
    assertThat(bench.other().breakers().move(GROUP, version, BreakerState.OPEN)).isFalse();
    assertThat(breakers.move(GROUP, version, BreakerState.CLOSED)).isFalse();
    assertThat(breakers.move(MAIL, 1, BreakerState.CLOSED)).isFalse();
    assertThat(found(breakers).state()).isEqualTo(BreakerState.OPEN);
  }

  @Test
  default void move_isMadeByOne_ofMany(Bench bench) {
    Breakers one = bench.store().breakers();
    Breakers other = bench.other().breakers();
    for (int round = 0; round < 10; round++) {
      long version = one.save(GROUP, SETTINGS).version();
      List<Boolean> moved = Together.run(
          6, i -> () -> (i % 2 == 0 ? one : other).move(GROUP, version, BreakerState.OPEN));
      assertThat(moved).filteredOn(m -> m).hasSize(1);
      assertThat(version(one)).isEqualTo(version + 1);
    }
  }

  @Test
  default void breakerWithoutSettings_doesNotOpenByItself(Bench bench) {
    Breakers breakers = bench.store().breakers();
    long version = breakers.save(GROUP, null).version();
    assertThat(breakers.move(GROUP, version, BreakerState.OPEN)).isFalse();
    assertThat(found(breakers).state()).isEqualTo(BreakerState.CLOSED);
  }

  @Test
  default void forceOpen_lastsUntilAReset(Bench bench) {
    Breakers breakers = bench.store().breakers();
    assertThat(breakers.forceOpen(GROUP).state()).isEqualTo(BreakerState.FORCED_OPEN);
    bench.advance(Duration.ofDays(30));
    assertThat(breakers.probe(GROUP, 3)).isEqualTo(ProbeGrant.NONE);
    assertThat(found(breakers).state()).isEqualTo(BreakerState.FORCED_OPEN);
    assertThat(breakers.reset(GROUP).state()).isEqualTo(BreakerState.CLOSED);
  }

  @Test
  default void reset_ofNothing_isNotFound(Bench bench) {
    assertThatThrownBy(() -> bench.store().breakers().reset(GROUP))
        .isInstanceOf(SluiceException.class)
        .hasMessageContaining("no breaker on url-group:stripe");
  }

  // ---- counting

  @Test
  default void counts_areAdded_overInstances(Bench bench) {
    Breakers breakers = bench.store().breakers();
    long version = breakers.save(GROUP, SETTINGS).version();
    assertThat(breakers.count(ONE, List.of(tally(version, 4, 1))))
        .containsExactly(tally(version, 0, 0));
    assertThat(bench.other().breakers().count(TWO, List.of(tally(version, 3, 3))))
        .containsExactly(tally(version, 4, 1));
    assertThat(breakers.count(ONE, List.of(tally(version, 5, 2))))
        .containsExactly(tally(version, 3, 3));
    assertThat(found(breakers).calls()).isEqualTo(new Breaker.Calls(8, 5));
    assertThat(found(breakers).calls().failureRate()).isEqualTo(5 / 8.0);
  }

  @Test
  default void counts_ofAnInstanceThatIsSilent_endWithTheWindow(Bench bench) {
    Breakers breakers = bench.store().breakers();
    long version = breakers.save(GROUP, SETTINGS).version();
    breakers.count(ONE, List.of(tally(version, 4, 1)));
    bench.advance(WINDOW.plusSeconds(1));
    assertThat(breakers.count(TWO, List.of(tally(version, 1, 0))))
        .containsExactly(tally(version, 0, 0));
    assertThat(found(breakers).calls()).isEqualTo(new Breaker.Calls(1, 0));
  }

  @Test
  default void counts_areForgotten_withTheState(Bench bench) {
    Breakers breakers = bench.store().breakers();
    long version = breakers.save(GROUP, SETTINGS).version();
    breakers.count(ONE, List.of(tally(version, 4, 4)));
    breakers.move(GROUP, version, BreakerState.CLOSED);
    assertThat(breakers.count(ONE, List.of(tally(version, 9, 9))))
        .as("counts of an older version")
        .containsExactly(tally(version + 1, 0, 0));
    assertThat(found(breakers).calls()).isEqualTo(Breaker.Calls.NONE);
  }

  @Test
  default void counts_ofNoBreaker_areLeftOut(Bench bench) {
    assertThat(bench.store().breakers().count(ONE, List.of(tally(1, 4, 4)))).isEmpty();
  }

  // ---- probes

  @Test
  default void probe_isGranted_onlyWhenTheTimeIsOver(Bench bench) {
    Breakers breakers = open(bench);
    bench.advance(TRIP.minusMillis(1));
    assertThat(breakers.probe(GROUP, 3)).isEqualTo(ProbeGrant.NONE);
    assertThat(found(breakers).state()).isEqualTo(BreakerState.OPEN);
    bench.advance(Duration.ofMillis(1));
    long version = version(breakers);
    assertThat(breakers.probe(GROUP, 2)).isEqualTo(new ProbeGrant(version + 1, 2));
    assertThat(found(breakers).state()).isEqualTo(BreakerState.HALF_OPEN);
    assertThat(found(breakers).probes()).isEqualTo(new Breaker.Probes(2, 0));
  }

  @Test
  default void probe_isNotGranted_byAClosedBreaker(Bench bench) {
    Breakers breakers = bench.store().breakers();
    breakers.save(GROUP, SETTINGS);
    assertThat(breakers.probe(GROUP, 1)).isEqualTo(ProbeGrant.NONE);
    assertThat(breakers.probe(MAIL, 1)).isEqualTo(ProbeGrant.NONE);
  }

  @Test
  default void probes_areBounded_overInstances(Bench bench) {
    Breakers breakers = halfOpenSoon(bench);
    assertThat(breakers.probe(GROUP, 2).probes()).isEqualTo(2);
    assertThat(bench.other().breakers().probe(GROUP, 2).probes()).isEqualTo(1);
    assertThat(breakers.probe(GROUP, 2)).isEqualTo(ProbeGrant.NONE);
  }

  @Test
  default void probes_areBounded_whenManyAskAtOnce(Bench bench) {
    Breakers one = bench.store().breakers();
    Breakers other = bench.other().breakers();
    one.save(GROUP, SETTINGS);
    for (int round = 0; round < 10; round++) {
      one.move(GROUP, version(one), BreakerState.OPEN);
      bench.advance(TRIP);
      List<ProbeGrant> grants =
          Together.run(8, i -> () -> (i % 2 == 0 ? one : other).probe(GROUP, 1 + i % 2));
      assertThat(grants.stream().mapToInt(ProbeGrant::probes).sum()).isEqualTo(3);
      assertThat(grants)
          .filteredOn(g -> g.probes() > 0)
          .extracting(ProbeGrant::version)
          .containsOnly(version(one));
    }
  }

  @Test
  default void probes_givenBack_areGrantedAgain(Bench bench) {
    Breakers breakers = halfOpenSoon(bench);
    long version = breakers.probe(GROUP, 3).version();
    assertThat(breakers.probed(GROUP, version, 1, 2)).isTrue();
    assertThat(found(breakers).probes()).isEqualTo(new Breaker.Probes(1, 1));
    assertThat(breakers.probe(GROUP, 3)).isEqualTo(new ProbeGrant(version, 2));
  }

  @Test
  default void probes_ofAnEndedPeriod_reportInVain(Bench bench) {
    Breakers breakers = halfOpenSoon(bench);
    long version = breakers.probe(GROUP, 3).version();
    assertThat(breakers.move(GROUP, version, BreakerState.OPEN)).isTrue();
    assertThat(breakers.probed(GROUP, version, 3, 0)).isFalse();
    assertThat(breakers.move(GROUP, version, BreakerState.CLOSED)).isFalse();
    assertThat(found(breakers).state()).isEqualTo(BreakerState.OPEN);
  }

  @Test
  default void probes_thatNeverReport_giveWayToOthers(Bench bench) {
    Breakers breakers = halfOpenSoon(bench);
    long version = breakers.probe(GROUP, 3).version();
    assertThat(breakers.probed(GROUP, version, 1, 0)).isTrue();
    bench.advance(TRIP.minusMillis(1));
    assertThat(breakers.probe(GROUP, 3)).isEqualTo(ProbeGrant.NONE);
    bench.advance(Duration.ofMillis(1));
    assertThat(breakers.probe(GROUP, 3))
        .as("as many as have not passed")
        .isEqualTo(new ProbeGrant(version + 1, 2));
    assertThat(breakers.probed(GROUP, version, 1, 0)).as("a late report").isFalse();
    assertThat(found(breakers).probes()).isEqualTo(new Breaker.Probes(3, 1));
  }

  // ---- holds

  @Test
  default void hold_isTheLongestAskedFor(Bench bench) {
    Breakers breakers = bench.store().breakers();
    breakers.hold(GROUP, Duration.ofSeconds(20));
    breakers.hold(GROUP, Duration.ofSeconds(5));
    Breaker held = bench.other().breakers().find(GROUP).orElseThrow();
    assertThat(held.heldUntil()).isEqualTo(bench.now().plusSeconds(20));
    assertThat(held.heldFor()).isEqualTo(Duration.ofSeconds(20));
    assertThat(held.state()).isEqualTo(BreakerState.CLOSED);
    breakers.hold(GROUP, Duration.ofSeconds(30));
    assertThat(found(breakers).heldFor()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  default void hold_isEndedByAResetAndByTime(Bench bench) {
    Breakers breakers = bench.store().breakers();
    breakers.hold(GROUP, Duration.ofSeconds(20));
    bench.advance(Duration.ofSeconds(21));
    assertThat(found(breakers).heldFor()).isZero();
    assertThat(breakers.release(GROUP)).isFalse();
    breakers.hold(GROUP, Duration.ofSeconds(20));
    assertThat(breakers.reset(GROUP).heldUntil()).isNull();
    assertThat(breakers.release(GROUP)).isFalse();
  }

  @Test
  default void wakeup_tellsOfAChangedBreaker(Bench bench) {
    try (WakeupContract.Ear ear = WakeupContract.Ear.elsewhere(bench)) {
      Breakers breakers = bench.store().breakers();
      long version = breakers.save(GROUP, SETTINGS).version();
      ear.hears("breakers");
      ear.forget();
      breakers.move(GROUP, version, BreakerState.OPEN);
      ear.hears("breakers");
      ear.forget();
      breakers.hold(GROUP, TRIP);
      ear.hears("breakers");
    }
  }

  private static Tally tally(long version, long calls, long failures) {
    return new Tally(GROUP, version, new Breaker.Calls(calls, failures));
  }

  private static Breakers open(Bench bench) {
    Breakers breakers = bench.store().breakers();
    long version = breakers.save(GROUP, SETTINGS).version();
    assertThat(breakers.move(GROUP, version, BreakerState.OPEN)).isTrue();
    return breakers;
  }

  private static Breakers halfOpenSoon(Bench bench) {
    Breakers breakers = open(bench);
    bench.advance(TRIP);
    return breakers;
  }

  private static Breaker found(Breakers breakers) {
    return breakers.find(GROUP).orElseThrow();
  }

  private static long version(Breakers breakers) {
    return found(breakers).version();
  }
}
