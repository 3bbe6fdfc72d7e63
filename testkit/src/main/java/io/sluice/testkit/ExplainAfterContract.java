package io.sluice.testkit;

import static io.sluice.testkit.Told.assertExplained;
import static io.sluice.testkit.Told.assertReasons;
import static io.sluice.testkit.Told.codes;
import static io.sluice.testkit.Told.reason;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.JobState;
import io.sluice.Reason;
import io.sluice.ReasonCode;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is told of jobs that wait for others, word for word. */
public interface ExplainAfterContract extends StoreTopic {
  String COMPLETES =
      "It becomes ready when all that it waits for has completed, and is cancelled when one of it does"
          + " not.";

  @Test
  default void jobThatWaitsForOthers_saysForWhich(Bench bench) {
    UUID done = bench.addIn(JobState.COMPLETED);
    UUID running = bench.addIn(JobState.RUNNING);
    UUID later = bench.add(Draft.job().in(Duration.ofMinutes(1)));
    UUID job = bench.add(Draft.job().after("a", done).after("b", running).after("c", later));
    String sentence =
        "It waits for 2 of 3 jobs: " + running + " (RUNNING), " + later + " (SCHEDULED).";
    assertExplained(
        bench,
        job,
        "The job waits: i" + sentence.substring(1),
        reason(ReasonCode.WAITS_FOR, sentence, null, COMPLETES));
  }

  @Test
  default void callback_waitsForItsBatch(Bench bench) {
    bench.worker();
    UUID batch = bench.id();
    UUID callback = bench.id();
    UUID first = bench
        .start(BatchDraft.of(batch).callback(callback, AfterPolicy.RUN), Draft.job(), Draft.job())
        .jobs()
        .getFirst()
        .id();
    bench.end(first, JobState.DEAD);
    assertThat(Told.reasons(bench, callback).getFirst().sentence())
        .isEqualTo("It waits for batch " + batch + ", of which 1 of 2 are over.");
  }

  @Test
  default void jobThatWasCancelledByItsPolicy_saysBecauseOfWhich_andWhatBringsItBack(Bench bench) {
    UUID dead = bench.add();
    UUID job = bench.add(Draft.job().after("a", dead));
    UUID last = bench.add(Draft.job().after("b", job));
    bench.end(dead, JobState.DEAD);
    Reason reason = Told.reasons(bench, job).getFirst();
    assertThat(reason.remedy())
        .isEqualTo("Replay it to run it after all, or replay job " + dead
            + " with all that was cancelled because of it.");
    assertThat(reason.details()).containsEntry("because", dead);
    Reason further = Told.reasons(bench, last).getFirst();
    assertThat(further.remedy()).isEqualTo("Replay it to run it after all.");
    assertThat(further.details()).doesNotContainKey("because");
  }

  @Test
  default void heldJob_saysBecauseOfWhich(Bench bench) {
    bench.worker();
    UUID dead = bench.add();
    UUID job = bench.add(Draft.job().after("a", dead).policy(AfterPolicy.HOLD));
    assertThat(codes(bench, job)).containsExactly(ReasonCode.WAITS_FOR);
    bench.end(dead, JobState.DEAD);
    assertReasons(
        bench,
        job,
        reason(
            ReasonCode.HELD,
            "It is held because job " + dead + " is DEAD.",
            null,
            "Retry it to run it all the same, or retry that job: it runs when that one has completed."));
  }
}
