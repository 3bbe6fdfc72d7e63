package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Result;
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
  default void deleteAll_removesThoseThatAreFinished_andThatNobodyNeeds(Bench bench) {
    UUID dead = bench.addIn(JobState.DEAD);
    UUID completed = bench.addIn(JobState.COMPLETED);
    UUID waiting = bench.add();
    UUID needed = bench.addIn(JobState.DEAD, Draft.job().type("needed"));
    UUID held = bench.add(Draft.job().after(needed).policy(AfterPolicy.HOLD));
    List<UUID> given = List.of(waiting, completed, needed, bench.id(), dead, dead);

    assertThat(bench.store().deleteAll(given)).containsExactlyInAnyOrder(dead, completed);
    assertThat(bench.store().find(dead)).isEmpty();
    assertThat(bench.store().find(completed)).isEmpty();
    assertThat(bench.state(waiting)).isEqualTo(JobState.PENDING);
    assertThat(bench.state(needed)).isEqualTo(JobState.DEAD);
    assertThat(bench.store().find(held)).isPresent();
    assertThat(bench.store().deleteAll(given)).isEmpty();
    assertThat(bench.store().deleteAll(List.of())).isEmpty();
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
  default void delete_isRefused_whileAJobThatIsNotOverNamesIt(Bench bench) {
    for (AfterPolicy policy : List.of(AfterPolicy.HOLD, AfterPolicy.RUN)) {
      UUID over = bench.addIn(JobState.DEAD, Draft.job().type("a" + policy));
      UUID job = bench.add(Draft.job().type("b" + policy).after("over", over).policy(policy));
      assertNeeded(bench, over, job);
      bench.links().release(job);
      assertNeeded(bench, over, job);
      bench.end(job, JobState.RETRYING);
      assertNeeded(bench, over, job);
      assertThat(bench.links().results(job))
          .containsExactly(new Result("over", over, JobState.DEAD, null));
      bench.store().cancel(job, "no", Verdicts.KEEP);
      assertThat(bench.links().needing(over)).isEmpty();
      assertThat(bench.store().delete(over)).isTrue();
    }
  }

  @Test
  default void delete_isRefused_whileOneThatWaitsForOthersNamesIt(Bench bench) {
    UUID over = bench.addIn(JobState.COMPLETED, Draft.job().type("a"));
    UUID open = bench.add(Draft.job().type("open"));
    UUID job = bench.add(Draft.job().type("b").after(over, open));
    assertNeeded(bench, over, job);
    bench.end(open, JobState.COMPLETED);
    bench.end(job, JobState.COMPLETED);
    assertThat(bench.store().delete(over)).isTrue();
    assertThat(bench.links().results(job))
        .extracting(Result::state)
        .containsExactly(null, JobState.COMPLETED);
  }

  @Test
  default void needing_isNobody_ofAJobThatNoneNames(Bench bench) {
    assertThat(bench.links().needing(bench.addIn(JobState.DEAD))).isEmpty();
    assertThat(bench.links().needing(bench.id())).isEmpty();
  }

  private static void assertNeeded(Bench bench, UUID over, UUID by) {
    assertThat(bench.links().needing(over)).contains(by);
    assertThat(bench.store().delete(over)).isFalse();
    assertThat(bench.store().find(over)).isPresent();
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
