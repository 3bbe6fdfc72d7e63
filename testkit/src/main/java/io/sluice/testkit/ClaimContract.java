package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Defaults;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.Metadata;
import io.sluice.Priority;
import io.sluice.store.Claim;
import io.sluice.store.ClaimedJob;
import io.sluice.store.JobStore;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneQuota;
import io.sluice.store.Strikes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Who gets which ready job, and in what order. */
public interface ClaimContract extends StoreTopic {
  @Test
  default void claim_givesNothing_whenNothingIsReady(Bench bench) {
    bench.add(Draft.job().in(Duration.ofSeconds(1)));
    assertThat(bench.store().heads()).isEmpty();
    assertThat(bench.claim(10)).isEmpty();
  }

  @Test
  default void claim_givesNothing_whenNoLaneIsNamed(Bench bench) {
    bench.add();
    assertThat(bench.store().claim(new Claim(bench.worker(), List.of(), 10)).jobs())
        .isEmpty();
  }

  @Test
  default void claim_isFirstInFirstOut(Bench bench) {
    List<UUID> jobs = bench.add(10);
    assertThat(Bench.idsOf(bench.claim(4))).isEqualTo(jobs.subList(0, 4));
    assertThat(Bench.idsOf(bench.claim(10))).isEqualTo(jobs.subList(4, 10));
  }

  @Test
  default void claim_isFirstInFirstOut_overSeveralInserts(Bench bench) {
    UUID first = bench.add();
    bench.advance(Duration.ofSeconds(1));
    UUID second = bench.add();
    assertThat(Bench.idsOf(bench.claim(2))).containsExactly(first, second);
  }

  @Test
  default void claim_handsOverTheWholeJob(Bench bench) {
    Draft draft = Draft.job()
        .lane(new Lane("acme", "default", "http", "crm", "customer-7"))
        .payload("{\"n\":1}")
        .priority(Priority.HIGH)
        .treatment(Defaults.RETRY.withMaxAttempts(2), Duration.ofSeconds(9))
        .key("k")
        .expiresAt(bench.now().plusSeconds(3600))
        .metadata(Metadata.NONE.withSource("test").with("n", 1))
        .cost(4);
    UUID job = bench.add(draft);
    Instant created = bench.now();
    bench.advance(Duration.ofSeconds(7));
    ClaimedJob claimed = bench.claimOne();
    assertThat(claimed.ref().job()).isEqualTo(job);
    assertThat(claimed.lane()).isEqualTo(draft.lane());
    assertThat(claimed.spec()).isEqualTo(draft.spec());
    assertThat(claimed.createdAt()).isEqualTo(created);
    assertThat(claimed.claimedAt()).isEqualTo(bench.now());
    assertThat(claimed.attempt()).isEqualTo(1);
    assertThat(claimed.strikes()).isEqualTo(Strikes.NONE);
  }

  @Test
  default void claim_makesTheJobRunning(Bench bench) {
    UUID job = bench.add();
    long worker = bench.worker("mole", Duration.ofSeconds(30));
    bench.claimOne(worker);
    JobRecord record = bench.find(job);
    assertThat(record.state()).isEqualTo(JobState.RUNNING);
    assertThat(record.status().worker()).isEqualTo("mole");
    assertThat(record.status().leaseUntil()).isEqualTo(bench.now().plusSeconds(30));
  }

  @Test
  default void claim_takesNoMoreThanMax(Bench bench) {
    bench.add(3, Draft.job().type("a"));
    bench.add(3, Draft.job().type("b"));
    assertThat(bench.claim(4)).hasSize(4);
    assertThat(bench.claim(4)).hasSize(2);
  }

  @Test
  default void claim_takesNoMoreThanTheQuotaOfALane(Bench bench) {
    bench.add(5, Draft.job().type("a"));
    bench.add(5, Draft.job().type("b"));
    LaneHead a = bench.head(Draft.job().type("a").lane(), 10);
    LaneHead b = bench.head(Draft.job().type("b").lane(), 10);
    List<ClaimedJob> claimed = bench
        .store()
        .claim(new Claim(
            bench.worker(),
            List.of(new LaneQuota(a.laneId(), 10, 2), new LaneQuota(b.laneId(), 10, 1)),
            10))
        .jobs();
    assertThat(claimed).extracting(c -> c.lane().type()).containsExactly("a", "a", "b");
  }

  @Test
  default void claim_visitsLanes_inTheOrderGiven(Bench bench) {
    bench.add(2, Draft.job().type("a"));
    bench.add(2, Draft.job().type("b"));
    bench.add(2, Draft.job().type("c"));
    List<LaneQuota> order = new ArrayList<>();
    for (String type : List.of("c", "a", "b")) {
      order.add(new LaneQuota(bench.head(Draft.job().type(type).lane(), 10).laneId(), 10, 2));
    }
    assertThat(bench.store().claim(new Claim(bench.worker(), order, 3)).jobs())
        .extracting(c -> c.lane().type())
        .containsExactly("c", "c", "a");
  }

  @Test
  default void claim_leavesOutLanesNotNamed(Bench bench) {
    bench.add(3, Draft.job().type("held"));
    UUID free = bench.add(Draft.job().type("free"));
    List<ClaimedJob> claimed =
        bench.claimLane(bench.worker(), Draft.job().type("free").lane(), 10, 10);
    assertThat(Bench.idsOf(claimed)).containsExactly(free);
  }

  @Test
  default void claim_takesThePrioritiesNamed_inTheOrderGiven(Bench bench) {
    UUID low = bench.add(Draft.job().priority(Priority.LOW));
    UUID normal = bench.add(Draft.job());
    UUID critical = bench.add(Draft.job().priority(Priority.CRITICAL));
    assertThat(Bench.idsOf(bench.claim(3))).containsExactly(critical, normal, low);
  }

  @Test
  default void claim_leavesOutPrioritiesNotNamed(Bench bench) {
    bench.add(Draft.job().priority(3));
    UUID seven = bench.add(Draft.job().priority(7));
    assertThat(Bench.idsOf(bench.claimLane(bench.worker(), Draft.job().lane(), 7, 10)))
        .containsExactly(seven);
  }

  @Test
  default void claim_knowsAllPriorities(Bench bench) {
    for (int priority = 20; priority >= 0; priority--) {
      bench.add(Draft.job().priority(priority));
    }
    List<Integer> order =
        bench.claim(30).stream().map(c -> c.spec().priority().value()).toList();
    assertThat(order).hasSize(21).isSorted();
  }

  @Test
  default void claim_servesALane_howeverLongItsNeighbourIs(Bench bench) {
    bench.add(100, Draft.job().tenant("noisy"));
    UUID quiet = bench.add(Draft.job().tenant("quiet"));
    assertThat(bench.claimLane(bench.worker(), Draft.job().tenant("quiet").lane(), 10, 5))
        .extracting(c -> c.ref().job())
        .containsExactly(quiet);
  }

  @Test
  default void claim_ofLanesThatShareAllButOnePart_areApart(Bench bench) {
    Lane plain = Lane.of("acme", "default", "http");
    List<Lane> lanes = List.of(
        plain,
        new Lane("acme", "default", "http", "crm", ""),
        new Lane("acme", "default", "http", "", "crm"),
        new Lane("acme", "default", "http", "crm", "crm"));
    lanes.forEach(lane -> bench.add(Draft.job().lane(lane)));
    assertThat(bench.store().heads())
        .extracting(LaneHead::lane)
        .containsExactlyInAnyOrderElementsOf(lanes);
    assertThat(bench.store().heads()).extracting(LaneHead::laneId).doesNotHaveDuplicates();
  }

  @Test
  default void claim_skipsWhatIsRunning(Bench bench) {
    List<UUID> jobs = bench.add(2);
    assertThat(Bench.idsOf(bench.claim(1))).containsExactly(jobs.get(0));
    assertThat(Bench.idsOf(bench.claim(2))).containsExactly(jobs.get(1));
    assertThat(bench.claim(1)).isEmpty();
  }

  @Test
  default void claim_skipsWhatIsOver(Bench bench) {
    for (JobState state : JobState.values()) {
      if (state.isFinal()) {
        bench.addIn(state);
      }
    }
    assertThat(bench.claim(10)).isEmpty();
    assertThat(bench.store().heads()).isEmpty();
  }

  @Test
  default void claim_skipsExpiredWorker(Bench bench) {
    UUID job = bench.add();
    long worker = bench.worker("late", Duration.ofSeconds(30));
    bench.advance(Duration.ofSeconds(31));
    assertThat(bench.claim(worker, 1)).isEmpty();
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void claim_skipsWorkerThatLeft(Bench bench) {
    bench.add();
    long worker = bench.worker("gone", Duration.ofSeconds(30));
    bench.store().workers().leave(worker);
    assertThat(bench.claim(worker, 1)).isEmpty();
  }

  @Test
  default void claim_skipsUnknownWorker(Bench bench) {
    UUID job = bench.add();
    assertThat(bench.claim(Long.MAX_VALUE, 1)).isEmpty();
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void claim_servesWorkerOfExtendedLease(Bench bench) {
    bench.add();
    long worker = bench.worker("steadfast", Duration.ofSeconds(30));
    bench.advance(Duration.ofSeconds(20));
    bench.store().workers().heartbeat(worker, Duration.ofSeconds(30), List.of());
    bench.advance(Duration.ofSeconds(20));
    assertThat(bench.claim(worker, 1)).hasSize(1);
  }

  @Test
  default void claim_givesRetriedJobItsPlaceBack(Bench bench) {
    List<UUID> jobs = bench.add(3);
    ClaimedJob first = bench.claimOne();
    assertThat(bench.finish(first.ref(), Verdicts.retryNow())).isTrue();
    assertThat(Bench.idsOf(bench.claim(3))).isEqualTo(jobs);
  }

  @Test
  default void claim_countsTurnsUp(Bench bench) {
    UUID job = bench.add();
    int last = -1;
    for (int i = 0; i < 4; i++) {
      ClaimedJob claimed = bench.claim(job);
      assertThat(claimed.ref().turn()).isGreaterThan(last);
      last = claimed.ref().turn();
      bench.finish(claimed.ref(), i % 2 == 0 ? Verdicts.givenBack() : Verdicts.retryNow());
    }
  }

  @Test
  default void claim_countsTurnsUp_overReplay(Bench bench) {
    ClaimedJob first = bench.running();
    bench.finish(first.ref(), Verdicts.dead("no"));
    bench.store().replay(first.ref().job());
    assertThat(bench.claimOne().ref().turn()).isGreaterThan(first.ref().turn());
  }

  @Test
  default void claim_neverGivesAJobTwice_toTwoInstances(Bench bench) {
    bench.add(40);
    List<UUID> taken = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      taken.addAll(Bench.idsOf(bench.claim(bench.store(), bench.worker(), 2)));
      taken.addAll(Bench.idsOf(bench.claim(bench.other(), bench.worker(), 2)));
    }
    assertThat(taken).hasSize(40).doesNotHaveDuplicates();
  }

  @Test
  default void claim_neverGivesAJobTwice_toEightThreads(Bench bench) {
    int jobs = 2_000;
    bench.add(jobs / 2, Draft.job().type("a"));
    bench.add(jobs / 2, Draft.job().type("b"));
    List<List<UUID>> taken = Together.run(8, i -> drain(bench, i));
    List<UUID> all = taken.stream().flatMap(List::stream).toList();
    assertThat(new HashSet<>(all)).as("every job").hasSize(jobs);
    assertThat(all).as("no job twice").hasSize(jobs);
  }

  private static Callable<List<UUID>> drain(Bench bench, int number) {
    JobStore store = number % 2 == 0 ? bench.store() : bench.other();
    long worker = bench.worker("w" + number, Duration.ofDays(1));
    return () -> {
      List<UUID> mine = new ArrayList<>();
      // Bounded, so that a store that gives nothing or too much fails instead of going on for ever.
      for (int calls = 0; calls < 5_000 && !store.heads().isEmpty(); calls++) {
        mine.addAll(Bench.idsOf(bench.claim(store, worker, 16)));
      }
      return mine;
    };
  }
}
