package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.WaitingJobs;
import io.sluice.store.QueueSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How many waiting jobs are cancelled at once. */
public interface CancelWaitingContract extends StoreTopic {
  WaitingJobs MAIL = WaitingJobs.ofQueue("default", "mail");

  private static List<UUID> cancel(Bench bench, WaitingJobs which, int max) {
    return bench.store().cancelWaiting(which, "not wanted", Verdicts.KEEP, max);
  }

  private static Draft mail() {
    return Draft.job().queue("mail");
  }

  @Test
  default void cancelWaiting_endsWhatWaits_andNothingElse(Bench bench) {
    bench.makeQueue("mail");
    List<UUID> waiting = new ArrayList<>();
    for (JobState state : JobState.values()) {
      Draft draft = mail().type("t" + state);
      UUID job = bench.addIn(state, draft);
      if (!state.isFinal() && state != JobState.RUNNING) {
        waiting.add(job);
      }
    }
    UUID elsewhere = bench.add();
    assertThat(cancel(bench, MAIL, 100)).containsExactlyInAnyOrderElementsOf(waiting);
    assertThat(waiting).allMatch(job -> bench.state(job) == JobState.CANCELLED);
    assertThat(bench.state(elsewhere)).isEqualTo(JobState.PENDING);
    assertThat(cancel(bench, MAIL, 100)).isEmpty();
    assertThat(bench.store().heads()).hasSize(1);
    assertThat(bench.listed(JobFilter.all().in(JobState.RUNNING))).hasSize(1);
  }

  @Test
  default void cancelWaiting_keepsReasonAndTime_andForHowLong(Bench bench) {
    bench.makeQueue("mail");
    UUID job = bench.add(mail());
    bench.advance(Duration.ofSeconds(5));
    bench.store().cancelWaiting(MAIL, "purged", Duration.ofHours(1), 10);
    JobRecord record = bench.find(job);
    assertThat(record.status().reason()).isEqualTo("purged");
    assertThat(record.status().finishedAt()).isEqualTo(bench.now());
    bench.advance(Duration.ofHours(1));
    assertThat(bench.store().find(job)).isEmpty();
  }

  @Test
  default void cancelWaiting_goesInBatches(Bench bench) {
    bench.makeQueue("mail");
    bench.add(7, mail());
    bench.add(5, mail().type("other"));
    bench.add(4, mail().in(Duration.ofHours(1)));
    List<UUID> all = new ArrayList<>();
    List<UUID> batch;
    do {
      batch = cancel(bench, MAIL, 5);
      all.addAll(batch);
    } while (batch.size() == 5);
    assertThat(all).hasSize(16).doesNotHaveDuplicates();
  }

  @Test
  default void cancelWaiting_narrowsByTenantQueueAndGroup(Bench bench) {
    bench.makeQueue("mail");
    UUID stripe = bench.add(mail().urlGroup("stripe"));
    UUID other = bench.add(mail().urlGroup("other"));
    UUID elsewhere = bench.add(Draft.job().urlGroup("stripe").in(Duration.ofHours(1)));
    UUID foreign = bench.add(Draft.job().tenant("acme").urlGroup("stripe"));
    assertThat(cancel(bench, new WaitingJobs("default", "mail", "stripe"), 9))
        .containsExactly(stripe);
    assertThat(cancel(bench, WaitingJobs.ofUrlGroup("default", "stripe"), 9))
        .containsExactly(elsewhere);
    assertThat(cancel(bench, WaitingJobs.ofTenant("default"), 9)).containsExactly(other);
    assertThat(cancel(bench, WaitingJobs.ofTenant("nobody"), 9)).isEmpty();
    assertThat(bench.state(foreign)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void cancelWaiting_makesRoomInACappedQueue_andLetsItBeRemoved(Bench bench) {
    bench.store().queues().save(QueueSettings.of("mail").withMaxSize(5L));
    bench.add(3, mail());
    bench.add(2, mail().in(Duration.ofHours(1)));
    assertThat(bench.store().queues().delete("default", "mail")).isFalse();
    cancel(bench, MAIL, 4);
    assertThat(bench.store().queues().sizes())
        .extracting(QueueSize::queue, QueueSize::unfinished, QueueSize::maxSize)
        .containsExactly(tuple("mail", 1L, 5L));
    cancel(bench, MAIL, 4);
    assertThat(bench.store().queues().delete("default", "mail")).isTrue();
  }

  @Test
  default void cancelWaiting_keepsTheJobs_forAPersonToReplay(Bench bench) {
    bench.makeQueue("mail");
    UUID job = bench.add(mail().key("order-1"));
    cancel(bench, MAIL, 10);
    assertThat(bench.insert(mail().key("order-1")).getFirst().id()).isEqualTo(job);
    assertThat(bench.store().replay(job)).isTrue();
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void cancelWaiting_andClaims_shareTheJobs(Bench bench) {
    bench.makeQueue("mail");
    List<UUID> jobs = bench.add(200, mail());
    bench.worker();
    List<List<UUID>> got = Together.run(4, i -> () -> {
      List<UUID> mine = new ArrayList<>();
      List<UUID> some;
      do {
        some = i % 2 == 0 ? cancel(bench, MAIL, 7) : Bench.idsOf(bench.claim(7));
        mine.addAll(some);
      } while (!some.isEmpty());
      return mine;
    });
    cancel(bench, MAIL, 200);
    List<UUID> taken = got.stream().flatMap(List::stream).toList();
    assertThat(taken).doesNotHaveDuplicates();
    assertThat(jobs)
        .allMatch(job -> bench.state(job)
            == (got.get(1).contains(job) || got.get(3).contains(job)
                ? JobState.RUNNING
                : JobState.CANCELLED));
  }
}
