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
import io.sluice.store.NewJob;
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

  private static UUID waiting(Bench bench, UUID batch, UUID after) {
    NewJob job = bench.made(Draft.job().batch(batch).after(after).policy(AfterPolicy.RUN));
    return bench.links().add(batch, null, List.of(job)).getFirst().id();
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
    UUID ready = bench
        .links()
        .add(batch, null, bench.made(1, Draft.job().batch(batch)))
        .getFirst()
        .id();
    UUID waiting = waiting(bench, batch, running);
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
    UUID outer = bench.id();
    UUID inner = bench.id();
    UUID first = bench.add();
    bench.start(BatchDraft.of(outer).open());
    bench.start(BatchDraft.of(inner).open().in(outer, null));
    // By a job outside, and by the inner batch; what they wait for is newer than they are.
    UUID late = bench.id();
    UUID last = bench.id();
    UUID outside = bench.id();
    UUID early = bench.id();
    Draft waits = Draft.job().policy(AfterPolicy.RUN);
    bench.links().add(inner, null, List.of(waits.batch(inner).after(first).as(early)));
    bench.store().insert(List.of(Draft.job().after(early).as(outside)));
    bench.links().close(inner);
    bench.links().add(outer, null, List.of(waits.batch(outer).after(outside).as(late)));
    bench.links().add(outer, null, List.of(waits.batch(outer).after(inner).as(last)));
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
