package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Enqueued;
import io.sluice.Event;
import io.sluice.HealthRules;
import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.LogLine;
import io.sluice.Outcome;
import io.sluice.Sluice;
import io.sluice.Stats;
import io.sluice.store.Count;
import io.sluice.store.ForwardingStore;
import io.sluice.store.JobStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an engine says: events, progress, figures and health. */
public interface TellingContract extends EngineTopic {
  @Test
  default void events_tellAJobsStoryInOrder(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      if (job.attempt() == 1) {
        throw new IOException("once");
      }
    }));
    UUID id = engine.enqueue(Rig.job().retry(RetryingContract.QUICK)).id();
    rig.heard().await(id, Event.Kind.COMPLETED);
    assertThat(rig.heard().of(id).stream().filter(k -> k != Event.Kind.ENQUEUED))
        .containsExactly(
            Event.Kind.STARTED, Event.Kind.FAILED, Event.Kind.STARTED, Event.Kind.COMPLETED);
    assertThat(rig.heard().of(id)).contains(Event.Kind.ENQUEUED);
    assertThat(rig.heard().details(id, Event.Kind.FAILED).getFirst().willRetry())
        .isTrue();
  }

  @Test
  default void events_tellOfDeath(Rig rig) {
    Sluice engine = rig.start(Rig.type().answer((job, context) -> Outcome.dead("no")));
    UUID id = engine.enqueue(Rig.job()).id();
    rig.heard().await(id, Event.Kind.DEAD);
    assertThat(rig.heard().details(id, Event.Kind.DEAD).getFirst().detail()).isEqualTo("no");
    assertThat(rig.heard().details(id, Event.Kind.FAILED).getFirst().willRetry())
        .isFalse();
  }

  @Test
  default void listenerThatThrows_breaksNothing(Rig rig) {
    Heard after = new Heard();
    Sluice engine = rig.start(rig.engine()
        .listener(event -> {
          throw new IllegalStateException("listener");
        })
        .listener(event -> {
          throw new LinkageError("listener");
        })
        .listener(after)
        .handler(Rig.type().handle((job, context) -> {})));
    UUID id = engine.enqueue(Rig.job()).id();
    rig.await(id, JobState.COMPLETED);
    after.await(id, Event.Kind.COMPLETED);
  }

  @Test
  default void listenerThatBlocks_slowsNeitherWorkNorStop(Rig rig) {
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(rig.engine()
        .listener(event -> TimeoutContract.ignoreInterrupts(gate))
        .handler(Rig.type().handle((job, context) -> {})));
    List<UUID> ids = engine.enqueueAll(Rig.jobs(200)).stream().map(Enqueued::id).toList();
    rig.await(ids, JobState.COMPLETED);
    Thread stopping = Thread.ofVirtual().start(() -> engine.stop(Duration.ZERO));
    Eventually.await("the engine stops", () -> !stopping.isAlive());
  }

  @Test
  default void progressAndLines_areSeenWhileTheHandlerRuns(Rig rig) {
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      context.progress(40, "copied");
      context.log("line one");
      context.log("line \0 two");
      gate.await();
      context.progress(100, "");
      context.log("last line");
    }));
    UUID id = engine.enqueue(Rig.job()).id();
    Eventually.await("progress is seen", () -> rig.find(id).status().progress() != null);
    assertThat(rig.find(id).status().progress()).extracting("percent").isEqualTo(40);
    Eventually.await("lines are seen", () -> engine.logs(id).size() == 2);
    assertThat(rig.find(id).state()).isEqualTo(JobState.RUNNING);
    gate.countDown();
    rig.await(id, JobState.COMPLETED);
    assertThat(engine.logs(id))
        .extracting(LogLine::text)
        .containsExactly("line one", "line ? two", "last line");
    assertThat(rig.find(id).status().progress()).extracting("percent").isEqualTo(100);
    Eventually.await(
        "both are told", () -> rig.heard().details(id, Event.Kind.PROGRESS).size() == 2);
  }

  @Test
  default void floodOfLines_keepsTheNewest(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      for (int i = 0; i < 20_000; i++) {
        context.log("line " + i);
      }
    }));
    UUID id = engine.enqueue(Rig.job()).id();
    rig.await(id, JobState.COMPLETED);
    assertThat(engine.logs(id)).hasSizeLessThanOrEqualTo(200);
    assertThat(engine.logs(id).getLast().text()).isEqualTo("line 19999");
  }

  @Test
  default void stats_count(Rig rig) {
    CountDownLatch gate = rig.gate();
    Sluice engine =
        rig.start(Rig.type().answer((job, context) -> switch (job.payload().text()) {
          case "dead" -> Outcome.dead("no");
          case "later" -> Outcome.retryIn(Duration.ofHours(1), "busy");
          case "wait" -> {
            gate.await();
            yield Outcome.done();
          }
          default -> Outcome.done();
        }));
    List<UUID> ids =
        engine
            .enqueueAll(List.of(Rig.job(), Rig.job("dead"), Rig.job("later"), Rig.job("wait")))
            .stream()
            .map(Enqueued::id)
            .toList();
    rig.heard().await(ids.get(0), Event.Kind.COMPLETED);
    rig.heard().await(ids.get(1), Event.Kind.DEAD);
    rig.heard().await(ids.get(2), Event.Kind.FAILED);
    rig.await(ids.get(3), JobState.RUNNING);
    Eventually.await(
        "the others have left their slots", () -> engine.stats().work().running() == 1);
    Stats stats = engine.stats();
    Stats.Work work = stats.work();
    assertThat(stats.in(JobState.COMPLETED)).isEqualTo(1);
    assertThat(stats.in(JobState.DEAD)).isEqualTo(1);
    assertThat(stats.depth()).isEqualTo(1);
    assertThat(work.processed()).isEqualTo(3);
    assertThat(work.failed()).isEqualTo(2);
    assertThat(work.dead()).isEqualTo(1);
    assertThat(work.retryRate()).isBetween(0.33, 0.34);
    assertThat(work.p99()).isPositive();
  }

  @Test
  default void health_followsItsRules(Rig rig) {
    HealthRules rules = HealthRules.DEFAULT.withUnhealthyDepth(3).withAlertDeadLetters(0);
    Sluice engine = rig.start(rig.engine()
        .health(rules)
        .handler(Rig.type().answer((job, context) -> Outcome.dead("no"))));
    assertThat(engine.health().healthy()).isTrue();
    for (int i = 0; i < 4; i++) {
      engine.enqueue(Rig.job().delay(Duration.ofHours(1)));
    }
    assertThat(engine.health().healthy()).isFalse();
    assertThat(engine.health().problems()).containsExactly("jobs wait: 4, over the mark of 3");
    rig.await(engine.enqueue(Rig.job()).id(), JobState.DEAD);
    assertThat(engine.health().alerts()).contains("dead letters: 1, over the mark of 0");
  }

  @Test
  default void health_doesNotCountWhatIsOver(Rig rig) {
    JobStore store = new ForwardingStore(rig.store()) {
      @Override
      public List<Count> counts(@Nullable String tenant) {
        throw new AssertionError("finished jobs are counted");
      }
    };
    Sluice engine = rig.start(rig.engine(store).handler(Rig.type().handle((job, context) -> {})));
    rig.await(engine.enqueue(Rig.job()).id(), JobState.COMPLETED);
    assertThat(engine.health().problems()).isEmpty();
  }

  @Test
  default void health_namesTheStore_whenItCannotBeReached(Rig rig) {
    FlakyStore store = rig.flaky();
    Sluice engine = rig.start(rig.engine(store).handler(Rig.type().handle((job, context) -> {})));
    store.failUntilMended();
    assertThat(engine.health().healthy()).isFalse();
    assertThat(engine.health().problems()).singleElement().asString().startsWith("store: ");
    store.mend();
    Eventually.await("it is well again", () -> engine.health().healthy());
  }

  @Test
  default void health_alertsOfATypeThatNobodyHandles(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {}));
    engine.enqueue(Jobs.of("typo"));
    assertThat(engine.health().alerts())
        .containsExactly("no live worker handles type typo: 1 jobs wait");
  }

  @Test
  default void deadLetters_areListedCountedReplayedAndDeleted(Rig rig) {
    AtomicReference<String> mood = new AtomicReference<>("bad");
    Sluice engine = rig.start(Rig.type().retry(RetryingContract.QUICK).handle((job, context) -> {
      if (mood.get().equals("bad")) {
        throw job.payload().number() == 1 ? new IOException() : new IllegalArgumentException();
      }
    }));
    List<UUID> ids = engine.enqueueAll(Rig.jobs(4)).stream().map(Enqueued::id).toList();
    UUID invalid = engine.enqueue(Jobs.of(Rig.TYPE, new Rig.Note("x", 2))).id();
    rig.await(ids, JobState.DEAD);
    rig.await(invalid, JobState.DEAD);
    var letters = engine.deadLetters();
    assertThat(letters.count(JobFilter.all())).isEqualTo(5);
    assertThat(letters.reasons(JobFilter.all()))
        .extracting("reason")
        .containsExactly("MAX_RETRIES_EXCEEDED", "VALIDATION");
    assertThat(letters.list(JobFilter.all(), null, 10).items()).hasSize(5);
    assertThat(letters.delete(invalid)).isTrue();
    mood.set("good");
    assertThat(letters.replay(ids.getFirst())).isTrue();
    var done = rig.await(ids.getFirst(), JobState.COMPLETED);
    assertThat(done.attempt()).isEqualTo(1);
    assertThat(done.status().replays()).isEqualTo(1);
    assertThat(done.status().errors()).hasSize(3);
    assertThat(letters.replay(ids.getFirst())).isFalse();
    assertThat(letters.replayAll(JobFilter.all().ofType(Rig.TYPE))).isEqualTo(3);
    rig.await(ids, JobState.COMPLETED);
    assertThat(letters.count(JobFilter.all())).isZero();
  }

  @Test
  default void deadLettersOverTheMark_areTold(Rig rig) {
    Sluice engine = rig.start(Rig.type().answer((job, context) -> Outcome.dead("no")));
    rig.await(engine.enqueue(Rig.job()).id(), JobState.DEAD);
    rig.start(rig.engine(rig.another()).health(HealthRules.DEFAULT.withAlertDeadLetters(0)));
    Eventually.await(
        "it is told",
        () -> rig.heard().all().stream().anyMatch(Event.DeadLettersOver.class::isInstance));
  }
}
