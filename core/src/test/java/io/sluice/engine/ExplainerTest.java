package io.sluice.engine;

import static io.sluice.engine.Pieces.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.BatchCounts;
import io.sluice.BatchRecord;
import io.sluice.Defaults;
import io.sluice.JobRecord;
import io.sluice.JobSpec;
import io.sluice.JobState;
import io.sluice.JobStatus;
import io.sluice.Lane;
import io.sluice.Limit;
import io.sluice.LimitState;
import io.sluice.Metadata;
import io.sluice.Predecessor;
import io.sluice.Priority;
import io.sluice.RateLimit;
import io.sluice.Reason;
import io.sluice.ReasonCode;
import io.sluice.Result;
import io.sluice.Scope;
import io.sluice.Ties;
import io.sluice.store.Standing;
import io.sluice.store.WorkerRecord;
import io.sluice.store.WorkerSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is hard to bring about: the rest of the words is in the contract of explanations. */
class ExplainerTest {
  private static final WorkerRecord ENGINE =
      worker(new WorkerSpec("engine", 10, Set.of("mail"), Set.of()));
  private static final WorkerRecord FOREIGN =
      worker(WorkerSpec.remote("rival", "default", "theirs", 5, Set.of("mail")));

  private static WorkerRecord worker(WorkerSpec spec) {
    return new WorkerRecord(1, spec, NOW, NOW, NOW.plusSeconds(30), 0);
  }

  private static JobRecord job() {
    JobSpec spec = new JobSpec("{}", Priority.NORMAL, null, null, null, null, Metadata.NONE);
    JobStatus status = new JobStatus(
        JobState.PENDING, 0, 0, 0, null, null, null, null, null, null, null, List.of(), null);
    Lane lane = new Lane("default", "emails", "mail", "", "customer-7");
    return new JobRecord(new UUID(1, 2), lane, spec, NOW, NOW, status);
  }

  private static Reason first(Standing standing, LimitState... limits) {
    Facts.Turn turn = new Facts.Turn(standing, null, List.of(limits));
    Facts facts = new Facts(
        job(), NOW, Defaults.RETRY, null, List.of(ENGINE, FOREIGN), turn, Facts.Holds.NONE);
    return Explainer.explain(facts).reasons().getFirst();
  }

  private static Standing ahead(long jobs, long ended, Duration within) {
    return new Standing(jobs, ended, within, null);
  }

  @Test
  void manyAhead_areNotCounted() {
    assertThat(first(ahead(10_001, 1_000, Duration.ofSeconds(2))).sentence())
        .isEqualTo(
            "More than 10,000 jobs are ahead of it in its lane; at 500 jobs per second its turn"
                + " comes at about 2030-01-15T12:00:20.002Z.");
    assertThat(first(ahead(10_000, 0, Duration.ofSeconds(60))).sentence())
        .startsWith("10,000 jobs are ahead of it in its lane; none of its lane ended lately");
  }

  @Test
  void holdersOfAGlobalLimit_areToldWithoutWorkersOfOthers() {
    Limit limit = new Limit(Scope.global(), null, 7);
    LimitState state =
        new LimitState(limit, 7, Map.of("engine", 4, "theirs", 3), null, null, null, 1);
    Reason reason = first(Standing.NONE, state);
    assertThat(reason.sentence())
        .isEqualTo("The limit 'global' lets 7 jobs run at once, and 7 run: 4 on 'engine' and 3"
            + " elsewhere.");
    assertThat(reason.details().get("holders")).isEqualTo(Map.of("engine", 4));
  }

  @Test
  void limitOfAPattern_isToldWithTheKey() {
    Limit limit = new Limit(Scope.key("default", "customer-*"), new RateLimit(2, 1), null);
    LimitState state =
        new LimitState(limit, 0, Map.of(), 1.0, NOW.plusMillis(400), NOW.plusMillis(400), 1);
    Reason reason = first(Standing.NONE, state);
    assertThat(reason.code()).isEqualTo(ReasonCode.RATE_LIMITED);
    assertThat(reason.sentence())
        .isEqualTo(
            "The limit 'key:customer-*' for 'customer-7' lets 2 jobs start per second (burst 1),"
                + " and they are used up: the next may start at 2030-01-15T12:00:00.400Z, with no job ahead"
                + " of this one in its lane.");
    assertThat(reason.until()).isEqualTo(NOW.plusMillis(400));
  }

  @Test
  void limitWithRoomLeft_isNoReason() {
    Limit limit = new Limit(Scope.tenant("default"), new RateLimit(2, 5), 3);
    LimitState state =
        new LimitState(limit, 2, Map.of("engine", 2), 4.0, NOW, NOW.plusSeconds(2), 1);
    assertThat(first(Standing.NONE, state).code()).isEqualTo(ReasonCode.READY);
  }

  @Test
  void rateThatIsFree_isNoReason_thoughItsNextStartIsALittleAfterNow() {
    Limit limit = new Limit(Scope.tenant("default"), new RateLimit(2, 1), null);
    Instant later = NOW.plusMillis(3);
    LimitState state = new LimitState(limit, 0, Map.of(), 0.0, later, later, 1);
    assertThat(first(Standing.NONE, state).code()).isEqualTo(ReasonCode.READY);
  }

  private static final UUID ONE = new UUID(0, 1);
  private static final UUID TWO = new UUID(0, 2);

  private static Facts.Before before(UUID id, @Nullable JobState state) {
    return new Facts.Before(new Result(id.toString(), id, state, null), null);
  }

  private static Facts.Before batch(UUID id, @Nullable JobState state, @Nullable Instant end) {
    BatchCounts counts = new BatchCounts(1_200, 3, 1, 0);
    BatchRecord record = new BatchRecord(id, "default", "b", null, null, counts, false, NOW, end);
    return new Facts.Before(new Result("b", id, state, null), record);
  }

  private static Reason tied(AfterPolicy policy, Facts.Before... before) {
    List<Predecessor> after =
        Stream.of(before).map(b -> Predecessor.of(b.known().id())).toList();
    JobSpec spec = new JobSpec("{}", Priority.NORMAL, null, null, null, null, Metadata.NONE)
        .withTies(new Ties(after, policy, null));
    JobStatus status = new JobStatus(
        JobState.SCHEDULED, 0, 0, 0, null, null, null, null, null, null, null, List.of(), null);
    JobRecord job = new JobRecord(new UUID(1, 2), job().lane(), spec, NOW, NOW, status);
    Facts facts = new Facts(
        job,
        NOW,
        Defaults.RETRY,
        null,
        List.of(ENGINE),
        Facts.Turn.after(List.of(before)),
        Facts.Holds.NONE);
    return Explainer.explain(facts).reasons().getFirst();
  }

  @Test
  void jobThatWaitsForOthers_namesThem() {
    Reason reason = tied(
        AfterPolicy.CANCEL,
        before(ONE, JobState.RUNNING),
        before(new UUID(0, 3), JobState.COMPLETED),
        before(new UUID(0, 4), null),
        before(TWO, JobState.SCHEDULED));
    assertThat(reason.code()).isEqualTo(ReasonCode.WAITS_FOR);
    assertThat(reason.sentence())
        .isEqualTo("It waits for 2 of 4 jobs: " + ONE + " (RUNNING), " + TWO + " (SCHEDULED).");
    assertThat(reason.details())
        .containsEntry("open", 2)
        .containsEntry("of", 4)
        .containsEntry("policy", AfterPolicy.CANCEL);
  }

  @Test
  void jobThatWaitsForOne_saysWhatThatDoes() {
    assertThat(tied(AfterPolicy.CANCEL, before(ONE, JobState.PENDING)).sentence())
        .isEqualTo("It waits for job " + ONE + ", which is PENDING.");
    assertThat(tied(AfterPolicy.CANCEL, batch(ONE, JobState.RUNNING, null)).sentence())
        .isEqualTo("It waits for batch " + ONE + ", of which 4 of 1,200 are over.");
  }

  @Test
  void batchesAmongOthers_areToldAsSuch() {
    assertThat(tied(AfterPolicy.RUN, before(ONE, JobState.PENDING), batch(TWO, null, null))
            .sentence())
        .isEqualTo("It waits for 2 of 2 jobs and batches: job " + ONE + " (PENDING), batch " + TWO
            + " (4 of 1,200 are over).");
  }

  @Test
  void jobThatWaitsForMany_namesAFew() {
    Facts.Before[] many = IntStream.rangeClosed(1, 2_000)
        .mapToObj(i -> before(new UUID(0, i), JobState.PENDING))
        .toArray(Facts.Before[]::new);
    assertThat(tied(AfterPolicy.RUN, many).sentence())
        .startsWith("It waits for 2,000 of 2,000 jobs: " + ONE + " (PENDING), ")
        .endsWith(new UUID(0, 10) + " (PENDING) and 1,990 more.");
  }

  @Test
  void policy_saysWhatFollows() {
    Facts.Before open = before(ONE, JobState.RUNNING);
    assertThat(Stream.of(AfterPolicy.values()).map(policy -> tied(policy, open).remedy()))
        .containsExactly(
            "It becomes ready when all that it waits for has completed, and is cancelled when one of"
                + " it does not.",
            "It becomes ready when all that it waits for is over.",
            "It becomes ready when all that it waits for has completed, and is held when one of it"
                + " does not.",
            "It becomes ready when all that it waits for is over and one of it did not complete; it is"
                + " cancelled when all completed.");
  }

  @Test
  void heldJob_namesTheOneThatFailed() {
    Reason one =
        tied(AfterPolicy.HOLD, before(ONE, JobState.DEAD), before(TWO, JobState.COMPLETED));
    assertThat(one.code()).isEqualTo(ReasonCode.HELD);
    assertThat(one.sentence()).isEqualTo("It is held because job " + ONE + " is DEAD.");
    assertThat(one.remedy())
        .isEqualTo("Retry it to run it all the same, or retry that job: it runs when that one has"
            + " completed.");
    Reason two =
        tied(AfterPolicy.HOLD, before(ONE, JobState.CANCELLED), batch(TWO, JobState.DEAD, NOW));
    assertThat(two.sentence())
        .isEqualTo("It is held because job " + ONE + " is CANCELLED and batch " + TWO + " failed.");
  }

  @Test
  void heldJob_isHeld_alsoWhenTheOneThatFailedIsNotKeptAnyMore() {
    Reason reason = tied(AfterPolicy.HOLD, before(ONE, null), before(TWO, JobState.COMPLETED));
    assertThat(reason.code()).isEqualTo(ReasonCode.HELD);
    assertThat(reason.sentence())
        .isEqualTo("It is held because one that it waited for did not complete, and is not kept any"
            + " more.");
    assertThat(reason.remedy()).isEqualTo("Retry it to run it all the same.");
  }

  @Test
  void jobWhoseOthersAreOver_isAboutToBeReady() {
    assertThat(tied(AfterPolicy.RUN, before(ONE, JobState.DEAD)).sentence())
        .isEqualTo("All that it waited for is over, and it is about to be made ready.");
  }
}
