package io.sluice.testkit;

import static io.sluice.testkit.Told.START;
import static io.sluice.testkit.Told.TURN;
import static io.sluice.testkit.Told.assertExplained;
import static io.sluice.testkit.Told.assertReasons;
import static io.sluice.testkit.Told.codes;
import static io.sluice.testkit.Told.error;
import static io.sluice.testkit.Told.fail;
import static io.sluice.testkit.Told.reason;
import static io.sluice.testkit.Told.reasons;
import static io.sluice.testkit.Told.register;
import static io.sluice.testkit.Told.sluice;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Background;
import io.sluice.Defaults;
import io.sluice.ErrorClass;
import io.sluice.JobError;
import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.Reason;
import io.sluice.ReasonCode;
import io.sluice.Sluice;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.Verdict;
import io.sluice.store.WorkerSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Why a job does not run, word for word, each reason brought about. */
public interface ExplainContract extends StoreTopic {
  @Test
  default void unknownJob_isNotExplained(Bench bench) {
    assertThat(sluice(bench).explain(new UUID(1, 2))).isEmpty();
  }

  @Test
  default void jobThatNothingHolds_isReady(Bench bench) {
    bench.worker();
    assertExplained(
        bench,
        bench.add(),
        "The job waits: nothing is in its way: it is the first of its lane, and 10 of 10 slots for it are free.",
        reason(
            ReasonCode.READY,
            "Nothing is in its way: it is the first of its lane, and 10 of 10 slots for it are free.",
            null,
            "It starts within a moment."));
  }

  @Test
  default void pausedQueue_isTold(Bench bench) {
    bench.worker();
    bench.makeQueue("emails");
    bench.advance(Duration.ofMinutes(1));
    bench.store().queues().pause(Defaults.TENANT, "emails", true);
    bench.advance(Duration.ofMinutes(1));
    assertExplained(
        bench,
        bench.add(Draft.job().queue("emails")),
        "The job waits: the queue 'emails' is paused, since 2030-01-15T12:01:00Z at the latest.",
        reason(
            ReasonCode.QUEUE_PAUSED,
            "The queue 'emails' is paused, since 2030-01-15T12:01:00Z at the latest.",
            null,
            "Resume the queue."));
  }

  @Test
  default void jobForLater_isScheduled(Bench bench) {
    bench.worker();
    UUID job = bench.add(Draft.job().in(Duration.ofMinutes(5)));
    assertExplained(
        bench,
        job,
        "The job waits: it is scheduled for 2030-01-15T12:05:00Z.",
        reason(
            ReasonCode.SCHEDULED,
            "It is scheduled for 2030-01-15T12:05:00Z.",
            START.plusSeconds(300),
            "It becomes ready at that time."));
    bench.advance(Duration.ofMinutes(5));
    assertReasons(
        bench,
        job,
        reason(
            ReasonCode.SCHEDULED,
            "It was due at 2030-01-15T12:05:00Z and is about to be made ready.",
            START.plusSeconds(300),
            "An engine that does the chores makes it ready; at least one must run."));
  }

  @Test
  default void failedJob_waitsForItsRetry(Bench bench) {
    UUID job = bench.add();
    fail(bench, bench.claim(job), "the mailbox is full.\nand more", ErrorClass.SERVER);
    assertExplained(
        bench,
        job,
        "The job waits: retry 1 of 4 is due at 2030-01-15T12:00:30Z, after attempt 1 failed with"
            + " SERVER: the mailbox is full.",
        reason(
            ReasonCode.RETRYING,
            "Retry 1 of 4 is due at 2030-01-15T12:00:30Z, after attempt 1 failed with SERVER: the"
                + " mailbox is full.",
            START.plusSeconds(30),
            "It becomes ready at that time, or at once when it is retried by hand."));
  }

  @Test
  default void retry_goesByThePolicyOfItsQueue(Bench bench) {
    bench
        .store()
        .queues()
        .save(QueueSettings.of("emails").withRetry(Defaults.RETRY.withMaxAttempts(8)));
    UUID job = bench.add(Draft.job().queue("emails"));
    fail(bench, bench.claim(job), "boom", ErrorClass.UNKNOWN);
    bench.advance(Duration.ofSeconds(30));
    assertReasons(
        bench,
        job,
        reason(
            ReasonCode.RETRYING,
            "Retry 1 of 7 was due at 2030-01-15T12:00:30Z, after attempt 1 failed with"
                + " HANDLER_FAILED: boom.",
            START.plusSeconds(30),
            "An engine that does the chores makes it ready; at least one must run."));
  }

  @Test
  default void typeThatNobodyHandles_hasNoWorker(Bench bench) {
    UUID job = bench.add(Draft.job().type("report"));
    assertExplained(
        bench,
        job,
        "The job waits: no live worker handles type 'report' in queue 'default'; no worker lives.",
        reason(
            ReasonCode.NO_WORKER,
            "No live worker handles type 'report' in queue 'default'; no worker lives.",
            null,
            "Start a worker that handles type 'report'."));
  }

  @Test
  default void typeThatNobodyHandles_tellsWhatWorkersHandle_butNotThoseOfOthers(Bench bench) {
    Duration lease = Duration.ofMinutes(1);
    register(bench, new WorkerSpec("w2", 5, Set.of("mail", "work"), Set.of()));
    register(bench, new WorkerSpec("w1", 5, Set.of("mail"), Set.of()));
    bench
        .store()
        .workers()
        .visit(WorkerSpec.remote("default", "reports", "p1", 1, Set.of("report")), lease);
    bench.store().workers().visit(WorkerSpec.remote("default", "slow", "p2", 1, Set.of()), lease);
    bench.store().workers().visit(WorkerSpec.remote("acme", "default", "p3", 1, Set.of()), lease);
    assertReasons(
        bench,
        bench.add(Draft.job().type("report")),
        reason(
            ReasonCode.NO_WORKER,
            "No live worker handles type 'report' in queue 'default'; those that live handle 'mail'"
                + " ('w1' and 'w2'), 'report' in queue 'reports' ('p1'), 'work' ('w2') and every type"
                + " but 'http' in queue 'slow' ('p2').",
            null,
            "Start a worker that handles type 'report'."));
  }

  @Test
  default void workersWithoutAFreeSlot_areBusy(Bench bench) {
    long w1 = register(bench, new WorkerSpec("w1", 2, Set.of(Draft.TYPE), Set.of()));
    bench.add(2);
    assertThat(bench.claim(w1, 2)).hasSize(2);
    UUID job = bench.add();
    assertExplained(
        bench,
        job,
        "The job waits: the worker that handles it is busy: 'w1' runs 2 of 2.",
        reason(
            ReasonCode.WORKERS_BUSY,
            "The worker that handles it is busy: 'w1' runs 2 of 2.",
            null,
            "It starts when one of their jobs ends; more workers or slots run more at once."));
    long w2 = register(bench, new WorkerSpec("w2", 1, Set.of(Draft.TYPE), Set.of()));
    assertThat(codes(bench, job)).containsExactly(ReasonCode.READY);
    assertThat(bench.claim(w2, job)).isNotNull();
    assertThat(reasons(bench, bench.add()).getFirst().sentence())
        .isEqualTo("All 2 workers that handle it are busy: 'w1' runs 2 of 2 and 'w2' runs 1 of 1.");
  }

  @Test
  default void jobsAhead_areCounted_withAnEstimateFromTheCurrentRate(Bench bench) {
    bench.worker();
    for (int i = 0; i < 6; i++) {
      bench.addIn(JobState.COMPLETED);
    }
    bench.advance(Duration.ofSeconds(10));
    bench.add(30);
    UUID job = bench.add();
    assertExplained(
        bench,
        job,
        "The job waits: 30 jobs are ahead of it in its lane; at 36 jobs per minute its turn comes at"
            + " about 2030-01-15T12:01:00Z.",
        reason(
            ReasonCode.AHEAD,
            "30 jobs are ahead of it in its lane; at 36 jobs per minute its turn comes at about"
                + " 2030-01-15T12:01:00Z.",
            START.plusSeconds(60),
            TURN));
    bench.advance(Duration.ofMinutes(1));
    assertThat(reasons(bench, job).getFirst())
        .returns(
            "30 jobs are ahead of it in its lane; none of its lane ended lately, so there is no telling"
                + " when its turn comes.",
            Reason::sentence)
        .returns(null, Reason::until);
  }

  @Test
  default void jobsAhead_inALaneThatStands_haveNoEstimate(Bench bench) {
    bench.worker();
    bench.addIn(JobState.COMPLETED);
    bench.add();
    UUID job = bench.add();
    bench.store().queues().pause(Defaults.TENANT, Defaults.QUEUE, true);
    assertExplained(
        bench,
        job,
        "The job waits: the queue 'default' is paused, since 2030-01-15T12:00:00Z at the latest, and"
            + " for 1 more reason.",
        reason(
            ReasonCode.QUEUE_PAUSED,
            "The queue 'default' is paused, since 2030-01-15T12:00:00Z at the latest.",
            null,
            "Resume the queue."),
        reason(ReasonCode.AHEAD, "1 job is ahead of it in its lane.", null, TURN));
  }

  @Test
  default void heldLane_isTold_unlessTheApplicationSaysWhy(Bench bench) {
    bench.worker();
    UUID job = bench.add();
    Sluice mute = Sluice.builder(bench.store()).hold(lane -> true).build();
    assertThat(mute.explain(job).orElseThrow().reasons())
        .extracting(Reason::code, Reason::sentence, Reason::until, Reason::remedy)
        .containsExactly(reason(
            ReasonCode.LANE_HELD,
            "The application holds its lane back.",
            null,
            "It goes on when the application lets go of its lane."));
    Reason why =
        new Reason(ReasonCode.TENANT_DISABLED, "It owes us.", null, "Pay.", Map.of("owes", 7));
    Background background = held -> List.of(why);
    Sluice telling =
        Sluice.builder(bench.store()).hold(lane -> true).background(background).build();
    assertThat(telling.explain(job).orElseThrow().reasons()).containsExactly(why);
  }

  @Test
  default void allReasons_areTold_theMostDecisiveFirst(Bench bench) {
    bench.store().queues().pause(Defaults.TENANT, Defaults.QUEUE, true);
    assertThat(codes(bench, bench.add(Draft.job().in(Duration.ofHours(1)))))
        .containsExactly(ReasonCode.QUEUE_PAUSED, ReasonCode.SCHEDULED, ReasonCode.NO_WORKER);
  }

  @Test
  default void runningJob_isTold_withItsWorkerAndLease(Bench bench) {
    long worker = bench.worker("w1", Duration.ofSeconds(30));
    bench.advance(Duration.ofSeconds(5));
    UUID job = bench.claim(worker, bench.add()).ref().job();
    bench.advance(Duration.ofSeconds(5));
    assertExplained(
        bench,
        job,
        "The job runs: it runs on worker 'w1' since 2030-01-15T12:00:05Z: attempt 1 of 5, its lease"
            + " lasts until 2030-01-15T12:00:30Z.",
        reason(
            ReasonCode.RUNNING,
            "It runs on worker 'w1' since 2030-01-15T12:00:05Z: attempt 1 of 5, its lease lasts until"
                + " 2030-01-15T12:00:30Z.",
            null,
            "It ends by itself; cancel it to end it now."));
    bench.advance(Duration.ofSeconds(20));
    assertReasons(
        bench,
        job,
        reason(
            ReasonCode.RUNNING,
            "It runs on worker 'w1' since 2030-01-15T12:00:05Z: attempt 1 of 5, and its lease ended at"
                + " 2030-01-15T12:00:30Z.",
            null,
            "Its worker gave no sign of life: it runs again as soon as an engine that does the chores"
                + " has noticed."));
  }

  @Test
  default void completedJob_isToldInOneSentence(Bench bench) {
    UUID job = bench.add();
    bench.advance(Duration.ofSeconds(2));
    ClaimedJob claimed = bench.claim(job);
    bench.advance(Duration.ofMillis(1_500));
    bench.complete(claimed);
    assertExplained(
        bench,
        job,
        "The job is over: it completed at 2030-01-15T12:00:03.500Z after 1 attempt, 3.5s after it was"
            + " enqueued.",
        reason(
            ReasonCode.COMPLETED,
            "It completed at 2030-01-15T12:00:03.500Z after 1 attempt, 3.5s after it was enqueued.",
            null,
            "Nothing is left to do: enqueue another job to do it again."));
  }

  @Test
  default void deadAndFailedJobs_areToldWithTheirLastError(Bench bench) {
    assertReasons(
        bench,
        buried(bench, JobState.DEAD),
        reason(
            ReasonCode.DEAD,
            "It is dead since 2030-01-15T12:00:00Z after 1 attempt: MAX_RETRIES_EXCEEDED; its last"
                + " error was TIMEOUT: no answer.",
            null,
            "Replay it once the cause is mended."));
    assertReasons(
        bench,
        buried(bench, JobState.FAILED),
        reason(
            ReasonCode.FAILED,
            "It failed for good at 2030-01-15T12:00:00Z after 1 attempt: MAX_RETRIES_EXCEEDED; its last"
                + " error was TIMEOUT: no answer.",
            null,
            "Replay it once the cause is mended."));
  }

  private static UUID buried(Bench bench, JobState state) {
    ClaimedJob claimed = bench.running();
    JobError error = error(bench, 1, "no answer", ErrorClass.TIMEOUT);
    Verdict verdict =
        new Verdict.End(state, null, "MAX_RETRIES_EXCEEDED", error, Duration.ofDays(1));
    bench.store().finish(List.of(new Finish(claimed.ref(), verdict)));
    return claimed.ref().job();
  }

  @Test
  default void cancelledJob_isToldWithItsReason(Bench bench) {
    UUID job = bench.add();
    bench.store().cancel(job, "the order was withdrawn", Duration.ofDays(1));
    assertReasons(
        bench,
        job,
        reason(
            ReasonCode.CANCELLED,
            "It was cancelled at 2030-01-15T12:00:00Z before its first attempt: the order was"
                + " withdrawn.",
            null,
            "Replay it to run it after all."));
  }
}
