package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.store.ClaimedJob;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How a person removes a job that is over. */
public interface DeleteContract extends StoreTopic {
  @Test
  default void delete_removesAJobThatIsOver(Bench bench) {
    for (JobState state : JobState.values()) {
      if (state.isFinal()) {
        UUID job = bench.addIn(state);
        assertThat(bench.store().delete(job)).isTrue();
        assertThat(bench.store().find(job)).isEmpty();
      }
    }
    assertThat(bench.listed(JobFilter.all())).isEmpty();
    assertThat(bench.store().counts(null)).isEmpty();
  }

  @Test
  default void delete_isRefused_forAJobThatIsNotOver(Bench bench) {
    for (JobState state : JobState.values()) {
      if (!state.isFinal()) {
        UUID job = bench.addIn(state, Draft.job().type("t" + state));
        JobRecord before = bench.find(job);
        assertThat(bench.store().delete(job)).as(state.name()).isFalse();
        assertThat(bench.find(job)).isEqualTo(before);
      }
    }
  }

  @Test
  default void delete_isRefused_forAnUnknownJob(Bench bench) {
    assertThat(bench.store().delete(bench.made(Draft.job()).id())).isFalse();
  }

  @Test
  default void delete_isRefused_theSecondTime(Bench bench) {
    UUID job = bench.addIn(JobState.COMPLETED);
    assertThat(bench.store().delete(job)).isTrue();
    assertThat(bench.store().delete(job)).isFalse();
  }

  @Test
  default void delete_removesLogLines(Bench bench) {
    ClaimedJob claimed = bench.running();
    bench.store().log(claimed.ref(), List.of("one"));
    bench.complete(claimed);
    bench.store().delete(claimed.ref().job());
    assertThat(bench.store().logs(claimed.ref().job())).isEmpty();
  }

  @Test
  default void delete_leavesNoWayBack(Bench bench) {
    UUID job = bench.addIn(JobState.DEAD);
    bench.store().delete(job);
    assertThat(bench.store().replay(job)).isFalse();
    assertThat(bench.claim(1)).isEmpty();
  }

  @Test
  default void delete_leavesNeighbours(Bench bench) {
    UUID gone = bench.addIn(JobState.DEAD);
    UUID kept = bench.addIn(JobState.DEAD);
    bench.store().delete(gone);
    assertThat(bench.state(kept)).isEqualTo(JobState.DEAD);
    assertThat(bench.listed(JobFilter.all())).containsExactly(kept);
  }
}
