package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.store.Claim;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.HeldJob;
import io.sluice.store.LaneQuota;
import io.sluice.store.LostClaim;
import io.sluice.store.LostWorker;
import io.sluice.store.Strikes;
import io.sluice.store.WorkerRecord;
import io.sluice.store.WorkerSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Claims that have a lease of their own, and the remote workers that make them. */
public interface OwnLeaseContract extends StoreTopic {
  Duration MINUTE = Duration.ofMinutes(1);

  private static WorkerSpec remote(String name) {
    return WorkerSpec.remote("default", "default", name, 5, Set.of());
  }

  /** Claims for a remote worker what is ready. */
  private static List<ClaimedJob> pull(Bench bench, int max) {
    long worker = bench.store().workers().visit(remote("puller"), MINUTE);
    List<LaneQuota> lanes = bench.store().heads().stream()
        .map(head -> new LaneQuota(head.laneId(), head.priority(), max))
        .toList();
    return bench.store().claim(new Claim(worker, lanes, max, MINUTE)).jobs();
  }

  private static ClaimedJob pullOne(Bench bench) {
    bench.add();
    return pull(bench, 1).getFirst();
  }

  @Test
  default void ownLease_beginsWithTheClaim_andIsShown(Bench bench) {
    ClaimedJob claimed = pullOne(bench);
    Instant end = bench.now().plus(MINUTE);
    assertThat(claimed.leaseUntil()).isEqualTo(end);
    assertThat(bench.find(claimed.ref().job()).status().leaseUntil()).isEqualTo(end);
    assertThat(bench.find(claimed.ref().job()).status().worker()).isEqualTo("puller");
    assertThat(bench.running().leaseUntil()).isNull();
  }

  @Test
  default void ownLease_outlastsTheWorkers(Bench bench) {
    ClaimRef ref = pullOne(bench).ref();
    bench.store().extend(ref, Duration.ofHours(3));
    bench.advance(Duration.ofHours(2));
    assertThat(bench.store().workers().live()).isEmpty();
    assertThat(bench.store().workers().haveLapsed()).isFalse();
    assertThat(bench.lostClaims()).isEmpty();
    assertThat(bench.lostClaims()).isEmpty();
    assertThat(bench.finish(ref, Verdicts.completed())).isTrue();
  }

  @Test
  default void ownLease_thatRanOut_isLost_thoughItsWorkerLives(Bench bench) {
    bench.add(3);
    List<ClaimedJob> claimed = pull(bench, 3);
    bench.advance(MINUTE.dividedBy(2));
    bench.store().extend(claimed.get(1).ref(), MINUTE);
    bench.advance(MINUTE.dividedBy(2));
    long worker = bench.store().workers().visit(remote("puller"), MINUTE);
    assertThat(bench.store().workers().haveLapsed()).isTrue();
    assertThat(bench.other().workers().lost(10))
        .containsExactly(new LostWorker(
            worker, "puller", Set.of(), List.of(lost(claimed.get(0)), lost(claimed.get(2)))));
    assertThat(bench.store().workers().lost(10)).as("until they are finished").hasSize(1);
    assertThat(bench.finish(claimed.get(0).ref(), Verdicts.givenBack())).isTrue();
    assertThat(bench.finish(claimed.get(2).ref(), Verdicts.givenBack())).isTrue();
    assertThat(bench.store().workers().haveLapsed()).isFalse();
    assertThat(bench.lostClaims()).isEmpty();
  }

  private static LostClaim lost(ClaimedJob claimed) {
    return new LostClaim(claimed.ref(), claimed.lane(), 1, Strikes.NONE, false, false, true);
  }

  @Test
  default void claimsOfOneWorker_areLost_eachByItsOwnLease(Bench bench) {
    bench.add(2);
    long worker = bench.worker("both", MINUTE.multipliedBy(2));
    ClaimRef plain = bench.claim(worker, 1).getFirst().ref();
    List<LaneQuota> lanes = bench.store().heads().stream()
        .map(head -> new LaneQuota(head.laneId(), head.priority(), 1))
        .toList();
    ClaimRef own = bench
        .store()
        .claim(new Claim(worker, lanes, 1, MINUTE))
        .jobs()
        .getFirst()
        .ref();
    bench.advance(MINUTE);
    assertThat(bench.lostClaims()).extracting(LostClaim::ref).containsExactly(own);
    bench.advance(MINUTE);
    assertThat(bench.lostClaims()).extracting(LostClaim::ref).containsExactlyInAnyOrder(plain, own);
  }

  @Test
  default void extend_makesTheLeaseLast_fromNow(Bench bench) {
    ClaimRef ref = pullOne(bench).ref();
    bench.advance(Duration.ofSeconds(59));
    Instant end = bench.now().plus(MINUTE);
    assertThat(bench.other().extend(ref, MINUTE)).contains(end);
    assertThat(bench.find(ref.job()).status().leaseUntil()).isEqualTo(end);
    bench.advance(Duration.ofSeconds(59));
    assertThat(bench.lostClaims()).isEmpty();
    bench.advance(Duration.ofSeconds(1));
    assertThat(bench.lostClaims()).hasSize(1);
  }

  @Test
  default void extend_neverRevivesALeaseThatRanOut(Bench bench) {
    ClaimRef ref = pullOne(bench).ref();
    bench.advance(MINUTE);
    assertThat(bench.store().extend(ref, MINUTE)).isEmpty();
    bench.lostClaims();
    assertThat(bench.store().extend(ref, MINUTE)).isEmpty();
    assertThat(bench.lostClaims()).hasSize(1);
  }

  @Test
  default void lost_knowsWhichLeasesWereInUse(Bench bench) {
    bench.add(2);
    List<ClaimedJob> claimed = pull(bench, 2);
    bench.store().extend(claimed.getFirst().ref(), MINUTE);
    bench.advance(MINUTE);
    assertThat(bench.lostClaims())
        .hasSize(2)
        .filteredOn(LostClaim::started)
        .extracting(LostClaim::ref)
        .containsExactly(claimed.getFirst().ref());
  }

  @Test
  default void lease_ofAnotherWorker_isNeitherExtendedNorHeld(Bench bench) {
    ClaimRef ref = pullOne(bench).ref();
    ClaimRef foreign = new ClaimRef(ref.job(), ref.turn(), bench.worker("other", MINUTE));
    assertThat(bench.store().extend(foreign, MINUTE.multipliedBy(9))).isEmpty();
    assertThat(bench.store().held(foreign)).isEmpty();
    assertThat(bench.find(ref.job()).status().leaseUntil())
        .isEqualTo(bench.now().plus(MINUTE));
  }

  @Test
  default void extend_ofAClaimThatIsOver_isEmpty(Bench bench) {
    ClaimRef ref = pullOne(bench).ref();
    assertThat(bench.store().extend(new ClaimRef(ref.job(), ref.turn() + 1, ref.worker()), MINUTE))
        .isEmpty();
    bench.finish(ref, Verdicts.retryNow());
    assertThat(bench.store().extend(ref, MINUTE)).isEmpty();
    ClaimRef again = pull(bench, 1).getFirst().ref();
    assertThat(bench.store().extend(ref, MINUTE)).isEmpty();
    bench.store().cancel(again.job(), "no", Verdicts.KEEP);
    assertThat(bench.store().extend(again, MINUTE)).isEmpty();
    assertThat(bench.store().extend(new ClaimRef(new UUID(1, 2), 1, ref.worker()), MINUTE))
        .isEmpty();
  }

  @Test
  default void extend_givesAnOrdinaryClaimNoLeaseOfItsOwn(Bench bench) {
    ClaimRef ref = bench.running().ref();
    assertThat(bench.store().extend(ref, MINUTE)).isEmpty();
    assertThat(bench.store().held(ref)).isEmpty();
  }

  @Test
  default void held_showsTheJob_whileItsLeaseStands(Bench bench) {
    ClaimedJob claimed = pullOne(bench);
    bench.advance(Duration.ofSeconds(7));
    assertThat(bench.other().held(claimed.ref()))
        .contains(new HeldJob(claimed, Duration.ofSeconds(7)));
    assertThat(claimed.ref().worker())
        .isEqualTo(bench.store().workers().live().getFirst().id());
    assertThat(bench
            .store()
            .held(new ClaimRef(claimed.ref().job(), 9, claimed.ref().worker())))
        .isEmpty();
    bench.advance(MINUTE);
    assertThat(bench.store().held(claimed.ref())).isEmpty();
    assertThat(bench.state(claimed.ref().job())).isEqualTo(JobState.RUNNING);
  }

  @Test
  default void held_ofAFinishedClaim_isEmpty(Bench bench) {
    ClaimedJob claimed = pullOne(bench);
    bench.complete(claimed);
    assertThat(bench.store().held(claimed.ref())).isEmpty();
  }

  @Test
  default void ownLeases_countUnderTheLimitOfTheirQueue(Bench bench) {
    bench.store().queues().save(QueueSettings.of("default").withMaxConcurrent(2));
    bench.add(5);
    ClaimRef first = pull(bench, 1).getFirst().ref();
    assertThat(bench.claim(5)).hasSize(1);
    assertThat(pull(bench, 5)).isEmpty();
    bench.finish(first, Verdicts.completed());
    assertThat(pull(bench, 5)).hasSize(1);
  }

  @Test
  default void visit_keepsOneEntry_forAName(Bench bench) {
    long id = bench.store().workers().visit(remote("w"), MINUTE);
    Instant start = bench.now();
    bench.advance(Duration.ofSeconds(10));
    WorkerSpec changed = WorkerSpec.remote("default", "default", "w", 2, Set.of("a"));
    assertThat(bench.other().workers().visit(changed, MINUTE)).isEqualTo(id);
    assertThat(bench.store().workers().live())
        .containsExactly(
            new WorkerRecord(id, changed, start, bench.now(), bench.now().plus(MINUTE), 0));
    bench.store().workers().visit(WorkerSpec.remote("acme", "default", "w", 1, Set.of()), MINUTE);
    bench.store().workers().visit(WorkerSpec.remote("default", "mail", "w", 1, Set.of()), MINUTE);
    bench.worker("w", MINUTE);
    assertThat(bench.store().workers().live()).extracting(WorkerRecord::id).hasSize(4);
  }

  @Test
  default void visit_afterALongSilence_beginsAnew_andKeepsItsClaims(Bench bench) {
    ClaimRef ref = pullOne(bench).ref();
    bench.store().extend(ref, Duration.ofDays(1));
    bench.advance(Duration.ofHours(3));
    bench.lostClaims();
    long worker = bench.store().workers().visit(remote("puller"), MINUTE);
    WorkerRecord back = bench.store().workers().live().getFirst();
    assertThat(back.id()).isEqualTo(worker);
    assertThat(back.startedAt()).isEqualTo(bench.now());
    assertThat(back.running()).isEqualTo(1);
  }

  @Test
  default void extendAndLost_neverBothHaveTheClaim(Bench bench) {
    for (int i = 0; i < 20; i++) {
      ClaimRef ref = pullOne(bench).ref();
      bench.advance(MINUTE.minusNanos(1_000));
      List<Boolean> had = Together.run(3, n -> () -> switch (n) {
        case 0 -> bench.store().extend(ref, MINUTE).isPresent();
        case 1 -> bench.advance(Duration.ofNanos(1_000)) == null;
        default ->
          bench.other().workers().lost(10).stream()
              .flatMap(worker -> worker.claims().stream())
              .anyMatch(claim -> claim.ref().equals(ref));
      });
      assertThat(had.get(0) && had.get(2)).as("extended and shown as lost").isFalse();
      bench.finish(ref, Verdicts.completed());
    }
  }
}
