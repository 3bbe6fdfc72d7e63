package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.AfterPolicy;
import io.sluice.Defaults;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Predecessor;
import io.sluice.Result;
import io.sluice.SluiceException;
import io.sluice.Ties;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Count;
import io.sluice.store.NewJob;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** How a job is taken that waits for others, and what it looks like meanwhile. */
public interface AfterContract extends StoreTopic {
  @Test
  default void aSuccessor_isScheduledWithoutAMoment_untilItsPredecessorIsOver(Bench bench) {
    UUID first = bench.add();
    Enqueued answer = bench.insert(Draft.job().after(first)).getFirst();
    assertThat(answer.state()).isEqualTo(JobState.SCHEDULED);
    JobRecord waiting = bench.find(answer.id());
    assertThat(waiting.state()).isEqualTo(JobState.SCHEDULED);
    assertThat(waiting.status().runAt()).isNull();
    List<ClaimedJob> claimed = bench.claim(5);
    assertThat(Bench.idsOf(claimed)).containsExactly(first);
    bench.complete(claimed.getFirst());
    assertThat(bench.state(answer.id())).isEqualTo(JobState.PENDING);
    assertThat(Bench.idsOf(bench.claim(5))).containsExactly(answer.id());
  }

  @Test
  default void aSuccessorOfSeveral_waitsForTheLast(Bench bench) {
    List<UUID> before = bench.add(3);
    UUID last = bench.add(Draft.job().type("last").after(before.toArray(UUID[]::new)));
    for (ClaimedJob claimed : bench.claim(3)) {
      assertThat(bench.state(last)).isEqualTo(JobState.SCHEDULED);
      bench.complete(claimed);
    }
    assertThat(bench.state(last)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void predecessorsThatAreOver_countAtOnce(Bench bench) {
    UUID completed = bench.addIn(JobState.COMPLETED);
    Enqueued answer = bench.insert(Draft.job().after(completed)).getFirst();
    assertThat(answer.state()).isEqualTo(JobState.PENDING);
    assertThat(bench.state(answer.id())).isEqualTo(JobState.PENDING);
    assertThat(Bench.idsOf(bench.claim(5))).containsExactly(answer.id());
  }

  @Test
  default void someThatAreOver_leaveTheOthersToWaitFor(Bench bench) {
    UUID over = bench.addIn(JobState.COMPLETED);
    UUID open = bench.add(Draft.job().type("open"));
    UUID job = bench.add(Draft.job().after(over, open));
    assertThat(bench.state(job)).isEqualTo(JobState.SCHEDULED);
    bench.end(open, JobState.COMPLETED);
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void aPredecessorThatFailedBefore_countsByThePolicy(Bench bench) {
    for (JobState state : List.of(JobState.DEAD, JobState.FAILED, JobState.CANCELLED)) {
      UUID failed = bench.addIn(state, Draft.job().type("a" + state));
      Draft draft = Draft.job().type("b" + state).after(failed);
      Enqueued cancelled = bench.insert(draft).getFirst();
      assertThat(cancelled.state()).isEqualTo(JobState.CANCELLED);
      assertThat(bench.reason(cancelled.id()))
          .isEqualTo("job " + failed + ", which it waits for, is " + state);
      assertThat(bench.find(cancelled.id()).status().finishedAt()).isEqualTo(bench.now());
      UUID held = bench.add(draft.policy(AfterPolicy.HOLD));
      assertThat(bench.state(held)).isEqualTo(JobState.SCHEDULED);
      assertThat(bench.find(held).status().runAt()).isNull();
      assertThat(bench.state(bench.add(draft.policy(AfterPolicy.RUN)))).isEqualTo(JobState.PENDING);
      assertThat(bench.state(bench.add(draft.policy(AfterPolicy.IF_FAILED))))
          .isEqualTo(JobState.PENDING);
    }
  }

  @Test
  default void aJobForFailures_isCancelledAtOnce_afterOneThatCompleted(Bench bench) {
    UUID completed = bench.addIn(JobState.COMPLETED);
    UUID job = bench.add(Draft.job().after(completed).policy(AfterPolicy.IF_FAILED));
    assertThat(bench.state(job)).isEqualTo(JobState.CANCELLED);
    assertThat(bench.reason(job)).isEqualTo("all that it waits for completed");
  }

  @Test
  default void results_comeInTheOrderOfTheNames(Bench bench) {
    UUID first = bench.add(Draft.job().type("first"));
    UUID second = bench.add(Draft.job().type("second"));
    UUID third = bench.add(Draft.job().type("third"));
    UUID job = bench.add(
        Draft.job().policy(AfterPolicy.RUN).after("z", third).after("a", first).after(second));
    assertThat(bench.links().results(job))
        .containsExactly(
            new Result("z", third, JobState.PENDING, null),
            new Result("a", first, JobState.PENDING, null),
            new Result(second.toString(), second, JobState.PENDING, null));
    bench.finish(bench.claim(first).ref(), Verdicts.completed("{\"n\":1}"));
    bench.end(second, JobState.DEAD);
    bench.finish(bench.claim(third).ref(), Verdicts.completed("[3]"));
    assertThat(bench.links().results(job))
        .containsExactly(
            new Result("z", third, JobState.COMPLETED, "[3]"),
            new Result("a", first, JobState.COMPLETED, "{\"n\":1}"),
            new Result(second.toString(), second, JobState.DEAD, null));
    bench.end(job, JobState.COMPLETED);
    assertThat(bench.links().results(job)).hasSize(3);
  }

  @Test
  default void results_ofAJobThatWaitedForNone_areNone(Bench bench) {
    assertThat(bench.links().results(bench.add())).isEmpty();
    assertThat(bench.links().results(bench.id())).isEmpty();
  }

  @Test
  default void ties_comeBack_whenFoundAndWhenClaimed(Bench bench) {
    UUID first = bench.addIn(JobState.COMPLETED);
    UUID job = bench.add(Draft.job().after("it", first).policy(AfterPolicy.HOLD));
    Ties ties = new Ties(List.of(new Predecessor(first, "it")), AfterPolicy.HOLD, null);
    assertThat(bench.find(job).spec().ties()).isEqualTo(ties);
    assertThat(bench.claim(job).spec().ties()).isEqualTo(ties);
  }

  @Test
  default void aDelay_holdsAlso_whenThePredecessorsAreOverSooner(Bench bench) {
    UUID first = bench.add();
    UUID job = bench.add(Draft.job().type("b").after(first).in(Duration.ofMinutes(10)));
    assertThat(bench.find(job).status().runAt()).isNull();
    var due = bench.now().plus(Duration.ofMinutes(10));
    bench.advance(Duration.ofMinutes(4));
    bench.end(first, JobState.COMPLETED);
    assertThat(bench.state(job)).isEqualTo(JobState.SCHEDULED);
    assertThat(bench.find(job).status().runAt()).isEqualTo(due);
    bench.advance(Duration.ofMinutes(6));
    assertThat(bench.store().promote(10).moved()).isEqualTo(1);
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void aDelayThatHasPassed_holdsNobodyUp(Bench bench) {
    UUID first = bench.add();
    UUID job = bench.add(Draft.job().type("b").after(first).in(Duration.ofMinutes(10)));
    bench.advance(Duration.ofMinutes(11));
    assertThat(bench.store().promote(10).moved()).isZero();
    bench.end(first, JobState.COMPLETED);
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void aDelayAfterOnesThatAreOver_isADelay(Bench bench) {
    UUID over = bench.addIn(JobState.COMPLETED);
    UUID job = bench.add(Draft.job().after(over).in(Duration.ofMinutes(10)));
    assertThat(bench.find(job).status().runAt()).isEqualTo(bench.now().plusSeconds(600));
  }

  @Test
  default void anUnknownPredecessor_isRefused_withAllOfTheCall(Bench bench) {
    UUID nobody = bench.id();
    UUID known = bench.add();
    assertNotFound(
        nobody,
        () ->
            bench.insert(Draft.job(), Draft.job().after(known), Draft.job().after(known, nobody)));
    assertThat(bench.listed(JobFilter.all())).containsExactly(known);
    bench.end(known, JobState.COMPLETED);
    assertThat(bench.claim(5)).isEmpty();
  }

  @Test
  default void aPredecessorOfAnotherTenant_isRefused(Bench bench) {
    UUID foreign = bench.add(Draft.job().tenant("elsewhere"));
    UUID foreignOver = bench.addIn(JobState.COMPLETED, Draft.job().tenant("afar"));
    assertNotFound(foreign, () -> bench.add(Draft.job().after(foreign)));
    assertNotFound(foreignOver, () -> bench.add(Draft.job().after(foreignOver)));
    assertThat(bench.listed(JobFilter.all())).containsExactly(foreignOver, foreign);
  }

  private static void assertNotFound(UUID id, ThrowingCallable call) {
    SluiceException refused = catchThrowableOfType(SluiceException.class, call);
    assertThat(refused.code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refused).hasMessageContaining("after: there is no job or batch " + id);
  }

  @Test
  default void aPredecessorNamedTwice_isRefused(Bench bench) {
    UUID first = bench.add();
    SluiceException refused = catchThrowableOfType(
        SluiceException.class, () -> bench.add(Draft.job().after("a", first).after("b", first)));
    assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_MESSAGE);
    assertThat(refused.field()).contains("after");
    assertThat(bench.listed(JobFilter.all())).containsExactly(first);
  }

  @Test
  default void aPredecessorOfAnotherQueue_isWaitedFor(Bench bench) {
    bench.makeQueue("other");
    UUID first = bench.add(Draft.job().queue("other"));
    UUID job = bench.add(Draft.job().after(first));
    assertThat(bench.state(job)).isEqualTo(JobState.SCHEDULED);
    bench.end(first, JobState.COMPLETED);
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void jobsOfOneCall_mayWaitForEachOther_inWhateverOrderTheyCome(Bench bench) {
    NewJob first = bench.made(Draft.job().type("a"));
    NewJob second = bench.made(Draft.job().type("b").after(first.id()));
    NewJob third = bench.made(Draft.job().type("c").after(second.id()));
    assertThat(bench.store().insert(List.of(third, first, second)))
        .extracting(Enqueued::state)
        .containsExactly(JobState.SCHEDULED, JobState.PENDING, JobState.SCHEDULED);
    for (NewJob job : List.of(first, second, third)) {
      List<ClaimedJob> claimed = bench.claim(5);
      assertThat(Bench.idsOf(claimed)).containsExactly(job.id());
      bench.complete(claimed.getFirst());
    }
  }

  @Test
  default void aKnownKey_answersTheKnownJob_andMakesNoLink(Bench bench) {
    UUID known = bench.add(Draft.job().type("a").key("k"));
    UUID other = bench.add(Draft.job().type("b"));
    Enqueued answer = bench.insert(Draft.job().type("a").key("k").after(other)).getFirst();
    assertThat(answer).isEqualTo(new Enqueued(known, JobState.PENDING, true));
    assertThat(bench.links().results(known)).isEmpty();
    assertThat(bench.links().successors(other, 10)).isEmpty();
    assertThat(bench.state(known)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void aWaitingJob_isCountedAndListed_asScheduled(Bench bench) {
    UUID first = bench.add(Draft.job().type("a"));
    UUID job = bench.add(Draft.job().type("b").after(first));
    assertThat(bench.store().counts(null))
        .containsExactly(
            new Count(Defaults.TENANT, Defaults.QUEUE, "a", JobState.PENDING, 1),
            new Count(Defaults.TENANT, Defaults.QUEUE, "b", JobState.SCHEDULED, 1));
    JobRecord listed = bench.store().page(JobFilter.all(), null, 10).items().getFirst();
    assertThat(listed).isEqualTo(bench.find(job));
    assertThat(listed.status().runAt()).isNull();
  }

  @Test
  default void aWaitingJob_isNeitherPromotedNorPurged_howeverLongItWaits(Bench bench) {
    UUID first = bench.add();
    UUID job = bench.add(Draft.job().after(first));
    UUID held = bench.add(Draft.job()
        .after(bench.addIn(JobState.DEAD, Draft.job().type("d")))
        .policy(AfterPolicy.HOLD));
    bench.advance(Duration.ofDays(400));
    assertThat(bench.store().promote(10).moved()).isZero();
    assertThat(bench.store().promote(10).untilNext()).isNull();
    bench.store().purge();
    assertThat(bench.state(job)).isEqualTo(JobState.SCHEDULED);
    assertThat(bench.state(held)).isEqualTo(JobState.SCHEDULED);
  }

  @Test
  default void aWaitingJob_isNotOver_soItIsNeitherDeletedNorReplayed(Bench bench) {
    UUID job = bench.add(Draft.job().after(bench.add()));
    assertThat(bench.store().delete(job)).isFalse();
    assertThat(bench.store().replay(job)).isFalse();
    assertThat(bench.state(job)).isEqualTo(JobState.SCHEDULED);
  }
}
