package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.Retention;
import io.sluice.store.ClaimedJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How a job that nobody ran in its own time is cancelled. */
public interface ExpiryContract extends StoreTopic {
  @Test
  default void expire_cancelsWaitingJobs_pastTheirExpiry(Bench bench) {
    Draft draft = Draft.job().expiresAt(bench.now().plusSeconds(30));
    UUID scheduled = bench.add(draft.in(Duration.ofMinutes(1)));
    UUID retrying = bench.addIn(JobState.RETRYING, draft);
    UUID pending = bench.add(draft);
    bench.advance(Duration.ofSeconds(31));
    assertThat(expire(bench, 10)).containsExactlyInAnyOrder(scheduled, retrying, pending);
    for (UUID job : List.of(scheduled, retrying, pending)) {
      JobRecord record = bench.find(job);
      assertThat(record.state()).isEqualTo(JobState.CANCELLED);
      assertThat(record.status().reason()).isNotBlank();
      assertThat(record.status().finishedAt()).isEqualTo(bench.now());
    }
  }

  @Test
  default void expire_leavesJobs_beforeTheirExpiry(Bench bench) {
    UUID job = bench.add(Draft.job().expiresAt(bench.now().plusSeconds(30)));
    bench.advance(Duration.ofSeconds(29));
    assertThat(expire(bench, 10)).isEmpty();
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void expire_leavesJobsWithoutExpiry(Bench bench) {
    UUID job = bench.add();
    bench.advance(Duration.ofDays(400));
    assertThat(expire(bench, 10)).isEmpty();
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void expire_leavesARunningJob(Bench bench) {
    ClaimedJob claimed = bench.claim(bench.add(Draft.job().expiresAt(bench.now().plusSeconds(30))));
    bench.advance(Duration.ofSeconds(31));
    assertThat(expire(bench, 10)).isEmpty();
    assertThat(bench.complete(claimed)).isTrue();
  }

  @Test
  default void expire_leavesFinishedJobs(Bench bench) {
    UUID job = bench.addIn(JobState.DEAD, Draft.job().expiresAt(bench.now().plusSeconds(30)));
    bench.advance(Duration.ofSeconds(31));
    assertThat(expire(bench, 10)).isEmpty();
    assertThat(bench.state(job)).isEqualTo(JobState.DEAD);
  }

  @Test
  default void expire_cancelsAJob_thatCameBackPastItsExpiry(Bench bench) {
    UUID job = bench.add(Draft.job().expiresAt(bench.now().plusSeconds(30)));
    ClaimedJob claimed = bench.claim(job);
    bench.advance(Duration.ofSeconds(31));
    bench.finish(claimed.ref(), Verdicts.retryIn(Duration.ofSeconds(5)));
    assertThat(expire(bench, 10)).containsExactly(job);
  }

  @Test
  default void expire_cancelsNoMoreThanMax(Bench bench) {
    bench.add(7, Draft.job().expiresAt(bench.now().plusSeconds(1)));
    bench.advance(Duration.ofSeconds(2));
    List<UUID> gone = new ArrayList<>(expire(bench, 5));
    assertThat(gone).hasSize(5);
    gone.addAll(expire(bench, 5));
    assertThat(gone).hasSize(7).doesNotHaveDuplicates();
    assertThat(expire(bench, 5)).isEmpty();
  }

  @Test
  default void expire_takesTheJobOutOfReach(Bench bench) {
    bench.add(Draft.job().expiresAt(bench.now().plusSeconds(1)));
    UUID other = bench.add();
    bench.advance(Duration.ofSeconds(2));
    expire(bench, 10);
    assertThat(Bench.idsOf(bench.claim(10))).containsExactly(other);
  }

  @Test
  default void expire_keepsTheJob_asItsQueueSays(Bench bench) {
    Retention day = new Retention(Duration.ofMinutes(1), Duration.ofDays(1));
    bench.store().queues().save(QueueSettings.of("default").withRetention(day));
    UUID job = bench.add(Draft.job().expiresAt(bench.now().plusSeconds(1)));
    bench.advance(Duration.ofSeconds(2));
    expire(bench, 10);
    bench.advance(Duration.ofHours(23));
    bench.store().purge();
    assertThat(bench.state(job)).isEqualTo(JobState.CANCELLED);
    bench.advance(Duration.ofHours(1).plus(RetentionContract.WELL_AFTER));
    bench.store().purge();
    assertThat(bench.store().find(job)).isEmpty();
  }

  @Test
  default void expire_leavesAJobReplayedPastItsExpiry(Bench bench) {
    UUID job = bench.add(Draft.job().expiresAt(bench.now().plusSeconds(1)));
    bench.advance(Duration.ofSeconds(2));
    expire(bench, 10);
    assertThat(bench.store().replay(job)).isTrue();
    assertThat(expire(bench, 10)).isEmpty();
    assertThat(bench.complete(bench.claim(job))).isTrue();
  }

  private static List<UUID> expire(Bench bench, int max) {
    return bench.store().expire(max);
  }
}
