package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import io.sluice.Limit;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.Scope;
import io.sluice.store.Claim;
import io.sluice.store.ClaimRef;
import io.sluice.store.Claimed;
import io.sluice.store.ClaimedJob;
import io.sluice.store.JobStore;
import io.sluice.store.LaneQuota;
import io.sluice.store.LostClaim;
import io.sluice.store.SpentLimit;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How many jobs of a queue, a tenant or whatever is limited run at once, whoever claims them. */
public interface ConcurrencyContract extends StoreTopic {
  private static void limit(Bench bench, int most) {
    bench.store().queues().save(QueueSettings.of("mail").withMaxConcurrent(most));
  }

  private static Draft mail() {
    return Draft.job().queue("mail");
  }

  private static List<ClaimedJob> claimElsewhere(Bench bench, int max) {
    return bench.claim(bench.other(), bench.worker(), max);
  }

  @Test
  default void limitedQueue_givesNoMoreThanItMayRun(Bench bench) {
    limit(bench, 3);
    List<UUID> jobs = bench.add(10, mail());
    assertThat(Bench.idsOf(bench.claim(10))).isEqualTo(jobs.subList(0, 3));
    assertThat(bench.claim(10)).isEmpty();
    assertThat(claimElsewhere(bench, 10)).isEmpty();
  }

  @Test
  default void limitedQueue_givesInSteps(Bench bench) {
    limit(bench, 5);
    bench.add(10, mail());
    assertThat(bench.claim(2)).hasSize(2);
    assertThat(claimElsewhere(bench, 2)).hasSize(2);
    assertThat(bench.claim(2)).hasSize(1);
    assertThat(claimElsewhere(bench, 2)).isEmpty();
  }

  @Test
  default void everyEndOfAClaim_freesItsPlace(Bench bench) {
    limit(bench, 1);
    List<Verdict> ends = List.of(
        Verdicts.completed(),
        Verdicts.dead("no"),
        Verdicts.retryIn(Duration.ofHours(1)),
        Verdicts.snooze(Duration.ofHours(1)));
    bench.add(ends.size() + 1, mail());
    for (Verdict end : ends) {
      ClaimRef ref = bench.claimOne().ref();
      assertThat(bench.claim(1)).isEmpty();
      bench.finish(ref, end);
    }
    ClaimRef last = bench.claimOne().ref();
    bench.finish(last, Verdicts.givenBack());
    assertThat(bench.claimOne().ref().job()).isEqualTo(last.job());
  }

  @Test
  default void cancel_freesAPlace_whenTheJobRan(Bench bench) {
    limit(bench, 1);
    List<UUID> jobs = bench.add(3, mail());
    bench.claim(1);
    bench.store().cancel(jobs.get(1), "waits", Verdicts.KEEP);
    assertThat(bench.claim(1)).isEmpty();
    bench.store().cancel(jobs.get(0), "runs", Verdicts.KEEP);
    assertThat(Bench.idsOf(bench.claim(1))).containsExactly(jobs.get(2));
  }

  @Test
  default void rescue_freesThePlaces(Bench bench) {
    limit(bench, 2);
    bench.add(4, mail());
    bench.claim(bench.worker("short", Duration.ofSeconds(10)), 2);
    bench.advance(Duration.ofSeconds(11));
    assertThat(bench.claim(2)).as("lost, and not yet rescued").isEmpty();
    for (LostClaim lost : bench.lostClaims()) {
      bench.finish(lost.ref(), Verdicts.struck(new Strikes(0, 1)));
    }
    assertThat(bench.claim(10)).hasSize(2);
  }

  @Test
  default void lanesOfALimitedQueue_countTogether(Bench bench) {
    limit(bench, 3);
    bench.add(2, mail().type("a").priority(15));
    bench.add(2, mail().type("b").priority(5));
    bench.add(2, mail().type("a").limitKey("k"));
    assertThat(bench.claim(10))
        .extracting(job -> job.lane().type() + job.spec().priority().value())
        .containsExactly("b5", "b5", "a10");
    assertThat(bench.claim(10)).isEmpty();
  }

  @Test
  default void aLaneWithLittleWork_leavesItsRoomToTheNext(Bench bench) {
    limit(bench, 3);
    bench.add(mail().type("a"));
    bench.add(5, mail().type("b"));
    assertThat(bench.claim(10)).extracting(job -> job.lane().type()).containsExactly("a", "b", "b");
  }

  @Test
  default void otherQueues_giveAsBefore_inTheSameClaim(Bench bench) {
    limit(bench, 1);
    bench.store().queues().save(QueueSettings.of("post").withMaxConcurrent(2));
    List<Draft> drafts = List.of(mail(), Draft.job(), Draft.job().queue("post"));
    List<LaneQuota> lanes = new ArrayList<>();
    for (Draft draft : drafts) {
      bench.add(4, draft);
      lanes.add(new LaneQuota(bench.head(draft.lane(), 10).laneId(), 10, 4));
    }
    assertThat(bench.store().claim(new Claim(bench.worker(), lanes, 6)).jobs())
        .extracting(job -> job.lane().queue())
        .containsExactly("mail", "default", "default", "default", "default", "post");
    assertThat(bench.store().claim(new Claim(bench.worker(), lanes, 6)).jobs())
        .extracting(job -> job.lane().queue())
        .containsExactly("post");
  }

  @Test
  default void aLimit_isOfOneTenant(Bench bench) {
    bench.store().queues().save(QueueSettings.of("acme", "mail").withMaxConcurrent(1));
    bench.store().queues().save(QueueSettings.of("globex", "mail"));
    bench.add(3, mail().tenant("acme"));
    bench.add(3, mail().tenant("globex"));
    assertThat(bench.claim(10))
        .extracting(job -> job.lane().tenant())
        .containsOnlyOnce("acme")
        .hasSize(4);
  }

  @Test
  default void aNewLimit_countsWhatRunsAlready_onEveryInstance(Bench bench) {
    bench.makeQueue("mail");
    bench.add(6, mail());
    List<ClaimedJob> first = bench.claim(2);
    bench.other().queues().save(QueueSettings.of("mail").withMaxConcurrent(3));
    assertThat(bench.claim(10)).hasSize(1);
    assertThat(claimElsewhere(bench, 10)).isEmpty();
    first.forEach(bench::complete);
    assertThat(claimElsewhere(bench, 10)).hasSize(2);
  }

  @Test
  default void aLimit_canBeLoweredRaisedAndLifted_whileJobsRun(Bench bench) {
    limit(bench, 4);
    bench.add(30, mail());
    List<ClaimedJob> running = new ArrayList<>(bench.claim(10));
    limit(bench, 2);
    bench.complete(running.removeFirst());
    bench.complete(running.removeFirst());
    assertThat(bench.claim(10)).as("two run, two may").isEmpty();
    bench.complete(running.removeFirst());
    assertThat(bench.claim(10)).hasSize(1);
    limit(bench, 5);
    assertThat(claimElsewhere(bench, 10)).hasSize(3);
    bench.makeQueue("mail");
    assertThat(bench.claim(10)).hasSize(10);
    limit(bench, 16);
    assertThat(bench.claim(10)).as("15 run, 16 may").hasSize(1);
  }

  @Test
  default void everyKindOfScope_isLimited_overItsLanes_andFreedByAnEnd(Bench bench) {
    Draft job = Draft.job().tenant("acme").urlGroup("crm").limitKey("customer-1");
    bench.store().queues().save(QueueSettings.of("acme", "second"));
    List<Scope> scopes = List.of(
        Scope.global(),
        Scope.tenant("acme"),
        Scope.queue("acme", "default"),
        Scope.urlGroup("acme", "crm"),
        Scope.type("acme", Draft.TYPE),
        Scope.key("acme", "customer-1"),
        Scope.key("acme", "customer-*"));
    for (Scope scope : scopes) {
      bench.store().limits().save(new Limit(scope, null, 2));
      bench.add(4, job);
      bench.add(4, job.priority(3));
      List<ClaimedJob> two = bench.claim(10);
      assertThat(two).as(scope.key()).hasSize(2);
      assertThat(claimElsewhere(bench, 10)).as(scope.key()).isEmpty();
      bench.complete(two.getFirst());
      List<ClaimedJob> one = claimElsewhere(bench, 10);
      assertThat(one).as(scope.key()).hasSize(1);
      bench.other().limits().delete(scope);
      List<ClaimedJob> rest = bench.claim(10);
      assertThat(rest).as(scope.key()).hasSize(5);
      Stream.of(two.subList(1, 2), one, rest).flatMap(List::stream).forEach(bench::complete);
    }
  }

  @Test
  default void allLimitsThatCoverALane_holdAtOnce(Bench bench) {
    limit(bench, 4);
    bench.store().limits().save(new Limit(Scope.global(), null, 6));
    bench.store().limits().save(new Limit(Scope.type("default", "a"), null, 2));
    bench.store().limits().save(new Limit(Scope.key("default", "k*"), null, 1));
    for (Draft draft :
        List.of(mail().type("a"), mail().type("b").limitKey("k1"), mail().type("b"), Draft.job())) {
      bench.add(5, draft);
    }
    Claimed claimed = bench.claim(20, Duration.ZERO);
    assertThat(claimed.jobs())
        .extracting(job -> job.lane().queue() + job.lane().type() + job.lane().limitKey())
        .containsExactly("maila", "maila", "mailbk1", "mailb", "defaultwork", "defaultwork");
    assertThat(claimed.spent())
        .extracting(SpentLimit::scope)
        .containsExactlyInAnyOrder(
            Scope.queue("default", "mail"),
            Scope.global(),
            Scope.type("default", "a"),
            Scope.key("default", "k1"));
    assertThat(claimed.spent()).allMatch(spent -> spent.retryIn() == null);
  }

  @Test
  default void aLimitThatAnotherOneHid_countsWhatRuns_whenItAppears(Bench bench) {
    bench.store().limits().save(new Limit(Scope.key("default", "a*"), null, 2));
    bench
        .store()
        .limits()
        .save(new Limit(Scope.key("default", "ab*"), new RateLimit(1000, 1000), null));
    bench.add(6, Draft.job().limitKey("abc"));
    assertThat(bench.claim(2)).hasSize(2);
    bench.other().limits().delete(Scope.key("default", "ab*"));
    assertThat(bench.claim(10)).as("two run, two may").isEmpty();
  }

  @Test
  default void aLimitSetInTheMidst_countsWhatRuns_forEveryKind(Bench bench) {
    Draft job = Draft.job().tenant("acme").urlGroup("crm").limitKey("customer-1");
    List<Scope> scopes = List.of(
        Scope.global(),
        Scope.tenant("acme"),
        Scope.urlGroup("acme", "crm"),
        Scope.type("acme", Draft.TYPE),
        Scope.key("acme", "customer-1"),
        Scope.key("acme", "customer-*"));
    for (Scope scope : scopes) {
      bench.add(5, job);
      List<ClaimedJob> two = bench.claim(2);
      bench.other().limits().save(new Limit(scope, null, 3));
      List<ClaimedJob> one = bench.claim(10);
      assertThat(one).as(scope.key()).hasSize(1);
      bench.store().limits().delete(scope);
      Stream.of(two, one, bench.claim(10)).flatMap(List::stream).forEach(bench::complete);
    }
  }

  @Test
  default void removedQueue_comesBack_withoutItsLimit(Bench bench) {
    bench.store().queues().save(QueueSettings.of("acme", "default").withMaxConcurrent(1));
    bench.store().queues().delete("acme", "default");
    bench.add(3, Draft.job().tenant("acme"));
    assertThat(bench.claim(10)).hasSize(3);
    assertThat(bench.store().limits().list(null)).isEmpty();
  }

  @Test
  default void aFreedPlace_isTold(Bench bench) {
    limit(bench, 2);
    try (WakeupContract.Ear ear = WakeupContract.Ear.elsewhere(bench)) {
      bench.add(2, mail());
      List<ClaimedJob> claimed = bench.claim(10).stream()
          .filter(job -> job.lane().queue().equals("mail"))
          .toList();
      ear.hears("work");
      ear.forget();
      bench.complete(claimed.get(0));
      ear.hears("work");
      ear.forget();
      bench.store().cancel(claimed.get(1).ref().job(), "no", Verdicts.KEEP);
      ear.hears("work");
    }
  }

  @Test
  default void manyClaimers_neverExceedALimit_andDoAllWork(Bench bench) {
    limit(bench, 3);
    List<UUID> jobs = bench.add(200, mail());
    bench.worker();
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    Together.run(8, i -> () -> {
      JobStore store = i % 2 == 0 ? bench.store() : bench.other();
      while (done.get() < jobs.size()) {
        List<ClaimedJob> claimed = bench.claim(store, bench.worker(), 1 + i % 3);
        most.accumulateAndGet(running.addAndGet(claimed.size()), Math::max);
        for (ClaimedJob job : claimed) {
          running.decrementAndGet();
          bench.complete(job);
          done.incrementAndGet();
        }
      }
      return i;
    });
    assertThat(most.get()).isBetween(1, 3);
    assertThat(jobs).allMatch(job -> bench.state(job) == JobState.COMPLETED);
  }

  @Test
  default void aLimitThatIsSetInTheMidst_isKeptFromThenOn(Bench bench) {
    bench.makeQueue("mail");
    List<UUID> jobs = bench.add(120, mail());
    bench.worker();
    AtomicInteger done = new AtomicInteger();
    AtomicInteger tooMany = new AtomicInteger();
    Together.run(4, i -> () -> {
      if (i == 0) {
        limit(bench, 2);
        Stream.generate(() -> running(bench))
            .takeWhile(running -> done.get() < jobs.size())
            .filter(running -> running <= 2)
            .findFirst()
            .ifPresent(calm -> watch(bench, done, jobs.size(), tooMany));
        return i;
      }
      while (done.get() < jobs.size()) {
        bench
            .claim(i % 2 == 0 ? bench.store() : bench.other(), bench.worker(), 3)
            .forEach(job -> {
              bench.complete(job);
              done.incrementAndGet();
            });
      }
      return i;
    });
    assertThat(tooMany.get()).isZero();
  }

  private static int running(Bench bench) {
    Scope mail = Scope.queue("default", "mail");
    return bench.store().limits().state(mail).orElseThrow().running();
  }

  private static void watch(Bench bench, AtomicInteger done, int all, AtomicInteger tooMany) {
    while (done.get() < all) {
      if (running(bench) > 2) {
        tooMany.incrementAndGet();
      }
    }
  }
}
