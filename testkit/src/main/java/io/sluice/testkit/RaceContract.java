package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.CancelResult;
import io.sluice.Enqueued;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.Heartbeat;
import io.sluice.store.JobStore;
import io.sluice.store.LostClaim;
import io.sluice.store.LostWorker;
import io.sluice.store.NewJob;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import io.sluice.testkit.Race.Answers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who looks first and writes later, against whoever is faster: one wins, and the other changes nothing. */
public interface RaceContract extends StoreTopic {
  Duration LEASE = Duration.ofSeconds(30);
  Strikes ONE_STRIKE = new Strikes(1, 0);

  @Test
  default void rescue_orFinish_hasOneWinner(Bench bench) {
    Race.rounds(round -> {
      ClaimRef lost = lostClaim(bench);
      Answers<Boolean, Boolean> won = Race.run(
          round,
          () -> bench.finish(lost, Verdicts.struck(ONE_STRIKE)),
          () -> finish(bench.other(), lost, Verdicts.completed()));
      assertThat(won.first()).as("rescued, unless finished").isNotEqualTo(won.second());
      assertStands(
          bench, round, lost, won.first() ? JobState.PENDING : JobState.COMPLETED, won.first());
    });
  }

  @Test
  default void rescue_orRetry_hasOneWinner(Bench bench) {
    Race.rounds(round -> {
      ClaimRef lost = lostClaim(bench);
      Answers<Boolean, Boolean> won = Race.run(
          round,
          () -> bench.finish(lost, Verdicts.struck(ONE_STRIKE)),
          () -> finish(bench.other(), lost, Verdicts.retryIn(Duration.ofHours(9))));
      assertThat(won.first()).as("rescued, unless retried").isNotEqualTo(won.second());
      assertStands(
          bench, round, lost, won.first() ? JobState.PENDING : JobState.RETRYING, won.first());
    });
  }

  @Test
  default void lateRescue_sparesTheNextClaim(Bench bench) {
    Race.rounds(round -> {
      ClaimRef lost = lostClaim(bench);
      bench.worker();
      Answers<Boolean, List<ClaimedJob>> answers =
          Race.run(round, () -> bench.finish(lost, Verdicts.struck(new Strikes(2, 0))), () -> {
            finish(bench.other(), lost, Verdicts.struck(ONE_STRIKE));
            return bench.claim(bench.other(), bench.worker(), 1);
          });
      ClaimedJob claimed = answers.second().getFirst();
      assertThat(claimed.ref().turn()).isGreaterThan(lost.turn());
      assertThat(claimed.strikes().alone()).isEqualTo(answers.first() ? 2 : 1);
      assertThat(bench.finish(lost, Verdicts.dead("late"))).isFalse();
      assertThat(bench.complete(claimed)).isTrue();
      Race.assertSound(bench, round);
    });
  }

  @Test
  default void cancel_orFinish_hasOneWinner_andTheCounterIsRight(Bench bench) {
    bench.store().queues().save(QueueSettings.of("capped").withMaxSize(5L));
    Race.rounds(round -> {
      ClaimRef ref = bench.claim(bench.add(Draft.job().queue("capped"))).ref();
      Verdict verdict = Verdicts.into(round % 2 == 0 ? JobState.COMPLETED : JobState.DEAD);
      Answers<CancelResult, Boolean> answers = Race.run(
          round,
          () -> bench.store().cancel(ref.job(), "race", Verdicts.KEEP),
          () -> finish(bench.other(), ref, verdict));
      boolean finished = answers.second();
      assertThat(answers.first())
          .isEqualTo(finished ? CancelResult.ALREADY_FINISHED : CancelResult.CANCELLED);
      assertThat(bench.state(ref.job()))
          .isEqualTo(finished ? ((Verdict.End) verdict).state() : JobState.CANCELLED);
      Race.assertSound(bench, round);
    });
  }

  @Test
  default void cancel_isFinal_againstPromotionAndClaim(Bench bench) {
    bench.worker();
    Race.rounds(round -> {
      UUID job = bench.add(Draft.job().in(Duration.ofSeconds(1)));
      bench.advance(Duration.ofSeconds(2));
      Answers<CancelResult, List<ClaimedJob>> answers =
          Race.run(round, () -> bench.store().cancel(job, "race", Verdicts.KEEP), () -> {
            bench.other().promote(10);
            return bench.claim(bench.other(), bench.worker(), 1);
          });
      assertThat(answers.first()).isEqualTo(CancelResult.CANCELLED);
      assertThat(bench.state(job)).isEqualTo(JobState.CANCELLED);
      answers.second().forEach(claimed -> assertThat(bench.complete(claimed)).isFalse());
      assertThat(bench.claim(1)).isEmpty();
      assertThat(bench.state(job)).isEqualTo(JobState.CANCELLED);
      Race.assertSound(bench, round);
    });
  }

  @Test
  default void cancel_isFinal_againstRetryAndClaim(Bench bench) {
    bench.worker();
    Race.rounds(round -> {
      ClaimRef ref = bench.running().ref();
      Answers<CancelResult, List<ClaimedJob>> answers =
          Race.run(round, () -> bench.store().cancel(ref.job(), "race", Verdicts.KEEP), () -> {
            finish(bench.other(), ref, Verdicts.retryNow());
            return bench.claim(bench.other(), bench.worker(), 1);
          });
      assertThat(answers.first()).isEqualTo(CancelResult.CANCELLED);
      answers.second().forEach(claimed -> assertThat(bench.complete(claimed)).isFalse());
      assertThat(bench.state(ref.job())).isEqualTo(JobState.CANCELLED);
      Race.assertSound(bench, round);
    });
  }

  @Test
  default void replay_orDelete_hasOneWinner(Bench bench) {
    Race.rounds(round -> {
      UUID job = bench.addIn(JobState.DEAD);
      Answers<Boolean, Boolean> won =
          Race.run(round, () -> bench.store().replay(job), () -> bench.other().delete(job));
      assertThat(won.first()).as("replayed, unless deleted").isNotEqualTo(won.second());
      assertThat(bench.store().find(job).isPresent()).isEqualTo(won.first());
      assertThat(Bench.idsOf(bench.claim(1))).isEqualTo(won.first() ? List.of(job) : List.of());
      Race.assertSound(bench, round);
    });
  }

  @Test
  default void replayAll_inOppositeOrders_takesEachJobOnce(Bench bench) {
    Race.rounds(round -> {
      List<UUID> jobs =
          IntStream.range(0, 4).mapToObj(i -> bench.addIn(JobState.DEAD)).toList();
      Answers<List<UUID>, List<UUID>> won = Race.run(
          round,
          () -> bench.store().replayAll(jobs),
          () -> bench.other().replayAll(jobs.reversed()));
      assertThat(Stream.concat(won.first().stream(), won.second().stream()))
          .containsExactlyInAnyOrderElementsOf(jobs);
      assertThat(bench.claim(jobs.size() + 1)).hasSize(jobs.size());
      Race.assertSound(bench, round);
    });
  }

  @Test
  default void replay_orPurge_hasOneWinner(Bench bench) {
    int jobsOfARound = 25;
    Duration keep = Duration.ofDays(20);
    for (int round = 0; round * jobsOfARound < Race.rounds(); round++) {
      bench.add(jobsOfARound);
      List<ClaimedJob> claimed = bench.claim(jobsOfARound);
      claimed.forEach(c -> bench.finish(c.ref(), Verdicts.end(JobState.DEAD, keep)));
      bench.advance(keep.minusMillis(1));
      Answers<Set<UUID>, Long> answers = Race.run(round, () -> replayed(bench, claimed), () -> {
        bench.advance(Duration.ofMillis(1));
        return bench.other().purge();
      });
      Set<UUID> alive = answers.first();
      for (ClaimedJob job : claimed) {
        assertThat(bench.store().find(job.ref().job()).map(JobRecord::state).orElse(JobState.DEAD))
            .isEqualTo(alive.contains(job.ref().job()) ? JobState.PENDING : JobState.DEAD);
      }
      assertThat(new HashSet<>(Bench.idsOf(bench.claim(jobsOfARound)))).isEqualTo(alive);
      Race.assertSound(bench, round * jobsOfARound);
    }
  }

  @Test
  default void expiry_orClaim_hasOneWinner(Bench bench) {
    bench.worker();
    Race.rounds(round -> {
      UUID job = bench.add(Draft.job().expiresAt(bench.now().plusSeconds(1)));
      bench.advance(Duration.ofSeconds(2));
      Answers<List<UUID>, List<ClaimedJob>> answers = Race.run(
          round,
          () -> bench.store().expire(10),
          () -> bench.claim(bench.other(), bench.worker(), 1));
      boolean expired = answers.first().contains(job);
      assertThat(expired).isNotEqualTo(!answers.second().isEmpty());
      assertThat(bench.state(job)).isEqualTo(expired ? JobState.CANCELLED : JobState.RUNNING);
      answers.second().forEach(claimed -> assertThat(bench.complete(claimed)).isTrue());
      Race.assertSound(bench, round);
    });
  }

  @Test
  default void sameKeys_inOppositeOrder_haveOneWinnerEach(Bench bench) {
    bench.makeQueue("keyed");
    Race.rounds(round -> {
      List<NewJob> there = new ArrayList<>();
      List<NewJob> back = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        there.add(bench.made(keyed(round, i)));
        back.addFirst(bench.made(keyed(round, i)));
      }
      Answers<List<Enqueued>, List<Enqueued>> answers = Race.run(
          round,
          () -> insert(bench.store(), there, round % 3 == 0),
          () -> insert(bench.other(), back, round % 4 == 3));
      for (int i = 0; i < 8; i++) {
        Enqueued one = answers.first().get(i);
        Enqueued other = answers.second().get(7 - i);
        assertThat(one.id()).isEqualTo(other.id());
        assertThat(one.duplicate()).as("the first of two").isNotEqualTo(other.duplicate());
        assertThat(bench.state(one.id())).isEqualTo(JobState.PENDING);
      }
      assertThat(bench.claim(100)).hasSize(8).allMatch(bench::complete);
      Race.assertSound(bench, round);
    });
  }

  @Test
  default void heartbeat_orExpiry_hasOneWinner(Bench bench) {
    Race.rounds(round -> {
      long worker = bench.worker("w", LEASE);
      ClaimRef ref = bench.claim(worker, bench.add()).ref();
      bench.advance(LEASE.minusMillis(1));
      Answers<Heartbeat, List<LostWorker>> answers = Race.run(
          round, () -> bench.store().workers().heartbeat(worker, LEASE, List.of(ref)), () -> {
            bench.advance(Duration.ofMillis(1));
            return bench.other().workers().lost(10);
          });
      boolean alive = answers.first().alive();
      assertThat(answers.second().isEmpty())
          .as("seen as lost, unless the heartbeat came first")
          .isEqualTo(alive);
      assertThat(bench.lostClaims()).hasSize(alive ? 0 : 1);
      assertThat(bench.finish(ref, Verdicts.completed())).isTrue();
      Race.assertSound(bench, round);
    });
  }

  private static Draft keyed(int round, int i) {
    return Draft.job().queue("keyed").key("k" + round + "-" + (round % 2 == 0 ? i : 9 - i));
  }

  /** In one call, or one by one. */
  private static List<Enqueued> insert(JobStore store, List<NewJob> jobs, boolean oneByOne) {
    return oneByOne
        ? jobs.stream().map(job -> store.insert(List.of(job)).getFirst()).toList()
        : store.insert(jobs);
  }

  private static Set<UUID> replayed(Bench bench, List<ClaimedJob> jobs) {
    Set<UUID> replayed = new HashSet<>();
    for (ClaimedJob job : jobs) {
      if (bench.store().replay(job.ref().job())) {
        replayed.add(job.ref().job());
      }
    }
    return replayed;
  }

  private static boolean finish(JobStore store, ClaimRef ref, Verdict verdict) {
    return store.finish(List.of(new Finish(ref, verdict))).contains(ref);
  }

  /** A claim as a rescuer sees it who has looked and not yet written. */
  private static ClaimRef lostClaim(Bench bench) {
    long worker = bench.worker("lost", LEASE);
    UUID job = bench.add();
    bench.claim(worker, job);
    bench.advance(LEASE.plusSeconds(1));
    List<LostClaim> lost = bench.lostClaims();
    assertThat(lost).extracting(claim -> claim.ref().job()).containsExactly(job);
    return lost.getFirst().ref();
  }

  /** The job is as the winner left it; then it is put away. */
  private static void assertStands(
      Bench bench, int round, ClaimRef ref, JobState state, boolean struck) {
    JobRecord job = bench.find(ref.job());
    assertThat(job.state()).isEqualTo(state);
    assertThat(job.status().strikes()).isEqualTo(struck ? 1 : 0);
    assertThat(job.attempt()).isEqualTo(struck ? 0 : 1);
    assertThat(bench.finish(ref, Verdicts.dead("late"))).isFalse();
    assertThat(bench.find(ref.job())).isEqualTo(job);
    Race.assertSound(bench, round);
    bench.store().cancel(ref.job(), "put away", Verdicts.KEEP);
  }
}
