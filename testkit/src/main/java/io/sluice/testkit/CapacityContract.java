package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.SluiceException;
import io.sluice.store.ClaimedJob;
import io.sluice.store.JobStore;
import io.sluice.store.QueueSize;
import io.sluice.store.Strikes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The cap of a queue is exact: it counts what is not over, and no caller gets past it. */
public interface CapacityContract extends StoreTopic {
  Draft CAPPED = Draft.job().queue("small");

  @Test
  default void cap_takesJobs_upToIt_andRefusesTheNext(Bench bench) {
    cap(bench, 3L);
    bench.add(3, CAPPED);
    assertFull(() -> bench.add(CAPPED));
    assertThat(bench.listed(JobFilter.all())).hasSize(3);
  }

  @Test
  default void cap_refusesACallWhole(Bench bench) {
    cap(bench, 3L);
    bench.add(CAPPED);
    assertFull(() -> bench.insert(Draft.job(), CAPPED, CAPPED, CAPPED));
    assertThat(bench.listed(JobFilter.all())).hasSize(1);
    assertThat(size(bench)).isEqualTo(1);
    assertThat(bench.add(2, CAPPED)).hasSize(2);
  }

  @Test
  default void cap_letsPast_whatIsSaidTo_andCountsIt(Bench bench) {
    cap(bench, 1L);
    bench.add(CAPPED);
    assertThat(bench.store().insert(List.of(bench.made(CAPPED).uncapped()))).hasSize(1);
    assertThat(size(bench)).isEqualTo(2);
    assertFull(() -> bench.add(CAPPED));
    assertFull(
        () -> bench.store().insert(List.of(bench.made(CAPPED).uncapped(), bench.made(CAPPED))));
    assertThat(size(bench)).isEqualTo(2);
  }

  @Test
  default void crowdedTenants_areThoseWithWaitingJobsInManyLanes(Bench bench) {
    Draft job = Draft.job().tenant("wide");
    bench.insert(
        job.limitKey("a"),
        job.limitKey("b").in(Duration.ofHours(1)),
        job.type("another"),
        job.type("another"),
        Draft.job().tenant("narrow"));
    assertThat(bench.store().queues().crowded(3)).containsOnly(entry("wide", 3L));
    assertThat(bench.store().queues().crowded(1))
        .containsOnly(entry("wide", 3L), entry("narrow", 1L));
    assertThat(bench.store().queues().crowded(4)).isEmpty();
    bench.end(bench.addIn(JobState.PENDING, job.limitKey("c")), JobState.CANCELLED);
    assertThat(bench.store().queues().crowded(4)).isEmpty();
  }

  @Test
  default void bytes_areThoseOfThePayloads(Bench bench) {
    String some = "\"" + bench.id() + bench.id() + "\"";
    bench.insert(
        Draft.job().tenant("wide").payload(some),
        Draft.job().tenant("wide").payload(some),
        Draft.job().tenant("narrow").payload(some));
    Map<String, Long> bytes = bench.store().queues().bytes(Set.of("wide", "nobody"));
    assertThat(bytes.get("wide")).isBetween(2L * some.length(), 2L * some.length() + 100);
    assertThat(bytes.getOrDefault("nobody", 0L)).isZero();
    assertThat(bytes).doesNotContainKey("narrow");
  }

  @Test
  default void cap_refusal_leavesKeysFree(Bench bench) {
    cap(bench, 1L);
    UUID first = bench.add(CAPPED);
    assertFull(() -> bench.add(CAPPED.key("k")));
    bench.store().cancel(first, "room", Verdicts.KEEP);
    assertThat(bench.insert(CAPPED.key("k")).getFirst().duplicate()).isFalse();
  }

  @Test
  default void cap_countsWaitingAndRunningJobs(Bench bench) {
    cap(bench, 10L);
    for (JobState state : JobState.values()) {
      bench.addIn(state, CAPPED.type("t" + state));
    }
    QueueSize size = bench.store().queues().sizes().getFirst();
    assertThat(bench.store().queues().sizes()).hasSize(1);
    assertThat(size).isEqualTo(new QueueSize("default", "small", 4, 10, null, size.ended()));
  }

  @Test
  default void cap_isOneForAllTypes_ofTheQueue(Bench bench) {
    cap(bench, 2L);
    bench.add(CAPPED.type("a"));
    bench.add(CAPPED.type("b").limitKey("x"));
    assertFull(() -> bench.add(CAPPED.type("c")));
  }

  @Test
  default void cap_ofOneQueue_leavesOthersOpen(Bench bench) {
    cap(bench, 1L);
    bench.add(CAPPED);
    assertThat(bench.add(5)).hasSize(5);
    assertThat(bench.add(CAPPED.tenant("acme").queue("default"))).isNotNull();
  }

  @Test
  default void room_returns_whenAJobEnds(Bench bench) {
    cap(bench, 1L);
    for (JobState state : JobState.values()) {
      if (state.isFinal()) {
        ClaimedJob claimed = bench.claim(bench.add(CAPPED));
        assertFull(() -> bench.add(CAPPED));
        bench.finish(claimed.ref(), Verdicts.into(state));
        assertThat(size(bench)).isZero();
      }
    }
  }

  @Test
  default void room_returns_whenAJobIsCancelled(Bench bench) {
    cap(bench, 1L);
    for (JobState state : JobState.values()) {
      if (!state.isFinal()) {
        UUID job = bench.addIn(state, CAPPED.type("t" + state));
        bench.store().cancel(job, "room", Verdicts.KEEP);
        assertThat(size(bench)).as(state.name()).isZero();
      }
    }
  }

  @Test
  default void room_returns_whenAJobExpires(Bench bench) {
    cap(bench, 1L);
    bench.add(CAPPED.expiresAt(bench.now().plusSeconds(1)));
    bench.advance(Duration.ofSeconds(2));
    bench.store().expire(10);
    assertThat(bench.add(CAPPED)).isNotNull();
  }

  @Test
  default void room_returnsOnce_howeverOftenTheEndIsWritten(Bench bench) {
    cap(bench, 2L);
    bench.add(2, CAPPED);
    List<ClaimedJob> claimed = bench.claim(2);
    bench.complete(claimed.getFirst());
    bench.complete(claimed.getFirst());
    bench.store().cancel(claimed.getFirst().ref().job(), "no", Verdicts.KEEP);
    bench.store().delete(claimed.getFirst().ref().job());
    assertThat(size(bench)).isEqualTo(1);
    bench.add(CAPPED);
    assertFull(() -> bench.add(CAPPED));
  }

  @Test
  default void room_doesNotReturn_whileAJobGoesRound(Bench bench) {
    cap(bench, 1L);
    UUID job = bench.add(CAPPED);
    bench.finish(bench.claim(job).ref(), Verdicts.retryNow());
    bench.finish(bench.claim(job).ref(), Verdicts.struck(new Strikes(1, 0)));
    bench.finish(bench.claim(job).ref(), Verdicts.retryIn(Duration.ofSeconds(1)));
    bench.advance(Duration.ofSeconds(2));
    bench.store().promote(10);
    assertThat(size(bench)).isEqualTo(1);
    assertFull(() -> bench.add(CAPPED));
  }

  @Test
  default void replay_countsAgain(Bench bench) {
    cap(bench, 2L);
    UUID job = bench.addIn(JobState.DEAD, CAPPED);
    assertThat(size(bench)).isZero();
    bench.store().replay(job);
    assertThat(size(bench)).isEqualTo(1);
    bench.add(CAPPED);
    assertFull(() -> bench.add(CAPPED));
  }

  @Test
  default void replay_isNotHeldBack_byAFullQueue(Bench bench) {
    cap(bench, 1L);
    UUID dead = bench.addIn(JobState.DEAD, CAPPED);
    UUID waiting = bench.add(CAPPED);
    assertThat(bench.store().replay(dead)).isTrue();
    assertThat(size(bench)).isEqualTo(2);
    bench.store().cancel(waiting, "room", Verdicts.KEEP);
    assertFull(() -> bench.add(CAPPED));
  }

  @Test
  default void duplicate_isAnswered_byAFullQueue(Bench bench) {
    cap(bench, 1L);
    UUID first = bench.add(CAPPED.key("k"));
    assertThat(bench.insert(CAPPED.key("k")).getFirst().id()).isEqualTo(first);
    assertThat(size(bench)).isEqualTo(1);
  }

  @Test
  default void cap_setOnAFilledQueue_countsWhatItHolds(Bench bench) {
    bench.makeQueue("small");
    bench.addIn(JobState.COMPLETED, CAPPED);
    bench.addIn(JobState.SCHEDULED, CAPPED);
    bench.add(4, CAPPED);
    List<ClaimedJob> claimed = bench.claim(2);
    cap(bench, 4L);
    assertThat(bench.store().queues().sizes())
        .extracting(QueueSize::unfinished, QueueSize::maxSize)
        .containsExactly(tuple(5L, 4L));
    assertFull(() -> bench.add(CAPPED));
    claimed.forEach(bench::complete);
    bench.add(CAPPED);
    assertFull(() -> bench.add(CAPPED));
  }

  @Test
  default void cap_canBeRaisedAndLifted(Bench bench) {
    cap(bench, 1L);
    bench.add(CAPPED);
    cap(bench, 2L);
    bench.add(CAPPED);
    assertFull(() -> bench.add(CAPPED));
    bench.store().queues().save(QueueSettings.of("small"));
    assertThat(bench.add(20, CAPPED)).hasSize(20);
    assertThat(bench.store().queues().sizes()).isEmpty();
    cap(bench, 22L);
    assertFull(() -> bench.add(CAPPED));
  }

  @Test
  default void cap_isNeverExceeded_byConcurrentCallers(Bench bench) {
    cap(bench, 50L);
    List<Integer> taken = Together.run(8, i -> () -> {
      JobStore store = i % 2 == 0 ? bench.store() : bench.other();
      int mine = 0;
      for (int call = 0; call < 10; call++) {
        try {
          mine += store.insert(bench.made(1 + call % 3, CAPPED)).size();
        } catch (SluiceException e) {
          assertThat(e.code()).isEqualTo(ErrorCode.QUEUE_FULL);
        }
      }
      return mine;
    });
    int sum = taken.stream().mapToInt(Integer::intValue).sum();
    assertThat(sum).isLessThanOrEqualTo(50).isGreaterThanOrEqualTo(48);
    assertThat(size(bench)).isEqualTo(sum);
    assertThat(bench.claim(100)).hasSize(sum);
  }

  @Test
  default void cap_staysExact_whileJobsComeAndGo(Bench bench) {
    cap(bench, 20L);
    long worker = bench.worker();
    Together.run(4, i -> () -> {
      for (int round = 0; round < 10; round++) {
        if (i % 2 == 0) {
          try {
            bench.add(3, CAPPED);
          } catch (SluiceException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.QUEUE_FULL);
          }
        } else {
          bench.claim(worker, 4).forEach(bench::complete);
        }
      }
      return i;
    });
    long unfinished = bench.store().counts(null).stream()
        .filter(count -> !count.state().isFinal())
        .mapToLong(count -> count.jobs())
        .sum();
    assertThat(size(bench)).isEqualTo(unfinished);
  }

  private static void cap(Bench bench, long maxSize) {
    bench.store().queues().save(QueueSettings.of("small").withMaxSize(maxSize));
  }

  private static long size(Bench bench) {
    return bench.store().queues().sizes().getFirst().unfinished();
  }

  private static void assertFull(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.QUEUE_FULL));
  }
}
