package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Enqueued;
import io.sluice.ErrorClass;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Progress;
import io.sluice.QueueSettings;
import io.sluice.RemoteClaim;
import io.sluice.RemoteFailure;
import io.sluice.RemoteHeartbeat;
import io.sluice.RemoteJob;
import io.sluice.RemoteProgress;
import io.sluice.Sluice;
import io.sluice.store.ClaimRef;
import io.sluice.store.WorkerRecord;
import io.sluice.store.WorkerSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How workers in other programs report on the jobs that they hold. */
public interface RemoteLeaseContract extends EngineTopic {
  @Test
  default void giveBack_makesTheJobReadyAgain_unspent(Rig rig) {
    Sluice engine = Puller.desk(rig);
    UUID id = engine.enqueue(Rig.job()).id();
    ClaimRef lease = Puller.pullOne(engine).lease();
    engine.remote().giveBack("acme", lease);
    assertThat(rig.find(id).state()).isEqualTo(JobState.RUNNING);
    engine.remote().giveBack("default", lease);
    engine.remote().giveBack("default", lease);
    assertThat(rig.find(id).state()).isEqualTo(JobState.PENDING);
    assertThat(Puller.pullOne(engine).job().attempt()).isEqualTo(1);
  }

  @Test
  default void complete_endsTheJob_withItsResult(Rig rig) {
    Sluice engine = Puller.desk(rig);
    UUID id = engine.enqueue(Rig.job()).id();
    engine.remote().complete("default", Puller.pullOne(engine).lease(), "{\"sent\": 3}");
    JobRecord done = rig.find(id);
    assertThat(done.state()).isEqualTo(JobState.COMPLETED);
    assertThat(done.attempt()).isEqualTo(1);
    assertThat(done.status().result()).isEqualTo("{\"sent\": 3}");
    rig.heard().await(id, Event.Kind.COMPLETED);
    assertThat(engine.stats().work().completed()).isEqualTo(1);
  }

  @Test
  default void fail_goesByThePolicy_untilItsAttemptsAreUsedUp(Rig rig) {
    Sluice engine = Puller.desk(rig);
    UUID id = engine.enqueue(Rig.job().maxAttempts(2)).id();
    RemoteJob first = Puller.pullOne(engine);
    assertThat(engine.remote().fail("default", first.lease(), Puller.failure(true)))
        .isEqualTo(JobState.RETRYING);
    assertThat(rig.find(id).state()).isEqualTo(JobState.RETRYING);
    RemoteJob second = Puller.got(Puller.waitFor(engine, 1)).getFirst();
    assertThat(second.job().attempt()).isEqualTo(2);
    assertThat(engine.remote().fail("default", second.lease(), Puller.failure(true)))
        .isEqualTo(JobState.DEAD);
    JobRecord dead = rig.find(id);
    assertThat(dead.status().reason()).isEqualTo("MAX_RETRIES_EXCEEDED");
    assertThat(dead.status().errors())
        .extracting(e -> e.attempt() + e.errorClass().name() + e.code() + e.message())
        .containsExactly("1NETWORKNO_ROUTEno way there", "2NETWORKNO_ROUTEno way there");
    rig.heard().await(id, Event.Kind.DEAD);
    assertThat(engine.stats().work().failed()).isEqualTo(2);
  }

  @Test
  default void fail_withoutRetry_isDeath_andRetryAtIsTheMoment(Rig rig) {
    Sluice engine = Puller.desk(rig);
    UUID dead = engine.enqueue(Rig.job()).id();
    assertThat(
            engine.remote().fail("default", Puller.pullOne(engine).lease(), Puller.failure(false)))
        .isEqualTo(JobState.DEAD);
    assertThat(rig.find(dead).status().reason()).isEqualTo("NETWORK");
    UUID later = engine.enqueue(Rig.job()).id();
    Instant at = rig.store().now().plus(Duration.ofHours(5)).truncatedTo(ChronoUnit.MILLIS);
    RemoteFailure failure = new RemoteFailure(ErrorClass.SERVER, "BUSY", "later", true, at);
    engine.remote().fail("default", Puller.pullOne(engine).lease(), failure);
    assertThat(rig.find(later).status().runAt()).isEqualTo(at);
  }

  @Test
  default void heartbeat_extendsTheLease_andNotesProgress(Rig rig) {
    Sluice engine = Puller.desk(rig);
    UUID id = engine.enqueue(Rig.job()).id();
    RemoteJob held = Puller.pullOne(engine);
    RemoteHeartbeat beat = engine
        .remote()
        .heartbeat("default", held.lease(), Duration.ofHours(1), new RemoteProgress(40, "half"));
    assertThat(beat.cancelRequested()).isFalse();
    assertThat(beat.leaseUntil()).isAfter(held.leaseUntil());
    JobRecord kept = rig.find(id);
    assertThat(kept.status().leaseUntil()).isEqualTo(beat.leaseUntil());
    assertThat(kept.status().progress()).extracting(Progress::percent).isEqualTo(40);
    rig.heard().await(id, Event.Kind.PROGRESS);
  }

  @Test
  default void heartbeat_ofACancelledJob_saysSo_andItsEndIsRefused(Rig rig) {
    Sluice engine = Puller.desk(rig);
    UUID id = engine.enqueue(Rig.job()).id();
    ClaimRef lease = Puller.pullOne(engine).lease();
    engine.cancel(id);
    assertThat(engine.remote().heartbeat("default", lease, Puller.LEASE, null))
        .isEqualTo(new RemoteHeartbeat(true, null));
    Rig.refused(ErrorCode.LEASE_LOST, () -> engine.remote().complete("default", lease, null));
    Rig.refused(
        ErrorCode.LEASE_LOST, () -> engine.remote().fail("default", lease, Puller.failure(true)));
    assertThat(rig.find(id).state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  default void lease_thatIsOverOrAnothers_isLost_andAnUnknownJobNotFound(Rig rig) {
    Sluice engine = Puller.desk(rig);
    engine.enqueue(Rig.job());
    ClaimRef lease = Puller.pullOne(engine).lease();
    assertLost(engine, new ClaimRef(lease.job(), lease.turn() + 1, lease.worker()));
    assertLost(engine, new ClaimRef(lease.job(), lease.turn(), lease.worker() + 1));
    assertNotFound(engine, "acme", lease);
    assertNotFound(engine, "default", new ClaimRef(new UUID(1, 2), 1, lease.worker()));
    engine.remote().complete("default", lease, null);
    assertLost(engine, lease);
    UUID here = engine.enqueue(Rig.job()).id();
    rig.loseAll(
        List.of(here),
        Set.of(),
        claimed -> assertLost(engine, claimed.getFirst().ref()));
  }

  private static void assertLost(Sluice engine, ClaimRef lease) {
    assertAll(ErrorCode.LEASE_LOST, engine, "default", lease);
  }

  private static void assertNotFound(Sluice engine, String tenant, ClaimRef lease) {
    assertAll(ErrorCode.NOT_FOUND, engine, tenant, lease);
  }

  private static void assertAll(ErrorCode code, Sluice engine, String tenant, ClaimRef lease) {
    Rig.refused(code, () -> engine.remote().heartbeat(tenant, lease, Puller.LEASE, null));
    Rig.refused(code, () -> engine.remote().complete(tenant, lease, null));
    Rig.refused(code, () -> engine.remote().fail(tenant, lease, Puller.failure(true)));
  }

  private static RemoteClaim brief(int max) {
    return new RemoteClaim(
        "default", "default", "w", Set.of(), max, Duration.ofSeconds(1), Duration.ZERO);
  }

  private static Sluice steadyDesk(Rig rig) {
    return rig.start(rig.engine().withoutWork().lease(Duration.ofSeconds(30)));
  }

  @Test
  default void lease_thatRanOut_isLost_andTheJobIsHandedOutAgain(Rig rig) {
    Sluice engine = steadyDesk(rig);
    UUID id = engine.enqueue(Rig.job()).id();
    ClaimRef first = engine.remote().claim(brief(1)).getFirst().lease();
    RemoteJob second = Puller.got(Puller.waitFor(engine, 1)).getFirst();
    assertThat(second.job().id()).isEqualTo(id);
    assertThat(second.job().attempt()).isEqualTo(1);
    assertThat(second.job().status().strikes()).isZero();
    assertLost(engine, first);
    engine.remote().complete("default", second.lease(), null);
    assertThat(rig.find(id).status().errors())
        .extracting(e -> e.code())
        .containsExactly("WORKER_LOST");
  }

  @Test
  default void jobsOfALostLease_areHandedOutOneAtATime_withoutAStrike(Rig rig) {
    Sluice engine = steadyDesk(rig);
    List<UUID> ids = engine.enqueueAll(Rig.jobs(3)).stream().map(Enqueued::id).toList();
    assertThat(engine.remote().claim(brief(3))).hasSize(3);
    rig.await(ids, JobState.PENDING);
    List<UUID> fresh = engine.enqueueAll(Rig.jobs(2)).stream().map(Enqueued::id).toList();
    RemoteJob first = Puller.got(Puller.waitFor(engine, 10)).getFirst();
    assertThat(Puller.pull(engine, 10)).as("beside the suspect").isEmpty();
    engine.remote().complete("default", first.lease(), null);
    Set<UUID> alone = new HashSet<>(Set.of(first.job().id()));
    for (int i = 1; i < ids.size(); i++) {
      List<RemoteJob> one = Puller.got(Puller.waitFor(engine, 10));
      assertThat(one).as("a suspect by itself").hasSize(1);
      assertThat(one.getFirst().job().status().strikes()).isZero();
      alone.add(one.getFirst().job().id());
    }
    assertThat(alone).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(Puller.ids(Puller.got(Puller.waitFor(engine, 10))))
        .containsExactlyInAnyOrderElementsOf(fresh);
  }

  @Test
  default void suspectThatLosesALeaseInUse_getsAStrike(Rig rig) {
    Sluice engine = steadyDesk(rig);
    UUID id = engine.enqueue(Rig.job()).id();
    engine.remote().claim(brief(1));
    rig.await(id, JobState.PENDING);
    ClaimRef lease = engine.remote().claim(brief(1)).getFirst().lease();
    engine.remote().heartbeat("default", lease, Duration.ofSeconds(1), null);
    rig.await(id, JobState.PENDING);
    assertThat(rig.find(id).status().strikes()).isEqualTo(1);
  }

  @Test
  default void claim_thatFailsAfterJobsWereTaken_givesThemBack(Rig rig) {
    FlakyStore store = rig.flaky();
    Sluice engine = rig.start(rig.engine(store).withoutWork().withoutDuties());
    UUID past =
        engine.enqueue(Rig.job().expiresAt(rig.store().now().plusMillis(200))).id();
    UUID good = engine.enqueue(Rig.job()).id();
    Eventually.await(
        "it is past", () -> rig.store().now().isAfter(rig.find(past).spec().expiresAt()));
    store.onlyOn("find");
    store.failNext(1);
    Rig.refused(ErrorCode.PERSISTENCE_FAILURE, () -> Puller.pull(engine, 2));
    assertThat(rig.find(good).state()).isEqualTo(JobState.PENDING);
    assertThat(Puller.ids(Puller.got(Puller.waitFor(engine, 2)))).containsExactly(good);
    assertThat(rig.find(past).state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  default void jobPastItsExpiry_isNotHandedOut(Rig rig) {
    Sluice engine = rig.start(rig.engine().withoutWork().withoutDuties());
    UUID id =
        engine.enqueue(Rig.job().expiresAt(rig.store().now().plusMillis(200))).id();
    Eventually.await(
        "it is past", () -> rig.store().now().isAfter(rig.find(id).spec().expiresAt()));
    assertThat(Puller.pull(engine, 1)).isEmpty();
    assertThat(rig.find(id).state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  default void worker_isShown_andCountsAsAHandler(Rig rig) {
    Sluice engine = Puller.desk(rig);
    Rig.refused(ErrorCode.HANDLER_NOT_FOUND, () -> engine.enqueue(Rig.job().requireHandler()));
    Puller.pull(engine, 7);
    assertThat(Puller.live(rig))
        .extracting(WorkerRecord::spec)
        .containsExactly(WorkerSpec.remote("default", "default", "puller", 7, Set.of()));
    assertThat(engine.enqueue(Rig.job().requireHandler())).isNotNull();
    Rig.refused(
        ErrorCode.HANDLER_NOT_FOUND,
        () -> engine.enqueue(Rig.job().tenant("acme").requireHandler()));
    assertThat(engine.health().alerts()).noneMatch(alert -> alert.contains("no live worker"));
  }

  @Test
  default void queueLimit_holdsForHandlersAndRemoteWorkersTogether(Rig rig) {
    Sluice engine = Puller.desk(rig);
    engine.queues().save(QueueSettings.of("default").withMaxConcurrent(2));
    engine.enqueueAll(Rig.jobs(5));
    List<RemoteJob> held = Puller.pull(engine, 5);
    assertThat(held).hasSize(2);
    CompletableFuture<List<RemoteJob>> waiting = Puller.waitFor(engine, 5);
    engine.remote().complete("default", held.getFirst().lease(), null);
    assertThat(Puller.got(waiting)).hasSize(1);
  }

  @Test
  default void engineWithoutWork_runsNothing_evenWithHandlers(Rig rig) {
    Sluice engine =
        rig.start(rig.engine().withoutWork().handler(Rig.type().handle((job, context) -> {})));
    UUID id = engine.enqueue(Rig.job().delay(Duration.ofMillis(50))).id();
    rig.await(id, JobState.PENDING);
    assertThat(Puller.live(rig)).isEmpty();
    Rig.refused(ErrorCode.HANDLER_NOT_FOUND, () -> engine.enqueue(Rig.job().requireHandler()));
  }

  @Test
  default void engineWithoutDuties_leavesThemToOthers(Rig rig) {
    Sluice idle = rig.start(rig.engine().withoutWork().withoutDuties());
    UUID due = idle.enqueue(Rig.job().delay(Duration.ofMillis(1))).id();
    UUID lost = idle.enqueue(Rig.job()).id();
    rig.loseAll(List.of(lost));
    Eventually.await("the worker is gone", () -> Puller.live(rig).isEmpty());
    assertThat(rig.find(due).state()).isEqualTo(JobState.SCHEDULED);
    assertThat(rig.find(lost).state()).isEqualTo(JobState.RUNNING);
    Puller.desk(rig);
    rig.await(List.of(due, lost), JobState.PENDING);
  }
}
