package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.store.ClaimedJob;
import io.sluice.store.Strikes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a remote worker gets beside a suspect. */
class QuarantineTest {
  private static final Duration LEASE = Duration.ofSeconds(80);

  private final AtomicLong nanos = new AtomicLong();
  private final Quarantine quarantine = new Quarantine(nanos::get);

  private static ClaimedJob job(long id, int deaths) {
    return Pieces.attempt(id, Pieces.lane("q", "x"), Pieces.type("x"), new Strikes(0, deaths))
        .claimed;
  }

  private void pass(long seconds) {
    nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  void jobsThatNothingSpeaksAgainst_goOutTogether() {
    List<ClaimedJob> jobs = List.of(job(1, 0), job(2, 0));
    assertThat(quarantine.admit(jobs, LEASE)).isEqualTo(jobs);
    assertThat(quarantine.holds(Pieces.WORKER)).isFalse();
  }

  @Test
  void suspect_goesOutAlone_andItsWorkerGetsNothingElse_untilItEnds() {
    ClaimedJob suspect = job(2, 1);
    assertThat(quarantine.admit(List.of(job(1, 0), suspect, job(3, 1)), LEASE))
        .containsExactly(suspect);
    assertThat(quarantine.holds(Pieces.WORKER)).isTrue();
    assertThat(quarantine.holds(Pieces.WORKER + 1)).isFalse();
    quarantine.end(job(3, 1).ref());
    assertThat(quarantine.holds(Pieces.WORKER)).as("another job ended").isTrue();
    quarantine.end(suspect.ref());
    assertThat(quarantine.holds(Pieces.WORKER)).isFalse();
  }

  @Test
  void suspect_holdsItsWorkerUp_forItsPatienceOnly() {
    quarantine.admit(List.of(job(1, 1)), LEASE);
    pass(9);
    assertThat(quarantine.holds(Pieces.WORKER)).isTrue();
    pass(1);
    assertThat(quarantine.holds(Pieces.WORKER)).isFalse();
  }

  @Test
  void secondSuspect_goesOutAlone_andHoldsNobodyUp_soonAfterTheFirst() {
    ClaimedJob first = job(1, 1);
    ClaimedJob second = job(2, 1);
    quarantine.admit(List.of(first), LEASE);
    quarantine.end(first.ref());
    assertThat(quarantine.admit(List.of(second, job(3, 1)), LEASE)).containsExactly(second);
    assertThat(quarantine.holds(Pieces.WORKER)).isFalse();
    pass(80);
    quarantine.admit(List.of(second), LEASE);
    assertThat(quarantine.holds(Pieces.WORKER)).isTrue();
  }

  @Test
  void suspectOfManyDeaths_holdsItsWorkerUp_noLongerThanItsLease() {
    quarantine.admit(List.of(job(1, 50)), LEASE);
    pass(79);
    assertThat(quarantine.holds(Pieces.WORKER)).isTrue();
    pass(1);
    assertThat(quarantine.holds(Pieces.WORKER)).isFalse();
  }
}
