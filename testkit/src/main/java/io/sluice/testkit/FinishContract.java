package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Defaults;
import io.sluice.ErrorClass;
import io.sluice.JobError;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.When;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How each verdict is written down. What is refused is in {@link FencingContract}. */
public interface FinishContract extends StoreTopic {
  @Test
  default void finish_completes_withResult(Bench bench) {
    ClaimedJob claimed = bench.running();
    bench.advance(Duration.ofSeconds(3));
    assertThat(bench.finish(claimed.ref(), Verdicts.completed("{\"sum\":42}"))).isTrue();
    JobRecord record = bench.find(claimed.ref().job());
    assertThat(record.state()).isEqualTo(JobState.COMPLETED);
    assertThat(record.status().result()).isEqualTo("{\"sum\":42}");
    assertThat(record.status().finishedAt()).isEqualTo(bench.now());
    assertThat(record.status().errors()).isEmpty();
    assertThat(record.attempt()).isEqualTo(1);
  }

  @Test
  default void finish_ends_inEveryFinalState(Bench bench) {
    for (JobState state : JobState.values()) {
      if (state.isFinal()) {
        ClaimedJob claimed = bench.running();
        assertThat(bench.finish(claimed.ref(), Verdicts.into(state))).isTrue();
        assertThat(bench.state(claimed.ref().job())).isEqualTo(state);
      }
    }
  }

  @Test
  default void finish_keepsReasonAndError_ofADeadJob(Bench bench) {
    ClaimedJob claimed = bench.running();
    JobError error = new JobError(
        bench.now(), 1, ErrorClass.SERVER, "HTTP_503", "busy", "at x", 503, "<html>'\"");
    bench.finish(
        claimed.ref(),
        new Verdict.End(JobState.DEAD, null, "MAX_RETRIES_EXCEEDED", error, Verdicts.KEEP));
    JobRecord record = bench.find(claimed.ref().job());
    assertThat(record.status().reason()).isEqualTo("MAX_RETRIES_EXCEEDED");
    assertThat(record.status().errors()).containsExactly(error);
    assertThat(record.status().result()).isNull();
  }

  @Test
  default void finish_endsTheClaim(Bench bench) {
    ClaimedJob claimed = bench.running();
    bench.complete(claimed);
    JobRecord record = bench.find(claimed.ref().job());
    assertThat(record.status().leaseUntil()).isNull();
    assertThat(bench.store().workers().live().getFirst().running()).isZero();
  }

  @Test
  default void finish_retriesLater(Bench bench) {
    ClaimedJob claimed = bench.running();
    JobError error = Verdicts.error(bench.now(), 1, "boom");
    assertThat(bench.finish(claimed.ref(), Verdicts.retryIn(Duration.ofSeconds(8), error)))
        .isTrue();
    JobRecord record = bench.find(claimed.ref().job());
    assertThat(record.state()).isEqualTo(JobState.RETRYING);
    assertThat(record.status().runAt()).isEqualTo(bench.now().plusSeconds(8));
    assertThat(record.status().errors()).containsExactly(error);
    assertThat(record.status().finishedAt()).isNull();
    assertThat(bench.claim(1)).isEmpty();
  }

  @Test
  default void finish_retriesAtOnce_whenTheMomentHasCome(Bench bench) {
    ClaimedJob claimed = bench.running();
    Verdict due = new Verdict.Again(
        JobState.RETRYING, When.at(bench.now().minusSeconds(1)), true, Strikes.NONE, null);
    assertThat(bench.finish(claimed.ref(), due)).isTrue();
    assertThat(bench.state(claimed.ref().job())).isEqualTo(JobState.PENDING);
    assertThat(bench.claimOne().attempt()).isEqualTo(2);
  }

  @Test
  default void finish_snoozes_withoutSpendingTheAttempt(Bench bench) {
    ClaimedJob claimed = bench.running();
    assertThat(bench.finish(claimed.ref(), Verdicts.snooze(Duration.ofMinutes(5))))
        .isTrue();
    JobRecord record = bench.find(claimed.ref().job());
    assertThat(record.state()).isEqualTo(JobState.SCHEDULED);
    assertThat(record.status().runAt()).isEqualTo(bench.now().plusSeconds(300));
    assertThat(record.attempt()).isZero();
  }

  @Test
  default void finish_givesBack_asIfNeverClaimed(Bench bench) {
    List<UUID> jobs = bench.add(2);
    ClaimedJob claimed = bench.claimOne();
    assertThat(bench.finish(claimed.ref(), Verdicts.givenBack())).isTrue();
    assertThat(bench.state(jobs.getFirst())).isEqualTo(JobState.PENDING);
    assertThat(bench.find(jobs.getFirst()).attempt()).isZero();
    ClaimedJob again = bench.claimOne();
    assertThat(again.ref().job()).isEqualTo(jobs.getFirst());
    assertThat(again.attempt()).isEqualTo(1);
  }

  @Test
  default void finish_countsSpentAttempts(Bench bench) {
    UUID job = bench.add();
    for (int attempt = 1; attempt <= 4; attempt++) {
      ClaimedJob claimed = bench.claim(job);
      assertThat(claimed.attempt()).isEqualTo(attempt);
      bench.finish(claimed.ref(), Verdicts.retryNow());
      assertThat(bench.find(job).attempt()).isEqualTo(attempt);
    }
  }

  @Test
  default void finish_countsOnlySpentAttempts_whenBothKindsMix(Bench bench) {
    UUID job = bench.add();
    bench.finish(bench.claim(job).ref(), Verdicts.retryNow());
    bench.finish(bench.claim(job).ref(), Verdicts.givenBack());
    bench.finish(bench.claim(job).ref(), Verdicts.snooze(Duration.ZERO));
    assertThat(bench.claim(job).attempt()).isEqualTo(2);
  }

  @Test
  default void finish_keepsErrors_inTheOrderOfAttempts(Bench bench) {
    UUID job = bench.add();
    for (int attempt = 1; attempt <= 3; attempt++) {
      JobError error = Verdicts.error(bench.now(), attempt, "boom " + attempt);
      bench.finish(bench.claim(job).ref(), Verdicts.retryIn(Duration.ZERO, error));
      bench.advance(Duration.ofSeconds(1));
    }
    assertThat(bench.find(job).status().errors())
        .extracting(JobError::message)
        .containsExactly("boom 1", "boom 2", "boom 3");
  }

  @Test
  default void finish_keepsOnlyTheNewestErrors(Bench bench) {
    UUID job = bench.add();
    int attempts = Defaults.MAX_ERRORS + 5;
    for (int attempt = 1; attempt <= attempts; attempt++) {
      JobError error = Verdicts.error(bench.now(), attempt, "boom");
      bench.finish(bench.claim(job).ref(), Verdicts.retryIn(Duration.ZERO, error));
    }
    List<JobError> errors = bench.find(job).status().errors();
    assertThat(errors).hasSize(Defaults.MAX_ERRORS);
    assertThat(errors.getLast().attempt()).isEqualTo(attempts);
  }

  @Test
  default void finish_keepsErrors_ofAJobThatCompletesAfterAll(Bench bench) {
    UUID job = bench.add();
    JobError error = Verdicts.error(bench.now(), 1, "boom");
    bench.finish(bench.claim(job).ref(), Verdicts.retryIn(Duration.ZERO, error));
    bench.complete(bench.claim(job));
    assertThat(bench.find(job).status().errors()).containsExactly(error);
    assertThat(bench.find(job).attempt()).isEqualTo(2);
  }

  @Test
  default void finish_carriesStrikes_toTheNextClaim(Bench bench) {
    ClaimedJob claimed = bench.running();
    bench.finish(claimed.ref(), Verdicts.struck(new Strikes(2, 7)));
    assertThat(bench.find(claimed.ref().job()).status().strikes()).isEqualTo(2);
    assertThat(bench.claimOne().strikes()).isEqualTo(new Strikes(2, 7));
  }

  @Test
  default void finish_carriesStrikes_overAWait(Bench bench) {
    ClaimedJob claimed = bench.running();
    bench.finish(
        claimed.ref(),
        new Verdict.Again(
            JobState.RETRYING, When.in(Duration.ofSeconds(5)), true, new Strikes(1, 2), null));
    bench.advance(Duration.ofSeconds(6));
    bench.store().promote(10);
    assertThat(bench.claimOne().strikes()).isEqualTo(new Strikes(1, 2));
  }

  @Test
  default void finish_answersNothing_toNothing(Bench bench) {
    assertThat(bench.store().finish(List.of())).isEmpty();
  }

  @Test
  default void finish_writesMixedVerdicts_inOneCall(Bench bench) {
    List<JobState> ends = new ArrayList<>();
    for (JobState state : JobState.values()) {
      if (JobState.RUNNING.canBecome(state)) {
        ends.add(state);
      }
    }
    List<UUID> jobs = bench.add(ends.size());
    List<ClaimedJob> claimed = bench.claim(ends.size());
    List<Finish> finishes = new ArrayList<>();
    for (int i = 0; i < ends.size(); i++) {
      finishes.add(new Finish(claimed.get(i).ref(), Verdicts.into(ends.get(i))));
    }
    assertThat(bench.store().finish(finishes))
        .containsExactlyInAnyOrderElementsOf(
            claimed.stream().map(ClaimedJob::ref).toList());
    assertThat(jobs).extracting(bench::state).containsExactlyElementsOf(ends);
  }

  @Test
  default void finish_throughAnotherInstance_takesEffect(Bench bench) {
    ClaimRef ref = bench.running().ref();
    assertThat(bench.other().finish(List.of(new Finish(ref, Verdicts.completed()))))
        .containsExactly(ref);
    assertThat(bench.state(ref.job())).isEqualTo(JobState.COMPLETED);
  }

  @Test
  default void started_isNoted_andShown(Bench bench) {
    ClaimedJob claimed = bench.running();
    bench.advance(Duration.ofSeconds(1));
    assertThat(bench.store().started(claimed.ref(), false)).isTrue();
    JobRecord record = bench.find(claimed.ref().job());
    assertThat(record.attempt()).isEqualTo(1);
    assertThat(record.status().startedAt()).isNotNull();
  }
}
