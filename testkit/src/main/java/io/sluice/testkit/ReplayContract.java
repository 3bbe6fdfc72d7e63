package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.When;
import io.sluice.store.ClaimedJob;
import io.sluice.store.NewJob;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How a person runs a job again. */
public interface ReplayContract extends StoreTopic {
  @Test
  default void replay_makesTheJobReady_whereTheTableAllowsIt(Bench bench) {
    for (JobState state : JobState.values()) {
      if (state.isReplayable()) {
        UUID job = bench.addIn(state, Draft.job().type("t" + state));
        assertThat(bench.store().replay(job)).as(state.name()).isTrue();
        assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
      }
    }
  }

  @Test
  default void replay_isRefused_inEveryOtherState(Bench bench) {
    for (JobState state : JobState.values()) {
      if (!state.isReplayable()) {
        UUID job = bench.addIn(state, Draft.job().type("t" + state));
        JobRecord before = bench.find(job);
        assertThat(bench.store().replay(job)).as(state.name()).isFalse();
        assertThat(bench.find(job)).isEqualTo(before);
      }
    }
  }

  @Test
  default void hurry_makesAJobDue_thatWaitsForItsNextAttempt(Bench bench) {
    UUID job = bench.add();
    bench.finish(
        bench.claimOne().ref(),
        Verdicts.retryIn(
            Duration.ofHours(24), Verdicts.error(bench.store().now(), 1, "come tomorrow")));
    bench.add(Draft.job().in(Duration.ofHours(1)));
    assertThat(bench.store().hurry(job)).isTrue();
    JobRecord now = bench.find(job);
    assertThat(now.state()).isEqualTo(JobState.PENDING);
    assertThat(now.status().replays()).isZero();
    assertThat(now.status().errors()).hasSize(1);
    ClaimedJob claimed = bench.claimOne();
    assertThat(claimed.ref().job()).isEqualTo(job);
    assertThat(claimed.attempt()).isEqualTo(2);
    assertThat(bench.claim(1)).isEmpty();
  }

  @Test
  default void hurry_isRefused_inEveryOtherState_andBeforeTheFirstAttempt(Bench bench) {
    for (JobState state : JobState.values()) {
      if (state != JobState.RETRYING) {
        UUID job = bench.addIn(state, Draft.job().type("t" + state));
        JobRecord before = bench.find(job);
        assertThat(bench.store().hurry(job)).as(state.name()).isFalse();
        assertThat(bench.find(job)).isEqualTo(before);
      }
    }
    assertThat(bench.store().hurry(bench.made(Draft.job()).id())).isFalse();
  }

  @Test
  default void hurry_ofTwo_isDoneOnce(Bench bench) {
    UUID job = bench.addIn(JobState.RETRYING);
    List<Boolean> done = Together.run(4, number -> () -> bench.store().hurry(job));
    assertThat(done).containsOnlyOnce(true);
    assertThat(bench.claim(4)).hasSize(1);
  }

  @Test
  default void replay_ofAnUnknownJob_isRefused(Bench bench) {
    assertThat(bench.store().replay(bench.made(Draft.job()).id())).isFalse();
  }

  @Test
  default void replayAll_takesThoseThatCanRunAgain_membersAndStrangersMixed(Bench bench) {
    UUID batch = bench.id();
    NewJob failed = bench.made(Draft.job());
    NewJob cancelled = bench.made(Draft.job());
    NewJob completed = bench.made(Draft.job());
    bench.start(BatchDraft.of(batch), List.of(failed, cancelled, completed));
    bench.finish(bench.claim(failed.id()).ref(), Verdicts.dead("no"));
    bench.store().cancelAll(List.of(cancelled.id()), "no more");
    bench.complete(bench.claim(completed.id()));
    bench.makeQueue("other");
    UUID stranger = bench.addIn(JobState.DEAD);
    UUID another = bench.addIn(JobState.DEAD, Draft.job().queue("other"));
    UUID waiting = bench.add();
    List<UUID> given = List.of(
        another,
        failed.id(),
        bench.id(),
        completed.id(),
        stranger,
        waiting,
        cancelled.id(),
        stranger);

    assertThat(bench.store().replayAll(given))
        .containsExactlyInAnyOrder(failed.id(), cancelled.id(), stranger, another);
    BatchLinksContract.assertCounts(bench, batch, 3, 1, 0, 0);
    assertThat(bench.batch(batch).isOver()).isFalse();
    assertThat(bench.state(completed.id())).isEqualTo(JobState.COMPLETED);
    assertThat(List.of(failed.id(), cancelled.id(), stranger, another))
        .allMatch(job -> bench.state(job) == JobState.PENDING);
    assertThat(bench.store().replayAll(given)).isEmpty();
    assertThat(bench.store().replayAll(List.of())).isEmpty();
  }

  @Test
  default void replay_keepsTheId_andCounts(Bench bench) {
    UUID job = bench.addIn(JobState.DEAD);
    bench.store().replay(job);
    assertThat(bench.find(job).status().replays()).isEqualTo(1);
    ClaimedJob claimed = bench.claimOne();
    assertThat(claimed.ref().job()).isEqualTo(job);
    bench.finish(claimed.ref(), Verdicts.dead("again"));
    bench.store().replay(job);
    assertThat(bench.find(job).status().replays()).isEqualTo(2);
  }

  @Test
  default void replay_givesAllAttemptsBack(Bench bench) {
    UUID job = bench.add();
    bench.finish(bench.claim(job).ref(), Verdicts.retryNow());
    bench.finish(bench.claim(job).ref(), Verdicts.dead("twice"));
    assertThat(bench.find(job).attempt()).isEqualTo(2);
    bench.store().replay(job);
    assertThat(bench.find(job).attempt()).isZero();
    assertThat(bench.claim(job).attempt()).isEqualTo(1);
  }

  @Test
  default void replay_forgetsStrikes(Bench bench) {
    UUID job = bench.add();
    bench.finish(
        bench.claim(job).ref(),
        new Verdict.Again(JobState.PENDING, When.now(), false, new Strikes(3, 1), null));
    bench.finish(bench.claim(job).ref(), Verdicts.dead("struck out"));
    bench.store().replay(job);
    assertThat(bench.find(job).status().strikes()).isZero();
    assertThat(bench.claim(job).strikes()).isEqualTo(Strikes.NONE);
  }

  @Test
  default void replay_keepsErrors_andForgetsTheEnd(Bench bench) {
    UUID job = bench.add();
    bench.finish(
        bench.claim(job).ref(),
        new Verdict.End(
            JobState.DEAD, null, "no", Verdicts.error(bench.now(), 1, "boom"), Verdicts.KEEP));
    bench.store().replay(job);
    JobRecord record = bench.find(job);
    assertThat(record.status().errors()).hasSize(1);
    assertThat(record.status().reason()).isNull();
    assertThat(record.status().finishedAt()).isNull();
  }

  @Test
  default void replay_keepsWhatWasAskedFor(Bench bench) {
    UUID job = bench.addIn(JobState.DEAD, Draft.job().payload("[1]").key("k").priority(3));
    JobRecord before = bench.find(job);
    bench.advance(Duration.ofHours(1));
    bench.store().replay(job);
    assertThat(bench.find(job).spec()).isEqualTo(before.spec());
    assertThat(bench.find(job).createdAt()).isEqualTo(before.createdAt());
    assertThat(bench.head(before.lane(), 3).first()).isEqualTo(job);
  }

  @Test
  default void replay_letsTheJobEndAgain(Bench bench) {
    UUID job = bench.addIn(JobState.DEAD);
    bench.store().replay(job);
    assertThat(bench.finish(bench.claim(job).ref(), Verdicts.completed("\"ok\"")))
        .isTrue();
    assertThat(bench.state(job)).isEqualTo(JobState.COMPLETED);
    assertThat(bench.find(job).status().result()).isEqualTo("\"ok\"");
  }

  @Test
  default void replay_makesOneJobOfIt_amongConcurrentCallers(Bench bench) {
    UUID job = bench.addIn(JobState.DEAD);
    List<Boolean> results =
        Together.run(4, i -> () -> (i % 2 == 0 ? bench.store() : bench.other()).replay(job));
    assertThat(results).filteredOn(done -> done).hasSize(1);
    assertThat(bench.claim(10)).hasSize(1);
    assertThat(bench.find(job).status().replays()).isEqualTo(1);
  }
}
