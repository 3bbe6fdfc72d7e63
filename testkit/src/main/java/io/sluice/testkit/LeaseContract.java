package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Heartbeat;
import io.sluice.store.LostClaim;
import io.sluice.store.WorkerRecord;
import io.sluice.store.WorkerSpec;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How workers sign on, stay alive and are missed. */
public interface LeaseContract extends StoreTopic {
  Duration LEASE = Duration.ofSeconds(30);

  @Test
  default void register_givesEachWorkerAnIdOfItsOwn(Bench bench) {
    long first = bench.worker("same", LEASE);
    long second = bench.worker("same", LEASE);
    long third = bench.other().workers().register(Bench.spec("same"), LEASE);
    assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
  }

  @Test
  default void register_neverGivesAnIdAgain(Bench bench) {
    long first = bench.worker("w", LEASE);
    bench.store().workers().leave(first);
    assertThat(bench.worker("w", LEASE)).isNotEqualTo(first);
  }

  @Test
  default void register_givesUniqueIds_toConcurrentWorkers(Bench bench) {
    assertThat(Together.run(8, i -> () -> bench.worker("w", LEASE))).doesNotHaveDuplicates();
  }

  @Test
  default void live_showsTheWorker(Bench bench) {
    WorkerSpec spec = new WorkerSpec("mole", 3, Set.of("a", "b"), Set.of("b"));
    long id = bench.store().workers().register(spec, LEASE);
    assertThat(bench.store().workers().live())
        .containsExactly(
            new WorkerRecord(id, spec, bench.now(), bench.now(), bench.now().plus(LEASE), 0));
  }

  @Test
  default void live_countsWhatRuns(Bench bench) {
    long worker = bench.worker("w", LEASE);
    bench.add(3);
    List<ClaimedJob> claimed = bench.claim(worker, 3);
    bench.complete(claimed.getFirst());
    assertThat(bench.store().workers().live()).extracting(WorkerRecord::running).containsExactly(2);
  }

  @Test
  default void live_leavesOutExpiredWorkers(Bench bench) {
    bench.worker("short", LEASE);
    long lasting = bench.worker("lasting", LEASE.multipliedBy(3));
    bench.advance(LEASE.plusSeconds(1));
    assertThat(bench.store().workers().live())
        .extracting(WorkerRecord::id)
        .containsExactly(lasting);
  }

  @Test
  default void live_leavesOutWorkersThatLeft(Bench bench) {
    bench.store().workers().leave(bench.worker("w", LEASE));
    assertThat(bench.store().workers().live()).isEmpty();
  }

  @Test
  default void heartbeat_extendsTheLease_fromNow(Bench bench) {
    long worker = bench.worker("w", LEASE);
    ClaimedJob claimed = bench.claim(worker, bench.add());
    bench.advance(Duration.ofSeconds(10));
    Heartbeat answer = beat(bench, worker, claimed.ref());
    assertThat(answer).isEqualTo(new Heartbeat(true, Set.of()));
    WorkerRecord record = bench.store().workers().live().getFirst();
    assertThat(record.leaseUntil()).isEqualTo(bench.now().plus(LEASE));
    assertThat(record.seenAt()).isEqualTo(bench.now());
    assertThat(bench.find(claimed.ref().job()).status().leaseUntil())
        .isEqualTo(bench.now().plus(LEASE));
  }

  @Test
  default void heartbeat_keepsALongJob_fromEverBeingLost(Bench bench) {
    long worker = bench.worker("w", LEASE);
    ClaimedJob claimed = bench.claim(worker, bench.add());
    for (int i = 0; i < 60; i++) {
      bench.advance(Duration.ofSeconds(10));
      assertThat(beat(bench, worker, claimed.ref()).alive()).isTrue();
      assertThat(bench.lostClaims()).isEmpty();
    }
    assertThat(bench.complete(claimed)).isTrue();
  }

  @Test
  default void heartbeat_neverRevivesAnExpiredLease(Bench bench) {
    long worker = bench.worker("w", LEASE);
    bench.advance(LEASE.plusSeconds(1));
    assertThat(beat(bench, worker).alive()).isFalse();
    assertThat(bench.store().workers().live()).isEmpty();
    bench.add();
    assertThat(bench.claim(worker, 1)).isEmpty();
  }

  @Test
  default void heartbeat_neverRevivesAnExpiredLease_thatHoldsClaims(Bench bench) {
    long worker = bench.worker("w", LEASE);
    ClaimedJob claimed = bench.claim(worker, bench.add());
    bench.advance(LEASE.plusSeconds(1));
    assertThat(beat(bench, worker, claimed.ref()).alive()).isFalse();
    assertThat(bench.lostClaims()).extracting(lost -> lost.ref()).containsExactly(claimed.ref());
  }

  @Test
  default void heartbeat_ofUnknownWorker_isNotAlive(Bench bench) {
    assertThat(beat(bench, Long.MAX_VALUE).alive()).isFalse();
    assertThat(bench.store().workers().live()).isEmpty();
  }

  @Test
  default void heartbeat_afterLeave_isNotAlive(Bench bench) {
    long worker = bench.worker("w", LEASE);
    bench.store().workers().leave(worker);
    assertThat(beat(bench, worker).alive()).isFalse();
  }

  @Test
  default void heartbeat_namesClaimsThatAreGone(Bench bench) {
    long worker = bench.worker("w", LEASE);
    bench.add(4);
    List<ClaimRef> refs = bench.claim(worker, 4).stream().map(ClaimedJob::ref).toList();
    bench.store().cancel(refs.get(0).job(), "not wanted", Verdicts.KEEP);
    bench.finish(refs.get(1), Verdicts.completed());
    bench.finish(refs.get(2), Verdicts.retryNow());
    Heartbeat answer = bench.store().workers().heartbeat(worker, LEASE, refs);
    assertThat(answer.alive()).isTrue();
    assertThat(answer.gone()).containsExactlyInAnyOrderElementsOf(refs.subList(0, 3));
  }

  @Test
  default void heartbeat_namesAClaimAsGone_whenTheJobRunsInALaterTurn(Bench bench) {
    long worker = bench.worker("w", LEASE);
    UUID job = bench.add();
    ClaimRef old = bench.claim(worker, job).ref();
    bench.finish(old, Verdicts.retryNow());
    ClaimRef current = bench.claim(worker, job).ref();
    Heartbeat answer = bench.store().workers().heartbeat(worker, LEASE, List.of(old, current));
    assertThat(answer.gone()).containsExactly(old);
  }

  @Test
  default void heartbeat_namesAClaimAsGone_whenAnotherWorkerHoldsIt(Bench bench) {
    long mine = bench.worker("mine", LEASE);
    long foreign = bench.worker("foreign", LEASE);
    ClaimRef ref = bench.claim(foreign, bench.add()).ref();
    assertThat(beat(bench, mine, ref).gone()).containsExactly(ref);
    assertThat(beat(bench, foreign, ref).gone()).isEmpty();
  }

  @Test
  default void heartbeat_ofOneWorker_leavesOthersToExpire(Bench bench) {
    long kept = bench.worker("kept", LEASE);
    bench.worker("silent", LEASE);
    bench.advance(Duration.ofSeconds(20));
    beat(bench, kept);
    bench.advance(Duration.ofSeconds(20));
    assertThat(bench.store().workers().live()).extracting(WorkerRecord::id).containsExactly(kept);
  }

  @Test
  default void heartbeat_neverTakesAJobThatWasNotNamed(Bench bench) {
    long worker = bench.worker("w", LEASE);
    ClaimedJob claimed = bench.claim(worker, bench.add());
    assertThat(beat(bench, worker)).isEqualTo(new Heartbeat(true, Set.of()));
    assertThat(bench.state(claimed.ref().job())).isEqualTo(JobState.RUNNING);
    assertThat(bench.complete(claimed)).isTrue();
  }

  @Test
  default void held_showsTheClaims_ofThatWorkerAlone(Bench bench) {
    long mine = bench.worker("mine", LEASE);
    long foreign = bench.worker("foreign", LEASE);
    bench.add(3);
    List<ClaimedJob> claimed = bench.claim(mine, 2);
    bench.claim(foreign, 1);
    bench.store().started(claimed.get(0).ref(), false);
    assertThat(bench.other().workers().held(mine))
        .containsExactlyInAnyOrder(lost(claimed.get(0), true), lost(claimed.get(1), false));
  }

  @Test
  default void held_leavesOutClaimsThatAreOver(Bench bench) {
    long worker = bench.worker("w", LEASE);
    bench.add(3);
    List<ClaimedJob> claimed = bench.claim(worker, 3);
    bench.complete(claimed.get(0));
    bench.store().cancel(claimed.get(1).ref().job(), "no", Verdicts.KEEP);
    assertThat(bench.store().workers().held(worker)).containsExactly(lost(claimed.get(2), false));
  }

  @Test
  default void held_countsClaims_untilTheyAreRescued(Bench bench) {
    long worker = bench.worker("w", LEASE);
    ClaimedJob claimed = bench.claim(worker, bench.add());
    bench.advance(LEASE.plusSeconds(1));
    assertThat(bench.store().workers().held(worker)).containsExactly(lost(claimed, false));
    bench.finish(claimed.ref(), Verdicts.givenBack());
    assertThat(bench.store().workers().held(worker)).isEmpty();
  }

  @Test
  default void held_byUnknownWorker_isNothing(Bench bench) {
    assertThat(bench.store().workers().held(Long.MAX_VALUE)).isEmpty();
  }

  @Test
  default void leave_ofUnknownWorker_doesNothing(Bench bench) {
    bench.store().workers().leave(Long.MAX_VALUE);
    long worker = bench.worker("w", LEASE);
    bench.store().workers().leave(worker);
    bench.store().workers().leave(worker);
    assertThat(bench.store().workers().live()).isEmpty();
  }

  @Test
  default void leave_freesWhatWasHeld_atOnce(Bench bench) {
    long worker = bench.worker("w", LEASE);
    ClaimedJob claimed = bench.claim(worker, bench.add());
    assertThat(bench.lostClaims()).isEmpty();
    bench.store().workers().leave(worker);
    assertThat(bench.lostClaims()).extracting(lost -> lost.ref()).containsExactly(claimed.ref());
  }

  private static LostClaim lost(ClaimedJob claimed, boolean started) {
    return new LostClaim(
        claimed.ref(), claimed.lane(), claimed.attempt(), claimed.strikes(), started, false, false);
  }

  private static Heartbeat beat(Bench bench, long worker, ClaimRef... held) {
    return bench.store().workers().heartbeat(worker, LEASE, List.of(held));
  }
}
