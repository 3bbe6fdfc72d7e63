package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.AfterPolicy;
import io.sluice.BatchCounts;
import io.sluice.BatchRecord;
import io.sluice.BatchStarted;
import io.sluice.Defaults;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.Result;
import io.sluice.SluiceException;
import io.sluice.WaitingJobs;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.JobStore;
import io.sluice.store.NewJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Jobs that were taken together: their counts, the end of their batch, and what follows it. */
public interface BatchLinksContract extends StoreTopic {
  @Test
  default void start_takesTheJobs_inTheOrderGiven(Bench bench) {
    UUID batch = bench.id();
    UUID callback = bench.id();
    List<NewJob> jobs = bench.made(3, Draft.job());
    BatchStarted started =
        bench.start(BatchDraft.of(batch).callback(callback, AfterPolicy.RUN), jobs);
    assertThat(started.id()).isEqualTo(batch);
    assertThat(started.duplicate()).isFalse();
    assertThat(started.callback()).isEqualTo(callback);
    assertThat(started.jobs())
        .containsExactlyElementsOf(jobs.stream()
            .map(job -> new Enqueued(job.id(), JobState.PENDING, false))
            .toList());
    assertThat(bench.batch(batch))
        .isEqualTo(new BatchRecord(
            batch,
            Defaults.TENANT,
            "night run",
            null,
            callback,
            new BatchCounts(3, 0, 0, 0),
            false,
            bench.now(),
            null));
    assertThat(bench.state(callback)).isEqualTo(JobState.SCHEDULED);
    assertThat(bench.find(jobs.getFirst().id()).spec().ties().batch()).isEqualTo(batch);
    assertThat(bench.claim(1).getFirst().spec().ties().batch()).isEqualTo(batch);
  }

  @Test
  default void start_takesAGraph_whoseJobsWaitForEachOther(Bench bench) {
    UUID batch = bench.id();
    NewJob a = bench.made(Draft.job().type("a"));
    NewJob b = bench.made(Draft.job().type("b").after("a", a.id()));
    BatchStarted started = bench.start(BatchDraft.of(batch), List.of(b, a));
    assertThat(started.jobs())
        .extracting(Enqueued::state)
        .containsExactly(JobState.SCHEDULED, JobState.PENDING);
    bench.end(a.id(), JobState.COMPLETED);
    bench.end(b.id(), JobState.COMPLETED);
    assertThat(bench.batch(batch).isOver()).isTrue();
  }

  @Test
  default void start_isRefusedWhole_whenOneJobCannotBeTaken(Bench bench) {
    UUID batch = bench.id();
    UUID callback = bench.id();
    UUID nobody = bench.id();
    BatchDraft draft = BatchDraft.of(batch).callback(callback, AfterPolicy.RUN);
    assertCode(
        ErrorCode.NOT_FOUND, () -> bench.start(draft, Draft.job(), Draft.job().after(nobody)));
    bench.store().queues().save(QueueSettings.of("small").withMaxSize(1L));
    assertCode(
        ErrorCode.QUEUE_FULL,
        () -> bench.start(draft, Draft.job().queue("small"), Draft.job().queue("small")));
    assertThat(bench.links().find(batch)).isEmpty();
    assertThat(bench.listed(JobFilter.all())).isEmpty();
    assertThat(bench.start(draft, Draft.job()).jobs()).hasSize(1);
  }

  @Test
  default void counts_followTheMembers_andTheBatchEndsWithTheLast(Bench bench) {
    UUID batch = bench.id();
    bench.start(BatchDraft.of(batch), bench.made(4, Draft.job()));
    List<ClaimedJob> claimed = bench.claim(4);
    bench.complete(claimed.get(0));
    assertCounts(bench, batch, 4, 1, 0, 0);
    bench.finish(claimed.get(1).ref(), Verdicts.into(JobState.DEAD));
    bench.finish(claimed.get(2).ref(), Verdicts.into(JobState.FAILED));
    assertCounts(bench, batch, 4, 1, 2, 0);
    assertThat(bench.batch(batch).isOver()).isFalse();
    bench.advance(Duration.ofSeconds(1));
    bench.store().cancel(claimed.get(3).ref().job(), "no", Verdicts.KEEP);
    assertCounts(bench, batch, 4, 1, 2, 1);
    assertThat(bench.batch(batch).finishedAt()).isEqualTo(bench.now());
  }

  @Test
  default void whatIsNotAnEnd_isNotCounted(Bench bench) {
    UUID batch = bench.id();
    bench.start(BatchDraft.of(batch), Draft.job());
    bench.finish(bench.claimOne().ref(), Verdicts.retryNow());
    bench.finish(bench.claimOne().ref(), Verdicts.givenBack());
    assertCounts(bench, batch, 1, 0, 0, 0);
    bench.complete(bench.claimOne());
    assertCounts(bench, batch, 1, 1, 0, 0);
    assertThat(bench.batch(batch).isOver()).isTrue();
  }

  @Test
  default void callback_runsByWhatWasSaidOfIt_whenAllCompleted(Bench bench) {
    assertThat(callback(bench, AfterPolicy.RUN, JobState.COMPLETED)).isEqualTo("PENDING");
    assertThat(callback(bench, AfterPolicy.CANCEL, JobState.COMPLETED)).isEqualTo("PENDING");
    assertThat(callback(bench, AfterPolicy.IF_FAILED, JobState.COMPLETED))
        .isEqualTo("CANCELLED all that it waits for completed");
  }

  @Test
  default void callback_runsByWhatWasSaidOfIt_whenOneDidNot(Bench bench) {
    for (JobState state : List.of(JobState.DEAD, JobState.FAILED, JobState.CANCELLED)) {
      assertThat(callback(bench, AfterPolicy.RUN, state)).isEqualTo("PENDING");
      assertThat(callback(bench, AfterPolicy.CANCEL, state))
          .isEqualTo("CANCELLED batch *, which it waits for, failed");
      assertThat(callback(bench, AfterPolicy.IF_FAILED, state)).isEqualTo("PENDING");
    }
  }

  /** What becomes of a callback when one of two members ends so and the other completes. */
  private static String callback(Bench bench, AfterPolicy policy, JobState state) {
    UUID batch = bench.id();
    UUID callback = bench.id();
    bench.start(
        BatchDraft.of(batch).callback(callback, policy),
        bench.made(2, Draft.job().priority(0)));
    List<ClaimedJob> claimed = bench.claim(2);
    bench.finish(claimed.get(0).ref(), Verdicts.into(state));
    assertThat(bench.state(callback)).isEqualTo(JobState.SCHEDULED);
    bench.complete(claimed.get(1));
    assertThat(bench.batch(batch).isOver()).isTrue();
    String reason = bench.reason(callback);
    return bench.state(callback)
        + (reason == null ? "" : " " + reason.replace(batch.toString(), "*"));
  }

  @Test
  default void membersAndStrangers_thatCompleteInOneCall_countEachAsItsOwn(Bench bench) {
    UUID batch = bench.id();
    UUID callback = bench.id();
    NewJob member = bench.made(Draft.job());
    NewJob cleanUp = bench.made(Draft.job().after(member.id()).policy(AfterPolicy.IF_FAILED));
    bench.start(
        BatchDraft.of(batch).callback(callback, AfterPolicy.IF_FAILED), List.of(member, cleanUp));
    UUID before = bench.add();
    UUID cleanUpOfStranger = bench.add(Draft.job().after(before).policy(AfterPolicy.IF_FAILED));
    bench.add();
    List<Finish> ends = bench.claim(3).stream()
        .map(c -> new Finish(c.ref(), Verdicts.completed()))
        .toList();
    assertThat(bench.store().finish(ends)).hasSize(3);
    assertCounts(bench, batch, 2, 1, 0, 1);
    assertThat(bench.state(cleanUpOfStranger)).isEqualTo(JobState.CANCELLED);
    assertThat(bench.state(callback)).isEqualTo(JobState.PENDING);
    assertThat(bench.store().replay(cleanUp.id())).isTrue();
    assertCounts(bench, batch, 2, 1, 0, 0);
  }

  @Test
  default void callback_findsTheCounts_asItsResult(Bench bench) {
    UUID batch = bench.id();
    UUID callback = bench.id();
    bench.start(BatchDraft.of(batch).callback(callback, AfterPolicy.RUN), Draft.job(), Draft.job());
    assertThat(bench.links().results(callback))
        .containsExactly(new Result("batch", batch, JobState.RUNNING, null));
    bench.complete(bench.claimOne());
    bench.finish(bench.claimOne().ref(), Verdicts.into(JobState.DEAD));
    assertThat(bench.links().results(callback))
        .containsExactly(new Result(
            "batch",
            batch,
            JobState.DEAD,
            "{\"total\":2,\"completed\":1,\"failed\":1,\"cancelled\":0}"));
  }

  @Test
  default void aBatchOfNothing_endsAtOnce(Bench bench) {
    UUID callback = bench.id();
    UUID batch = bench
        .start(BatchDraft.of(bench.id()).callback(callback, AfterPolicy.CANCEL))
        .id();
    assertThat(bench.batch(batch).isOver()).isTrue();
    assertCounts(bench, batch, 0, 0, 0, 0);
    assertThat(bench.state(callback)).isEqualTo(JobState.PENDING);
    assertThat(bench.links().results(callback).getFirst().state()).isEqualTo(JobState.COMPLETED);
  }

  @Test
  default void aBatchWhoseJobsAreCancelledAtOnce_isOverAtOnce(Bench bench) {
    UUID failed = bench.addIn(JobState.DEAD);
    UUID callback = bench.id();
    UUID batch = bench.id();
    BatchStarted started = bench.start(
        BatchDraft.of(batch).callback(callback, AfterPolicy.IF_FAILED),
        Draft.job().after(failed));
    assertThat(started.jobs().getFirst().state()).isEqualTo(JobState.CANCELLED);
    assertCounts(bench, batch, 1, 0, 0, 1);
    assertThat(bench.batch(batch).isOver()).isTrue();
    assertThat(bench.state(callback)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void unfinished_areTheMembersThatAreNotOver(Bench bench) {
    UUID batch = bench.id();
    List<NewJob> jobs = bench.made(3, Draft.job());
    bench.start(BatchDraft.of(batch).callback(bench.id(), AfterPolicy.RUN), jobs);
    bench.complete(bench.claimOne());
    assertThat(bench.links().unfinished(batch, 10))
        .containsExactlyInAnyOrder(jobs.get(1).id(), jobs.get(2).id());
    assertThat(bench.links().unfinished(batch, 1)).hasSize(1);
    bench.claim(2).forEach(bench::complete);
    assertThat(bench.links().unfinished(batch, 10)).isEmpty();
    assertThat(bench.links().unfinished(bench.id(), 10)).isEmpty();
  }

  @Test
  default void cancelOfManyMembers_isCounted_andEndsTheBatch(Bench bench) {
    UUID batch = bench.id();
    UUID callback = bench.id();
    bench.makeQueue("doomed");
    NewJob first = bench.made(Draft.job().queue("doomed"));
    List<NewJob> jobs = new ArrayList<>(bench.made(5, Draft.job().queue("doomed")));
    jobs.add(first);
    jobs.add(bench.made(Draft.job().queue("doomed").after(first.id())));
    bench.start(BatchDraft.of(batch).callback(callback, AfterPolicy.IF_FAILED), jobs);
    bench
        .store()
        .cancelWaiting(WaitingJobs.ofQueue(Defaults.TENANT, "doomed"), "no", Verdicts.KEEP, 100);
    assertCounts(bench, batch, 7, 0, 0, 7);
    assertThat(bench.batch(batch).isOver()).isTrue();
    assertThat(bench.state(callback)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void expiryOfAMember_isCounted_andEndsTheBatch(Bench bench) {
    UUID batch = bench.id();
    bench.start(BatchDraft.of(batch), Draft.job().expiresAt(bench.now().plusSeconds(1)));
    bench.advance(Duration.ofSeconds(2));
    bench.store().expire(10);
    assertCounts(bench, batch, 1, 0, 0, 1);
    assertThat(bench.batch(batch).isOver()).isTrue();
  }

  @Test
  default void aMemberReplayedBeforeTheEnd_isWaitedForAgain(Bench bench) {
    UUID batch = bench.id();
    UUID callback = bench.id();
    List<NewJob> jobs = bench.made(2, Draft.job());
    bench.start(BatchDraft.of(batch).callback(callback, AfterPolicy.CANCEL), jobs);
    bench.end(jobs.get(0).id(), JobState.DEAD);
    assertCounts(bench, batch, 2, 0, 1, 0);
    bench.store().replay(jobs.get(0).id());
    assertCounts(bench, batch, 2, 0, 0, 0);
    bench.claim(2).forEach(bench::complete);
    assertCounts(bench, batch, 2, 2, 0, 0);
    assertThat(bench.state(callback)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void deletingAMember_leavesTheCounts(Bench bench) {
    UUID batch = bench.id();
    List<NewJob> jobs = bench.made(2, Draft.job());
    bench.start(BatchDraft.of(batch), jobs);
    bench.end(jobs.getFirst().id(), JobState.COMPLETED);
    bench.store().delete(jobs.getFirst().id());
    assertCounts(bench, batch, 2, 1, 0, 0);
    bench.end(jobs.getLast().id(), JobState.COMPLETED);
    assertThat(bench.batch(batch).isOver()).isTrue();
  }

  @Test
  default void aKnownKey_isAnsweredWithTheBatchThatHasIt(Bench bench) {
    UUID batch = bench.id();
    UUID callback = bench.id();
    BatchDraft draft = BatchDraft.of(batch).callback(callback, AfterPolicy.RUN).key("k");
    bench.start(draft, Draft.job());
    BatchStarted again = bench.start(BatchDraft.of(bench.id()).key("k"), Draft.job(), Draft.job());
    assertThat(again).isEqualTo(new BatchStarted(batch, true, callback, List.of()));
    assertThat(bench.listed(JobFilter.all())).hasSize(2);
    UUID foreign = bench.id();
    assertThat(bench.start(BatchDraft.of(foreign).tenant("elsewhere").key("k")).id())
        .isEqualTo(foreign);
    bench.complete(bench.claimOne());
    bench.end(callback, JobState.COMPLETED);
    assertThat(bench.start(BatchDraft.of(bench.id()).key("k")).duplicate()).isTrue();
    bench.advance(Duration.ofDays(7).plus(RetentionContract.WELL_AFTER));
    bench.store().purge();
    assertThat(bench.links().find(batch)).isEmpty();
    assertThat(bench.start(BatchDraft.of(bench.id()).key("k")).duplicate()).isFalse();
  }

  @Test
  default void aBatchThatIsNotOver_isKept_howeverLongItTakes(Bench bench) {
    UUID batch = bench.id();
    bench.start(BatchDraft.of(batch).keepFor(Duration.ofHours(1)), Draft.job());
    bench.advance(Duration.ofDays(400));
    bench.store().purge();
    assertThat(bench.batch(batch).isOver()).isFalse();
    bench.complete(bench.claimOne());
    assertThat(bench.batch(batch).isOver()).isTrue();
  }

  @Test
  default void list_showsTheBatchesOfATenant_newestFirst(Bench bench) {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      bench.advance(Duration.ofSeconds(1));
      ids.addFirst(bench.start(BatchDraft.of(bench.id()), Draft.job()).id());
    }
    bench.start(BatchDraft.of(bench.id()).tenant("elsewhere"));
    List<BatchRecord> page = bench.links().list(Defaults.TENANT, null, 3);
    assertThat(page).extracting(BatchRecord::id).isEqualTo(ids.subList(0, 3));
    assertThat(page.getFirst()).isEqualTo(bench.batch(ids.getFirst()));
    assertThat(bench.links().list(Defaults.TENANT, ids.get(2), 10))
        .extracting(BatchRecord::id)
        .isEqualTo(ids.subList(3, 5));
    assertThat(bench.links().list("nobody", null, 10)).isEmpty();
  }

  @Test
  default void theLastMembersAtOnce_endTheBatchOnce(Bench bench) {
    for (int round = 0; round < 10; round++) {
      UUID callback = bench.id();
      UUID batch = bench.id();
      bench.start(
          BatchDraft.of(batch).callback(callback, AfterPolicy.RUN), bench.made(4, Draft.job()));
      List<ClaimedJob> claimed = bench.claim(4);
      List<JobStore> stores = List.of(bench.store(), bench.other());
      Together.run(
          4,
          i -> () -> stores
              .get(i % 2)
              .finish(List.of(new Finish(claimed.get(i).ref(), Verdicts.completed()))));
      bench.links().settle(100);
      assertCounts(bench, batch, 4, 4, 0, 0);
      ClaimedJob called = bench.claim(callback);
      assertThat(called.ref().turn()).isEqualTo(1);
      bench.complete(called);
    }
  }

  @Test
  default void settle_endsNothing_whereNothingIsLeftToEnd(Bench bench) {
    UUID open = bench.start(BatchDraft.of(bench.id()).open()).id();
    UUID running = bench.start(BatchDraft.of(bench.id()), Draft.job()).id();
    bench.start(BatchDraft.of(bench.id()));
    assertThat(bench.links().settle(10)).isZero();
    assertThat(bench.batch(open).isOver()).isFalse();
    assertThat(bench.batch(running).isOver()).isFalse();
  }

  static void assertCounts(
      Bench bench, UUID batch, long total, long completed, long failed, long cancelled) {
    assertThat(bench.batch(batch).counts())
        .isEqualTo(new BatchCounts(total, completed, failed, cancelled));
  }

  static void assertCode(ErrorCode code, ThrowingCallable call) {
    SluiceException refused = catchThrowableOfType(SluiceException.class, call);
    assertThat(refused).isNotNull();
    assertThat(refused.code()).isEqualTo(code);
  }
}
