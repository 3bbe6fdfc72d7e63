package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Predecessor;
import io.sluice.store.ClaimRef;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The table of {@link JobState#next}, walked pair by pair: every legal move can be made, no other. */
public interface StateMovesContract extends StoreTopic {
  @TestFactory
  @Execution(ExecutionMode.SAME_THREAD) // its tests share a store and a clock
  default Stream<DynamicTest> move_isMadeIfLegal_andChangesNothingIfNot(Bench bench) {
    return Arrays.stream(JobState.values())
        .flatMap(from -> Arrays.stream(JobState.values())
            .map(to -> DynamicTest.dynamicTest(
                from + (from.canBecome(to) ? " becomes " : " never becomes ") + to,
                () -> walk(bench, from, to))));
  }

  @Test
  default void move_outOfAFinalState_isOnlyEverAReplay(Bench bench) {
    for (JobState state : JobState.values()) {
      if (state.isFinal()) {
        UUID job = bench.addIn(state, Draft.job().type("t" + state));
        assertThat(bench.store().replay(job)).isEqualTo(state.isReplayable());
      }
    }
  }

  private static void walk(Bench bench, JobState from, JobState to) {
    // A tenant for each pair: what one pair leaves behind is in no other pair's lane.
    Draft draft = Draft.job().tenant((from + "." + to).toLowerCase(Locale.ROOT));
    ClaimRef ref = make(bench, from, draft);
    JobRecord before = bench.find(ref.job());
    assertThat(before.state()).isEqualTo(from);
    tryTo(bench, ref, before, to);
    if (from.canBecome(to)) {
      assertThat(bench.state(ref.job())).isEqualTo(to);
    } else {
      assertThat(bench.find(ref.job())).isEqualTo(before);
    }
  }

  /** A job in a state, with the claim it has or had; for one that was never claimed, a made-up one. */
  private static ClaimRef make(Bench bench, JobState state, Draft draft) {
    if (state == JobState.SCHEDULED || state == JobState.PENDING) {
      return new ClaimRef(bench.addIn(state, draft), 1, bench.worker());
    }
    if (state == JobState.CANCELLED) {
      UUID failed = bench.addIn(JobState.DEAD, draft);
      return new ClaimRef(bench.add(draft.after(failed)), 1, bench.worker());
    }
    ClaimRef ref = bench.claim(bench.add(draft)).ref();
    if (state != JobState.RUNNING) {
      assertThat(bench.finish(ref, Verdicts.into(state))).isTrue();
    }
    return ref;
  }

  /** Does everything that could bring the job there; that some of it is refused is the point. */
  private static void tryTo(Bench bench, ClaimRef ref, JobRecord record, JobState to) {
    switch (to) {
      case PENDING -> {
        bench.advance(Duration.ofMinutes(2));
        bench.store().promote(100);
        bench.store().replay(ref.job());
        bench.finish(ref, Verdicts.givenBack());
      }
      case RUNNING ->
        bench.claimLane(bench.worker(), record.lane(), record.priority().value(), 10);
      case CANCELLED -> {
        bench.store().cancel(ref.job(), "a test", Verdicts.KEEP);
        bench.finish(ref, Verdicts.into(to));
      }
      case SCHEDULED -> {
        bench.finish(ref, Verdicts.into(to));
        for (Predecessor failed : record.spec().ties().after()) {
          bench.links().revive(failed.id());
        }
      }
      case RETRYING, COMPLETED, FAILED, DEAD -> bench.finish(ref, Verdicts.into(to));
    }
  }
}
