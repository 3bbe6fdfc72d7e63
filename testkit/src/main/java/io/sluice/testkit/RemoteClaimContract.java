package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Detail;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.Priority;
import io.sluice.QueueSettings;
import io.sluice.RemoteClaim;
import io.sluice.RemoteJob;
import io.sluice.RemoteProgress;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.store.ClaimRef;
import io.sluice.store.ForwardingStore;
import io.sluice.store.JobStore;
import io.sluice.store.LaneView;
import io.sluice.store.Look;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How workers in other programs pull jobs. */
public interface RemoteClaimContract extends EngineTopic {
  @Test
  default void claim_looksAtItsQueueAlone(Rig rig) {
    List<Look> looks = new CopyOnWriteArrayList<>();
    JobStore store = new ForwardingStore(rig.store()) {
      @Override
      public LaneView look(Look look) {
        looks.add(look);
        return super.look(look);
      }
    };
    Sluice engine = rig.start(rig.engine(store).withoutWork());
    engine.enqueue(Rig.job());
    assertThat(Puller.pull(engine, 1)).hasSize(1);
    assertThat(looks).isEmpty();
  }

  @Test
  default void claim_handsOutJobs_byPriorityAndAge(Rig rig) {
    Sluice engine = Puller.desk(rig);
    UUID late = engine.enqueue(Rig.job().priority(Priority.LOW)).id();
    UUID first = engine.enqueue(Rig.job()).id();
    UUID second = engine.enqueue(Jobs.of("other", 1)).id();
    UUID urgent = engine.enqueue(Jobs.of("other", 1).priority(Priority.HIGH)).id();
    assertThat(Puller.ids(Puller.pull(engine, 3))).containsExactly(urgent, first, second);
    assertThat(Puller.ids(Puller.pull(engine, 3))).containsExactly(late);
    assertThat(Puller.pull(engine, 3)).isEmpty();
  }

  @Test
  default void claim_describesTheJob(Rig rig) {
    Sluice engine = Puller.desk(rig);
    UUID id = engine.enqueue(Rig.job("hello").limitKey("k")).id();
    RemoteJob held = Puller.pullOne(engine);
    JobRecord kept = rig.find(id);
    assertThat(kept.state()).isEqualTo(JobState.RUNNING);
    assertThat(kept.status().worker()).isEqualTo("puller");
    assertThat(kept.status().leaseUntil()).isEqualTo(held.leaseUntil());
    assertThat(held.job()).isEqualTo(kept);
    assertThat(held.lease().job()).isEqualTo(id);
    rig.heard().await(id, Event.Kind.STARTED);
  }

  @Test
  default void claim_takesItsTypes_orAllButHttp(Rig rig) {
    Sluice engine = Puller.desk(rig);
    UUID http = engine.enqueue(Jobs.of("http", 1)).id();
    UUID mail = engine.enqueue(Jobs.of("mail", 1)).id();
    UUID sms = engine.enqueue(Jobs.of("sms", 1)).id();
    RemoteClaim some = new RemoteClaim(
        "default", "default", "w", Set.of("sms", "http"), 9, Puller.LEASE, Duration.ZERO);
    assertThat(Puller.ids(Puller.pull(engine, 1))).containsExactly(mail);
    assertThat(Puller.ids(engine.remote().claim(some))).containsExactly(http, sms);
  }

  @Test
  default void claim_staysInItsTenantAndQueue(Rig rig) {
    Sluice engine = Puller.desk(rig);
    engine.queues().save(QueueSettings.of("mail"));
    engine.enqueue(Rig.job().tenant("acme"));
    engine.enqueue(Rig.job().queue("mail"));
    assertThat(Puller.pull(engine, 9)).isEmpty();
    UUID mine = engine.enqueue(Rig.job()).id();
    assertThat(Puller.ids(Puller.pull(engine, 9))).containsExactly(mine);
  }

  @Test
  default void claim_fromAPausedQueue_isEmpty_untilItGoesOn(Rig rig) {
    Sluice engine = Puller.desk(rig);
    UUID id = engine.enqueue(Rig.job()).id();
    engine.pause("default");
    assertThat(Puller.pull(engine, 1)).isEmpty();
    CompletableFuture<List<RemoteJob>> waiting = Puller.waitFor(engine, 1);
    engine.resume("default");
    assertThat(Puller.ids(Puller.got(waiting))).containsExactly(id);
  }

  @Test
  default void claim_ofAnUnknownQueue_isNotFound(Rig rig) {
    Sluice engine = Puller.desk(rig);
    RemoteClaim claim =
        new RemoteClaim("default", "nowhere", "w", Set.of(), 1, Puller.LEASE, Duration.ZERO);
    Rig.refused(ErrorCode.NOT_FOUND, () -> engine.remote().claim(claim));
  }

  @Test
  default void claim_namesTheFieldThatIsOutOfBounds(Rig rig) {
    Puller.assertRefused("max", () -> Puller.ask(0, Duration.ZERO));
    Puller.assertRefused("max", () -> Puller.ask(101, Duration.ZERO));
    Puller.assertRefused("wait", () -> Puller.ask(1, Duration.ofSeconds(61)));
    Puller.assertRefused("wait", () -> Puller.ask(1, Duration.ofMillis(-1)));
    for (Duration lease : List.of(Duration.ofMillis(999), Duration.ofHours(13))) {
      Puller.assertRefused(
          "leaseFor",
          () -> new RemoteClaim("default", "default", "w", Set.of(), 1, lease, Duration.ZERO));
    }
    Puller.assertRefused(
        "worker",
        () -> new RemoteClaim("default", "default", " ", Set.of(), 1, Puller.LEASE, Duration.ZERO));
    Sluice engine = Puller.desk(rig);
    engine.enqueue(Rig.job());
    ClaimRef lease = Puller.pullOne(engine).lease();
    Puller.assertRefused(
        "extendBy", () -> engine.remote().heartbeat("default", lease, Duration.ZERO, null));
    Puller.assertRefused("progress.percent", () -> new RemoteProgress(101, ""));
    Puller.assertRefused("result", () -> engine.remote().complete("default", lease, "{no json"));
  }

  @Test
  default void claimThatWaits_returns_whenWorkArrives(Rig rig) {
    Sluice engine = rig.start(rig.engine().withoutWork().poll(Duration.ofSeconds(30)));
    CompletableFuture<List<RemoteJob>> waiting = Puller.waitFor(engine, 1);
    Eventually.await("the worker is there", () -> !Puller.live(rig).isEmpty());
    UUID now = engine.enqueue(Rig.job()).id();
    assertThat(Puller.ids(Puller.got(waiting))).containsExactly(now);
    CompletableFuture<List<RemoteJob>> more = Puller.waitFor(engine, 1);
    UUID later = engine.enqueue(Rig.job().delay(Duration.ofMillis(300))).id();
    assertThat(Puller.ids(Puller.got(more))).containsExactly(later);
  }

  @Test
  default void claimThatWaits_isServed_whateverInstanceTheJobCameBy(Rig rig) {
    Sluice engine = Puller.desk(rig);
    Sluice producer = rig.start(rig.engine(rig.another()).withoutWork().withoutDuties());
    CompletableFuture<List<RemoteJob>> waiting = Puller.waitFor(engine, 1);
    UUID id = producer.enqueue(Rig.job()).id();
    assertThat(Puller.ids(Puller.got(waiting))).containsExactly(id);
  }

  @Test
  default void manyThatWait_getOneJobEach(Rig rig) {
    Sluice engine = Puller.desk(rig);
    List<CompletableFuture<List<RemoteJob>>> waiting = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      CompletableFuture<List<RemoteJob>> one = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(() -> one.complete(engine.remote().claim(Puller.ask(1, Puller.LONG_WAIT))));
      waiting.add(one);
    }
    List<UUID> jobs = engine.enqueueAll(Rig.jobs(20)).stream().map(Enqueued::id).toList();
    assertThat(waiting.stream()
            .map(Puller::got)
            .flatMap(l -> Puller.ids(l).stream())
            .toList())
        .containsExactlyInAnyOrderElementsOf(jobs);
  }

  @Test
  default void claimedJob_isHandedOut_thoughItsEarlierErrorsCannotBeRead(Rig rig) {
    AtomicBoolean broken = new AtomicBoolean();
    JobStore store = new ForwardingStore(rig.another()) {
      @Override
      public Optional<JobRecord> find(UUID id, Detail detail) {
        if (broken.get()) {
          throw new SluiceException(ErrorCode.PERSISTENCE_FAILURE, "the store cannot be reached");
        }
        return super.find(id, detail);
      }
    };
    Sluice engine = rig.start(rig.engine(store).withoutWork());
    UUID job = engine.enqueue(Rig.job().retry(RetryingContract.QUICK)).id();
    engine.remote().fail("default", Puller.pullOne(engine).lease(), Puller.failure(true));
    broken.set(true);
    assertThat(Puller.ids(Puller.got(Puller.waitFor(engine, 1)))).containsExactly(job);
  }

  @Test
  default void claimThatWaits_ends_whenTheEngineStops(Rig rig) {
    Sluice engine = Puller.desk(rig);
    CompletableFuture<List<RemoteJob>> waiting = Puller.waitFor(engine, 1);
    Eventually.await("the worker is there", () -> !Puller.live(rig).isEmpty());
    engine.stop(Duration.ZERO);
    assertThat(Puller.got(waiting)).isEmpty();
    Rig.refused(ErrorCode.SHUTDOWN_IN_PROGRESS, () -> Puller.pull(engine, 1));
  }

  @Test
  default void claimThatWaits_ends_whenItsThreadIsInterrupted(Rig rig) throws Exception {
    Sluice engine = Puller.desk(rig);
    AtomicReference<List<RemoteJob>> answer = new AtomicReference<>();
    Thread thread = Thread.ofVirtual()
        .start(() -> answer.set(engine.remote().claim(Puller.ask(1, Puller.LONG_WAIT))));
    Eventually.await("the worker is there", () -> !Puller.live(rig).isEmpty());
    thread.interrupt();
    assertThat(thread.join(Duration.ofSeconds(20))).isTrue();
    assertThat(answer.get()).isEmpty();
  }
}
