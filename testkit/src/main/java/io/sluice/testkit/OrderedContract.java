package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import io.sluice.Limit;
import io.sluice.Ordering;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.Scope;
import io.sluice.WaitingJobs;
import io.sluice.store.Claim;
import io.sluice.store.Claimed;
import io.sluice.store.ClaimedJob;
import io.sluice.store.JobStore;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneQuota;
import io.sluice.store.LostClaim;
import io.sluice.store.NewJob;
import io.sluice.store.SpentLimit;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Queues and limit keys whose jobs run strictly one after the other. */
public interface OrderedContract extends StoreTopic {
  private static void order(Bench bench, Ordering ordering) {
    bench.store().queues().save(QueueSettings.of("fifo").withOrdered(ordering));
  }

  private static Draft job() {
    return Draft.job().queue("fifo");
  }

  private static List<UUID> claimed(Bench bench) {
    return Bench.idsOf(bench.claim(bench.other(), bench.worker(), 10));
  }

  @Test
  default void orderedQueue_runsInTheOrderOfAcknowledgement_whateverTheIdsSay(Bench bench) {
    order(bench, Ordering.QUEUE);
    List<NewJob> made = new ArrayList<>(bench.made(6, job()));
    Collections.reverse(made);
    bench.store().insert(List.of(made.get(0)));
    bench.store().insert(made.subList(1, 4));
    bench.other().insert(made.subList(4, 6));
    for (NewJob job : made) {
      List<ClaimedJob> one = bench.claim(10);
      assertThat(Bench.idsOf(one)).containsExactly(job.id());
      bench.complete(one.getFirst());
    }
  }

  @Test
  default void orderedKey_runsInTheOrderOfAcknowledgement_alsoAfterARetry(Bench bench) {
    order(bench, Ordering.KEY);
    List<NewJob> made = new ArrayList<>(bench.made(3, job().limitKey("k")));
    Collections.reverse(made);
    made.forEach(job -> bench.store().insert(List.of(job)));
    ClaimedJob first = bench.claim(10).getFirst();
    assertThat(first.ref().job()).isEqualTo(made.getFirst().id());
    bench.finish(first.ref(), Verdict.unspent(Strikes.NONE));
    for (NewJob job : made) {
      List<ClaimedJob> one = bench.claim(10);
      assertThat(Bench.idsOf(one)).containsExactly(job.id());
      bench.complete(one.getFirst());
    }
  }

  @Test
  default void orderedQueue_takesAJobThatWasForLater_byWhenItCameIn(Bench bench) {
    order(bench, Ordering.QUEUE);
    List<NewJob> made = new ArrayList<>(bench.made(2, job().type("b")));
    UUID later = bench.add(job().in(Duration.ofMinutes(1)));
    bench.store().insert(List.of(made.get(0)));
    bench.complete(bench.claim(10).getFirst());
    bench.store().insert(List.of(made.get(1)));
    bench.advance(Duration.ofMinutes(1));
    bench.store().promote(10);
    assertThat(Bench.idsOf(bench.claim(10))).containsExactly(later);
  }

  @Test
  default void orderedQueue_keepsItsOrder_behindManyThatWereCancelled(Bench bench) {
    assertOrderBehind(bench, gone -> bench.store().cancelAll(gone, "no"));
  }

  @Test
  default void orderedQueue_keepsItsOrder_afterAllThatWaitedWasCancelled(Bench bench) {
    WaitingJobs all = WaitingJobs.ofQueue("default", "fifo");
    assertOrderBehind(
        bench, gone -> bench.store().cancelWaiting(all, "no", Verdicts.KEEP, gone.size()));
  }

  @Test
  default void orderedQueue_keepsItsOrder_behindManyThatExpired(Bench bench) {
    assertOrderBehind(bench, gone -> {
      bench.advance(Duration.ofMinutes(2));
      bench.store().expire(gone.size());
    });
  }

  private static void assertOrderBehind(Bench bench, Consumer<List<UUID>> end) {
    order(bench, Ordering.QUEUE);
    end.accept(bench.add(150, job().expiresAt(bench.now().plus(Duration.ofMinutes(1)))));
    List<NewJob> made = bench.made(2, job()).reversed();
    made.forEach(job -> bench.store().insert(List.of(job)));
    for (NewJob job : made) {
      List<ClaimedJob> one = bench.claim(10);
      assertThat(Bench.idsOf(one)).containsExactly(job.id());
      bench.complete(one.getFirst());
    }
  }

  @Test
  default void orderedQueue_runsOneAtATime_theOldestFirst_whateverLaneAndPriority(Bench bench) {
    order(bench, Ordering.QUEUE);
    List<UUID> jobs = List.of(
        bench.add(job().priority(15)),
        bench.add(job().type("b").priority(5)),
        bench.add(job().limitKey("k")),
        bench.add(job().type("b").priority(5)),
        bench.add(job().urlGroup("g").priority(0)));
    for (UUID job : jobs) {
      List<ClaimedJob> one = bench.claim(10);
      assertThat(Bench.idsOf(one)).containsExactly(job);
      assertThat(claimed(bench)).as("while it runs").isEmpty();
      bench.complete(one.getFirst());
    }
    assertThat(bench.claim(10)).isEmpty();
  }

  @Test
  default void orderedQueue_givesNothing_whenItsOldestIsNotNamed(Bench bench) {
    order(bench, Ordering.QUEUE);
    UUID oldest = bench.add(job().type("a").priority(20));
    bench.add(job().type("a").priority(1));
    bench.add(job().type("b"));
    assertThat(bench.claimLane(bench.worker(), job().type("b").lane(), 10, 5)).isEmpty();
    assertThat(bench.claimLane(bench.worker(), job().type("a").lane(), 1, 5)).isEmpty();
    assertThat(Bench.idsOf(bench.claimLane(bench.worker(), job().type("a").lane(), 20, 5)))
        .containsExactly(oldest);
  }

  @Test
  default void orderedKeys_runOneAtATimeEach_andJobsWithoutAKeyAreFree(Bench bench) {
    order(bench, Ordering.KEY);
    List<UUID> a = bench.add(3, job().limitKey("a"));
    List<UUID> b = bench.add(3, job().limitKey("b"));
    List<UUID> free = bench.add(3, job());
    List<ClaimedJob> first = bench.claim(20);
    assertThat(Bench.idsOf(first))
        .containsExactlyInAnyOrder(a.get(0), b.get(0), free.get(0), free.get(1), free.get(2));
    assertThat(claimed(bench)).isEmpty();
    first.stream().filter(job -> job.ref().job().equals(a.get(0))).forEach(bench::complete);
    assertThat(claimed(bench)).containsExactly(a.get(1));
  }

  @Test
  default void orderedKey_isOneOverLanes_butOfOneQueueAndTenant(Bench bench) {
    order(bench, Ordering.KEY);
    bench.store().queues().save(QueueSettings.of("second").withOrdered(Ordering.KEY));
    bench.makeQueue("open");
    UUID first = bench.add(job().type("x").limitKey("a").priority(19));
    bench.add(job().type("y").limitKey("a").priority(1));
    UUID second = bench.add(Draft.job().queue("second").limitKey("a"));
    List<UUID> open = bench.add(2, Draft.job().queue("open").limitKey("a"));
    assertThat(Bench.idsOf(bench.claim(20)))
        .containsExactlyInAnyOrder(first, second, open.get(0), open.get(1));
  }

  @Test
  default void everyEndOfAJob_letsTheNextRun(Bench bench) {
    order(bench, Ordering.QUEUE);
    List<Verdict> ends = List.of(
        Verdicts.completed(),
        Verdicts.completed("\"done\""),
        Verdicts.dead("no"),
        Verdicts.end(JobState.FAILED, "no"),
        Verdicts.end(JobState.CANCELLED, "no"));
    List<UUID> jobs = bench.add(ends.size() + 2, job());
    for (int i = 0; i < ends.size(); i++) {
      ClaimedJob one = bench.claimOne();
      assertThat(one.ref().job()).isEqualTo(jobs.get(i));
      bench.finish(one.ref(), ends.get(i));
    }
    ClaimedJob one = bench.claimOne();
    bench.store().cancel(one.ref().job(), "by hand", Verdicts.KEEP);
    assertThat(claimed(bench)).containsExactly(jobs.getLast());
  }

  @Test
  default void aJobThatWaitsForItsRetry_holdsTheOthersUp(Bench bench) {
    order(bench, Ordering.QUEUE);
    List<UUID> jobs = bench.add(2, job());
    bench.add(job().type("other").priority(1));
    bench.finish(bench.claimOne().ref(), Verdicts.retryIn(Duration.ofMinutes(1)));
    assertThat(bench.claim(10)).isEmpty();
    assertThat(claimed(bench)).isEmpty();
    bench.advance(Duration.ofMinutes(1));
    bench.store().promote(10);
    ClaimedJob again = bench.claimOne();
    assertThat(again.ref().job()).isEqualTo(jobs.get(0));
    bench.complete(again);
    assertThat(claimed(bench)).containsExactly(jobs.get(1));
  }

  @Test
  default void aJobThatSnoozes_holdsUpItsKey_andNoOther(Bench bench) {
    order(bench, Ordering.KEY);
    List<UUID> a = bench.add(2, job().limitKey("a"));
    bench.finish(bench.claim(a.get(0)).ref(), Verdicts.snooze(Duration.ofMinutes(1)));
    UUID b = bench.add(job().limitKey("b"));
    assertThat(claimed(bench)).containsExactly(b);
    bench.advance(Duration.ofMinutes(1));
    bench.store().promote(10);
    assertThat(claimed(bench)).containsExactly(a.get(0));
  }

  @Test
  default void aJobForLater_holdsUpNobody(Bench bench) {
    order(bench, Ordering.QUEUE);
    bench.add(job().in(Duration.ofMinutes(1)));
    UUID due = bench.add(job());
    assertThat(claimed(bench)).containsExactly(due);
  }

  @Test
  default void cancelOfAJobThatWaitsForItsRetry_letsTheNextRun(Bench bench) {
    order(bench, Ordering.QUEUE);
    List<UUID> jobs = bench.add(2, job());
    bench.finish(bench.claimOne().ref(), Verdicts.retryIn(Duration.ofMinutes(1)));
    bench.store().cancel(jobs.get(0), "no", Verdicts.KEEP);
    assertThat(claimed(bench)).containsExactly(jobs.get(1));
  }

  @Test
  default void aJobGivenBack_isFirstAgain(Bench bench) {
    order(bench, Ordering.QUEUE);
    List<UUID> jobs = bench.add(2, job());
    bench.finish(bench.claimOne().ref(), Verdicts.givenBack());
    assertThat(claimed(bench)).containsExactly(jobs.get(0));
  }

  @Test
  default void aLostJob_holdsTheOthersUp_untilItIsRescued(Bench bench) {
    order(bench, Ordering.QUEUE);
    List<UUID> jobs = bench.add(2, job());
    bench.claim(bench.worker("short", Duration.ofSeconds(10)), 1);
    bench.advance(Duration.ofSeconds(11));
    assertThat(bench.claim(10)).isEmpty();
    for (LostClaim lost : bench.lostClaims()) {
      bench.finish(lost.ref(), Verdicts.struck(new Strikes(0, 1)));
    }
    assertThat(claimed(bench)).containsExactly(jobs.get(0));
  }

  @Test
  default void aReplayedJob_hasItsOldPlace(Bench bench) {
    order(bench, Ordering.QUEUE);
    List<UUID> jobs = bench.add(3, job());
    bench.finish(bench.claimOne().ref(), Verdicts.dead("no"));
    bench.store().replay(jobs.get(0));
    assertThat(claimed(bench)).containsExactly(jobs.get(0));
  }

  @Test
  default void anOrderThatIsSetAndLifted_countsWhatRuns(Bench bench) {
    bench.makeQueue("fifo");
    bench.add(6, job());
    List<ClaimedJob> two = bench.claim(2);
    order(bench, Ordering.QUEUE);
    assertThat(claimed(bench)).isEmpty();
    bench.complete(two.get(0));
    assertThat(claimed(bench)).isEmpty();
    bench.complete(two.get(1));
    assertThat(claimed(bench)).hasSize(1);
    bench.other().queues().save(QueueSettings.of("fifo"));
    assertThat(bench.claim(10)).hasSize(3);
  }

  @Test
  default void anOrder_isToldAsSpent(Bench bench) {
    order(bench, Ordering.QUEUE);
    bench.add(2, job().type("a"));
    bench.add(2, job().type("b"));
    Integer[] lanes =
        bench.store().heads().stream().map(LaneHead::laneId).sorted().toArray(Integer[]::new);
    Claimed claimed = bench.claim(10, Duration.ZERO);
    assertThat(claimed.jobs()).hasSize(1);
    assertThat(claimed.spent())
        .containsExactly(new SpentLimit(Scope.queue("default", "fifo"), List.of(lanes), null));
  }

  @Test
  default void orderedJobs_keepToLimitsAsWell(Bench bench) {
    order(bench, Ordering.KEY);
    bench.store().limits().save(new Limit(Scope.tenant("default"), new RateLimit(1, 1), null));
    bench.add(3, job().limitKey("a"));
    bench.complete(bench.claimOne());
    assertThat(bench.claim(10)).isEmpty();
    bench.advance(Duration.ofSeconds(1));
    assertThat(bench.claim(10)).hasSize(1);
  }

  @Test
  default void pausedQueue_keepsItsOrder(Bench bench) {
    order(bench, Ordering.QUEUE);
    List<UUID> jobs = bench.add(2, job());
    List<LaneQuota> lanes = List.of(new LaneQuota(bench.head(job().lane(), 10).laneId(), 10, 5));
    bench.store().queues().pause("default", "fifo", true);
    assertThat(bench.store().claim(new Claim(bench.worker(), lanes, 5)).jobs()).isEmpty();
    bench.store().queues().pause("default", "fifo", false);
    assertThat(
            Bench.idsOf(bench.store().claim(new Claim(bench.worker(), lanes, 5)).jobs()))
        .containsExactly(jobs.get(0));
  }

  @Test
  default void manyClaimers_keepTheOrder(Bench bench) {
    order(bench, Ordering.QUEUE);
    List<UUID> jobs = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      jobs.add(bench.add(job().type("t" + i % 3).priority(i % 5)));
    }
    bench.worker();
    List<UUID> done = new ArrayList<>();
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger count = new AtomicInteger();
    Together.run(6, i -> () -> {
      JobStore store = i % 2 == 0 ? bench.store() : bench.other();
      while (count.get() < jobs.size()) {
        for (ClaimedJob job : bench.claim(store, bench.worker(), 3)) {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          synchronized (done) {
            done.add(job.ref().job());
          }
          running.decrementAndGet();
          bench.complete(job);
          count.incrementAndGet();
        }
      }
      return i;
    });
    assertThat(most.get()).isEqualTo(1);
    assertThat(done).isEqualTo(jobs);
  }
}
