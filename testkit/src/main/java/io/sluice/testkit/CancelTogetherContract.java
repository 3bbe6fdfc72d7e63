package io.sluice.testkit;

import static io.sluice.testkit.BatchLinksContract.assertCounts;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.Retention;
import io.sluice.store.CancelledJob;
import io.sluice.store.ClaimedJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How jobs are cancelled many at a time, and in which order those of a batch are found for it. */
public interface CancelTogetherContract extends StoreTopic {
  private static List<UUID> cancel(Bench bench, List<UUID> jobs) {
    return bench.store().cancelAll(jobs, "stopped").stream()
        .map(CancelledJob::id)
        .toList();
  }

  private static UUID add(Bench bench, UUID batch, Draft job) {
    return bench
        .links()
        .add(batch, null, List.of(bench.made(job.batch(batch))))
        .getFirst()
        .id();
  }

  private static UUID nested(Bench bench, UUID outer) {
    return bench.start(BatchDraft.of(bench.id()).open().in(outer, null)).id();
  }

  @Test
  default void cancelAll_endsWhatIsNotOver_inEveryState(Bench bench) {
    List<UUID> open = new ArrayList<>();
    List<UUID> all = new ArrayList<>();
    for (JobState state : JobState.values()) {
      UUID job = bench.addIn(state, Draft.job().type("t" + state));
      all.add(job);
      if (!state.isFinal()) {
        open.add(job);
      }
    }
    all.add(bench.id());
    all.add(open.getFirst());
    UUID other = bench.add();
    assertThat(cancel(bench, all)).containsExactlyInAnyOrderElementsOf(open);
    for (UUID job : open) {
      assertThat(bench.state(job)).isEqualTo(JobState.CANCELLED);
      assertThat(bench.find(job).status().reason()).isEqualTo("stopped");
      assertThat(bench.find(job).status().finishedAt()).isEqualTo(bench.now());
    }
    assertThat(bench.state(other)).isEqualTo(JobState.PENDING);
    assertThat(cancel(bench, all)).isEmpty();
    assertThat(cancel(bench, List.of())).isEmpty();
  }

  @Test
  default void cancelAll_tellsLanesAndAttempts_andEndsClaims(Bench bench) {
    UUID waiting = bench.add(Draft.job().type("other").urlGroup("stripe"));
    ClaimedJob claimed = bench.running();
    JobRecord running = bench.find(claimed.ref().job());
    assertThat(bench.store().cancelAll(List.of(waiting, running.id()), "stopped"))
        .containsExactlyInAnyOrder(
            new CancelledJob(waiting, bench.find(waiting).lane(), 0),
            new CancelledJob(running.id(), running.lane(), 1));
    assertThat(bench.complete(claimed)).isFalse();
  }

  @Test
  default void cancelAll_keepsEachAsItsQueueSays(Bench bench) {
    Duration hour = Duration.ofHours(1);
    bench.store().queues().save(QueueSettings.of("brief").withRetention(new Retention(hour, hour)));
    UUID brief = bench.add(Draft.job().queue("brief"));
    UUID lasting = bench.add();
    cancel(bench, List.of(brief, lasting));
    bench.advance(hour);
    assertThat(bench.store().find(brief)).isEmpty();
    assertThat(bench.state(lasting)).isEqualTo(JobState.CANCELLED);
  }

  @Test
  default void cancelAll_startsNoneOfThem_andOthersByTheirPolicies(Bench bench) {
    UUID first = bench.add();
    UUID second = bench.add(Draft.job().after(first).policy(AfterPolicy.RUN));
    UUID third = bench.add(Draft.job().after(second));
    UUID runs = bench.add(Draft.job().type("runs").after(second).policy(AfterPolicy.RUN));
    UUID follows = bench.add(Draft.job().type("follows").after(second));
    assertThat(cancel(bench, List.of(first, second, third)))
        .containsExactlyInAnyOrder(first, second, third);
    assertThat(List.of(first, second, third))
        .allMatch(job -> "stopped".equals(bench.find(job).status().reason()));
    assertThat(bench.state(runs)).isEqualTo(JobState.PENDING);
    assertThat(bench.state(follows)).isEqualTo(JobState.CANCELLED);
    assertThat(Bench.idsOf(bench.claim(9))).containsExactly(runs);
  }

  @Test
  default void unfinished_areThoseThatWait_thenReadyOnes_thenRunningOnes(Bench bench) {
    UUID batch = bench.id();
    bench.start(BatchDraft.of(batch).open().callback(bench.id(), AfterPolicy.RUN), Draft.job());
    UUID running = bench.claimOne().ref().job();
    UUID ready = add(bench, batch, Draft.job());
    UUID waiting = add(bench, batch, Draft.job().after(running));
    List<UUID> found = bench.links().unfinished(batch, 10);
    assertThat(found).containsExactly(waiting);
    cancel(bench, found);
    found = bench.links().unfinished(batch, 10);
    assertThat(found).containsExactly(ready);
    cancel(bench, found);
    found = bench.links().unfinished(batch, 10);
    assertThat(found).containsExactly(running);
    cancel(bench, found);
    assertThat(bench.links().unfinished(batch, 10)).isEmpty();
    assertCounts(bench, batch, 3, 0, 0, 3);
  }

  @Test
  default void unfinished_comeWithAllThatWaitForThem_byWhateverWay(Bench bench) {
    UUID outer = bench.start(BatchDraft.of(bench.id()).open()).id();
    UUID near = nested(bench, outer);
    UUID deep = nested(bench, nested(bench, outer));
    UUID first = bench.add();
    // What is found first is waited for by way of a job outside, and by way of its batch.
    Draft waits = Draft.job().policy(AfterPolicy.RUN);
    UUID early = add(bench, near, waits.after(first));
    bench.links().close(near);
    UUID outside = bench.add(Draft.job().after(early));
    UUID late = add(bench, deep, waits.after(outside));
    UUID last = add(bench, deep, waits.after(near));
    for (List<UUID> found = bench.links().unfinished(outer, 1);
        !found.isEmpty();
        found = bench.links().unfinished(outer, 1)) {
      cancel(bench, found);
      assertThat(List.of(early, late, last)).noneMatch(job -> bench.state(job) == JobState.PENDING);
    }
    assertThat(List.of(early, late, last))
        .allMatch(job -> "stopped".equals(bench.find(job).status().reason()));
    assertThat(bench.state(first)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void closeAll_closesWhatIsInABatch_andEndsWhatIsOver(Bench bench) {
    UUID outer = bench.id();
    UUID inner = bench.id();
    UUID deep = bench.id();
    bench.start(BatchDraft.of(outer).open());
    bench.start(BatchDraft.of(inner).open().in(outer, null));
    bench.start(BatchDraft.of(deep).open().in(inner, null), Draft.job());
    bench.links().closeAll(outer);
    assertThat(List.of(outer, inner, deep)).noneMatch(id -> bench.batch(id).open());
    bench.complete(bench.claimOne());
    assertThat(List.of(outer, inner, deep)).allMatch(id -> bench.batch(id).isOver());
    bench.links().closeAll(bench.id());
  }
}
