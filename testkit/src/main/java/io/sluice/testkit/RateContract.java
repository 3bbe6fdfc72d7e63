package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.RateLimit.Per;
import io.sluice.Scope;
import io.sluice.store.Claimed;
import io.sluice.store.ClaimedJob;
import io.sluice.store.JobStore;
import io.sluice.store.SpentLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How fast jobs start where a rate is limited, whoever claims them. */
public interface RateContract extends StoreTopic {
  Scope TYPE = Scope.type("default", Draft.TYPE);

  private static void limit(Bench bench, Scope scope, RateLimit rate) {
    bench.store().limits().save(new Limit(scope, rate, null));
  }

  private static List<Long> starts(Claimed claimed) {
    return claimed.jobs().stream().map(job -> job.startIn().toMillis()).toList();
  }

  private static Duration millis(long n) {
    return Duration.ofMillis(n);
  }

  @Test
  default void rate_givesItsBurst_andThenOneByOne(Bench bench) {
    limit(bench, TYPE, new RateLimit(10, 3));
    bench.add(10);
    assertThat(starts(bench.claim(10, Duration.ZERO))).containsExactly(0L, 0L, 0L);
    assertThat(bench.claim(10)).isEmpty();
    bench.advance(millis(99));
    assertThat(bench.claim(bench.other(), bench.worker(), 10)).isEmpty();
    bench.advance(millis(1));
    assertThat(bench.claim(bench.other(), bench.worker(), 10)).hasSize(1);
    bench.advance(Duration.ofHours(1));
    assertThat(bench.claim(10)).as("no more than the burst after a pause").hasSize(3);
  }

  @Test
  default void rate_goesOn_afterTheClockWasSetBack(Bench bench) {
    limit(bench, TYPE, new RateLimit(10, 10));
    bench.add(40);
    assertThat(bench.claim(40)).hasSize(10);
    bench.advance(Duration.ofHours(-1));
    assertThat(bench.claim(40)).as("what was used stays used").isEmpty();
    bench.advance(Duration.ofSeconds(1));
    assertThat(bench.claim(40)).hasSize(10);
    bench.advance(Duration.ofMillis(500));
    assertThat(bench.claim(40)).hasSize(5);
  }

  @Test
  default void rate_saysWhenThereIsMore(Bench bench) {
    limit(bench, TYPE, new RateLimit(10, 2));
    bench.add(5);
    int lane = bench.head(Draft.job().lane(), 10).laneId();
    assertThat(bench.claim(10, Duration.ZERO).spent())
        .containsExactly(new SpentLimit(TYPE, List.of(lane), millis(100)));
    bench.advance(millis(30));
    assertThat(bench.claim(10, Duration.ZERO))
        .isEqualTo(
            new Claimed(List.of(), List.of(new SpentLimit(TYPE, List.of(lane), millis(70)))));
  }

  @Test
  default void claimsWithinTheRate_reportNothing(Bench bench) {
    limit(bench, TYPE, new RateLimit(10, 5));
    bench.add(5);
    Claimed claimed = bench.claim(2, Duration.ZERO);
    assertThat(claimed.jobs()).hasSize(2);
    assertThat(claimed.spent()).isEmpty();
  }

  @Test
  default void jobs_areHandedOutAheadOfTheirStart_oneIntervalApart(Bench bench) {
    limit(bench, TYPE, new RateLimit(10, 2));
    bench.add(20);
    Claimed first = bench.claim(10, millis(300));
    assertThat(starts(first)).containsExactly(0L, 0L, 100L, 200L, 300L);
    assertThat(first.spent()).extracting(SpentLimit::retryIn).containsExactly(millis(100));
    bench.advance(millis(150));
    assertThat(starts(bench.claim(10, millis(300))))
        .as("what was granted before counts")
        .containsExactly(250L);
  }

  @Test
  default void rate_isByTheMinuteOrTheHour(Bench bench) {
    limit(bench, TYPE, new RateLimit(30, Per.MINUTE, 1));
    bench.add(3);
    assertThat(starts(bench.claim(10, Duration.ofSeconds(3)))).containsExactly(0L, 2_000L);
    limit(bench, Scope.type("default", "slow"), new RateLimit(2, Per.HOUR, 1));
    bench.add(3, Draft.job().type("slow"));
    Claimed claimed = bench.claim(10, Duration.ofMinutes(45));
    assertThat(claimed.jobs())
        .filteredOn(job -> job.lane().type().equals("slow"))
        .extracting(ClaimedJob::startIn)
        .containsExactly(Duration.ZERO, Duration.ofMinutes(30));
  }

  @Test
  default void aCostlyJob_countsForMany(Bench bench) {
    limit(bench, TYPE, new RateLimit(1, 5));
    bench.add(4, Draft.job().cost(2));
    assertThat(bench.claim(10)).hasSize(2);
    bench.advance(Duration.ofMillis(900));
    Claimed early = bench.claim(10, Duration.ZERO);
    assertThat(early.jobs()).isEmpty();
    assertThat(early.spent()).extracting(SpentLimit::retryIn).containsExactly(millis(100));
    bench.advance(millis(100));
    assertThat(bench.claim(10)).hasSize(1);
  }

  @Test
  default void aCostlyJob_isNotPassedForEver_byCheapOnesOfOtherLanes(Bench bench) {
    limit(bench, Scope.tenant("default"), new RateLimit(1, 5));
    assertThat(bench.add(5)).hasSize(5);
    assertThat(bench.claim(5)).as("the burst").hasSize(5);
    UUID costly = bench.add(Draft.job().type("costly").cost(4));
    bench.add(20, Draft.job().type("cheap"));
    for (int second = 1; second < 4; second++) {
      bench.advance(Duration.ofSeconds(1));
      Claimed claimed = bench.claim(10, Duration.ZERO);
      assertThat(claimed.jobs()).as("after " + second + " s").isEmpty();
      assertThat(claimed.spent())
          .extracting(SpentLimit::retryIn)
          .containsExactly(Duration.ofSeconds(4 - second));
    }
    bench.advance(Duration.ofSeconds(1));
    assertThat(Bench.idsOf(bench.claim(10))).containsExactly(costly);
    bench.advance(Duration.ofSeconds(1));
    assertThat(bench.claim(10)).extracting(job -> job.lane().type()).containsExactly("cheap");
  }

  @Test
  default void aCostlyJob_savesNothingUp_whileSomethingElseHoldsIt(Bench bench) {
    limit(bench, Scope.tenant("default"), new RateLimit(1, 5));
    bench
        .store()
        .limits()
        .save(new Limit(Scope.type("default", "costly"), new RateLimit(1, Per.HOUR, 1), null));
    Draft costly = Draft.job().type("costly");
    bench.claim(bench.add(costly));
    bench.add(costly.cost(5));
    bench.add(20, Draft.job().type("cheap"));
    assertThat(bench.claim(10)).extracting(job -> job.lane().type()).containsOnly("cheap");
  }

  @Test
  default void aJobThatIsNotGranted_isAsBefore(Bench bench) {
    limit(bench, TYPE, new RateLimit(1, 10));
    var jobs = bench.add(5, Draft.job().cost(9));
    for (int i = 0; i < 3; i++) {
      assertThat(Bench.idsOf(bench.claim(10))).containsExactly(jobs.get(i));
      assertThat(bench.claim(10)).isEmpty();
      assertThat(bench.find(jobs.get(i + 1)).status().attempt()).isZero();
      bench.advance(Duration.ofSeconds(9));
    }
    assertThat(bench.claimOne().attempt()).isEqualTo(1);
  }

  @Test
  default void aJobThatCostsMoreThanTheBurst_runsAllTheSame_andTheNextPayForIt(Bench bench) {
    limit(bench, TYPE, new RateLimit(1, 3));
    bench.add(Draft.job().cost(10));
    bench.add(2);
    assertThat(bench.claim(10)).hasSize(1);
    bench.advance(Duration.ofSeconds(7));
    assertThat(bench.claim(10)).isEmpty();
    bench.advance(Duration.ofSeconds(1));
    assertThat(bench.claim(10)).hasSize(1);
  }

  @Test
  default void aJobGivenBack_doesNotGiveItsTokenBack(Bench bench) {
    limit(bench, TYPE, new RateLimit(1, 1));
    bench.add(2);
    ClaimedJob first = bench.claimOne();
    bench.finish(first.ref(), Verdicts.givenBack());
    assertThat(bench.claim(10)).isEmpty();
    bench.advance(Duration.ofSeconds(1));
    assertThat(bench.claimOne().ref().job()).isEqualTo(first.ref().job());
  }

  @Test
  default void everyRateThatCoversAJob_isKept_andPaid(Bench bench) {
    bench.makeQueue("mail");
    limit(bench, Scope.queue("default", "mail"), new RateLimit(10, 1));
    limit(bench, Scope.tenant("default"), new RateLimit(5, 3));
    bench.add(4, Draft.job().queue("mail"));
    assertThat(starts(bench.claim(10, millis(200))))
        .as("the queue's rate, and the tenant's burst")
        .containsExactly(0L, 100L, 200L);
    bench.add(2);
    assertThat(starts(bench.claim(10, Duration.ZERO)))
        .as("the tenant's burst is used by what the other queue will start")
        .isEmpty();
  }

  @Test
  default void theLatestStartCounts_forEveryLimit(Bench bench) {
    limit(bench, Scope.global(), new RateLimit(10, 1));
    limit(bench, TYPE, new RateLimit(1, 1));
    bench.add(2);
    assertThat(starts(bench.claim(10, Duration.ofSeconds(1)))).containsExactly(0L, 1_000L);
    bench.add(Draft.job().type("other"));
    assertThat(bench.claim(10, millis(1_100)).jobs())
        .filteredOn(job -> job.lane().type().equals("other"))
        .extracting(ClaimedJob::startIn)
        .as("not at the moment that is taken")
        .containsExactly(millis(1_100));
  }

  @Test
  default void lanesThatAreNotLimited_giveAsBefore(Bench bench) {
    limit(bench, TYPE, new RateLimit(1, 1));
    bench.add(3);
    bench.add(3, Draft.job().type("free"));
    bench.add(3, Draft.job().tenant("acme"));
    assertThat(bench.claim(20)).hasSize(7);
    assertThat(bench.claim(20)).isEmpty();
  }

  @Test
  default void everyKeyOfAPattern_hasItsOwnRate(Bench bench) {
    limit(bench, Scope.key("default", "customer-*"), new RateLimit(1, 2));
    for (String key : List.of("customer-1", "customer-2", "order-1", "")) {
      bench.add(3, Draft.job().limitKey(key));
    }
    Claimed claimed = bench.claim(20, Duration.ZERO);
    assertThat(claimed.jobs())
        .extracting(job -> job.lane().limitKey())
        .containsExactlyInAnyOrder(
            "customer-1",
            "customer-1",
            "customer-2",
            "customer-2",
            "order-1",
            "order-1",
            "order-1",
            "",
            "",
            "");
    assertThat(claimed.spent())
        .extracting(SpentLimit::scope)
        .containsExactlyInAnyOrder(
            Scope.key("default", "customer-1"), Scope.key("default", "customer-2"));
  }

  @Test
  default void theKeyItself_goesBeforeAPattern_andTheLongerBeforeTheShorter(Bench bench) {
    limit(bench, Scope.key("default", "a*"), new RateLimit(1, 1));
    limit(bench, Scope.key("default", "ab*"), new RateLimit(1, 2));
    limit(bench, Scope.key("default", "abc"), new RateLimit(1, 3));
    for (String key : List.of("ax", "abx", "abc")) {
      bench.add(5, Draft.job().limitKey(key));
    }
    assertThat(bench.claim(20))
        .extracting(job -> job.lane().limitKey())
        .containsExactlyInAnyOrder("ax", "abx", "abx", "abc", "abc", "abc");
    bench.store().limits().delete(Scope.key("default", "abc"));
    bench.store().limits().delete(Scope.key("default", "ab*"));
    bench.advance(Duration.ofMinutes(1));
    assertThat(bench.claim(20))
        .extracting(job -> job.lane().limitKey())
        .containsExactlyInAnyOrder("ax", "abx", "abc");
  }

  @Test
  default void aRate_canBeChanged_andWhatWasUsedStaysUsed(Bench bench) {
    limit(bench, TYPE, new RateLimit(1, Per.HOUR, 2));
    bench.add(20);
    assertThat(bench.claim(10)).hasSize(2);
    bench.other().limits().save(new Limit(TYPE, new RateLimit(10, 2), null));
    assertThat(bench.claim(10)).as("both are used").isEmpty();
    bench.advance(millis(100));
    assertThat(bench.claim(10)).as("by the new rate").hasSize(1);
    bench.other().limits().save(new Limit(TYPE, new RateLimit(10, 6), null));
    assertThat(bench.claim(10)).hasSize(4);
    bench.other().limits().delete(TYPE);
    assertThat(bench.claim(10)).hasSize(10);
  }

  @Test
  default void theRateOfAQueue_isKept(Bench bench) {
    bench.store().queues().save(QueueSettings.of("mail").withRateLimit(new RateLimit(2, 1)));
    bench.add(5, Draft.job().queue("mail"));
    assertThat(starts(bench.claim(10, Duration.ofSeconds(1)))).containsExactly(0L, 500L, 1_000L);
    assertThat(bench.store().queues().save(QueueSettings.of("mail")).settings().rateLimit())
        .isNull();
    assertThat(bench.claim(10)).hasSize(2);
  }

  @Test
  default void manyClaimers_neverExceedARate(Bench bench) {
    limit(bench, TYPE, new RateLimit(10, 30));
    bench.add(120);
    bench.worker();
    List<List<ClaimedJob>> claimed = Together.run(8, i -> () -> {
      JobStore store = i % 2 == 0 ? bench.store() : bench.other();
      List<ClaimedJob> mine = new ArrayList<>();
      IntStream.range(0, 20).forEach(n -> mine.addAll(bench.claim(store, bench.worker(), 2)));
      return mine;
    });
    int together = claimed.stream().mapToInt(List::size).sum();
    assertThat(together).isLessThanOrEqualTo(30);
    // Who claims while another counts goes away with nothing: what they left must still be there,
    // and no more.
    assertThat(bench.claim(120)).hasSize(30 - together);
  }
}
