package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Defaults;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.JobRecord;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.Level;
import io.sluice.Metadata;
import io.sluice.QueueSettings;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is taken, what is refused, and how full a queue may be. */
public interface EnqueueContract extends EngineTopic {
  /** A payload that cannot be read. */
  record Broken(String text) {
    @Override
    public String text() {
      throw new IllegalStateException("broken");
    }
  }

  private static Sluice idle(Rig rig) {
    return rig.start(rig.engine());
  }

  private static void refused(Sluice engine, String field, JobRequest job) {
    SluiceException why = Rig.refused(ErrorCode.INVALID_MESSAGE, () -> engine.enqueue(job));
    assertThat(why).hasMessageContaining(field);
  }

  @Test
  default void promise1_idIsAnsweredOnlyAfterTheJobIsKept(Rig rig) {
    Sluice engine = rig.start(rig.engine(rig.another()));
    for (int i = 0; i < 20; i++) {
      UUID id =
          engine.enqueue(Rig.job(String.valueOf(i)).delay(Duration.ofHours(1))).id();
      assertThat(rig.store().find(id)).isPresent();
    }
  }

  @Test
  default void promise1_noIdIsAnswered_whenTheStoreDoesNotConfirm(Rig rig) {
    FlakyStore store = rig.flaky();
    Sluice engine = rig.start(rig.engine(store));
    store.onlyOn("insert");
    store.loseReplies(1);
    Rig.refused(ErrorCode.PERSISTENCE_FAILURE, () -> engine.enqueue(Rig.job()));
    assertThat(store.calls("insert")).as("no blind second insert").isEqualTo(1);
  }

  @Test
  default void idempotencyKey_answersTheFirstJob(Rig rig) {
    AtomicInteger runs = new AtomicInteger();
    Sluice engine = rig.start(Rig.type().handle((job, context) -> runs.incrementAndGet()));
    Enqueued first = engine.enqueue(Rig.job().idempotencyKey("k"));
    Enqueued again = engine.enqueue(Rig.job().idempotencyKey("k"));
    assertThat(first.duplicate()).isFalse();
    assertThat(again.duplicate()).isTrue();
    assertThat(again.id()).isEqualTo(first.id());
    rig.await(first.id(), JobState.COMPLETED);
    rig.await(engine.enqueue(Rig.job()).id(), JobState.COMPLETED);
    assertThat(runs).hasValue(2);
    assertThat(rig.heard().details(first.id(), Event.Kind.ENQUEUED)).hasSize(1);
  }

  @Test
  default void idempotencyKey_strict_isRefused(Rig rig) {
    Sluice engine = idle(rig);
    engine.enqueue(Rig.job().idempotencyKey("k"));
    Rig.refused(
        ErrorCode.DUPLICATE_MESSAGE,
        () -> engine.enqueue(Rig.job().idempotencyKey("k").strict()));
  }

  @Test
  default void jobPastItsExpiry_isCancelled_andNeverRun(Rig rig) {
    AtomicInteger runs = new AtomicInteger();
    Sluice engine = rig.start(rig.engine()
        .queue(QueueSettings.of("held").withPaused(true))
        .handler(Rig.type().handle((job, context) -> runs.incrementAndGet())));
    Instant soon = rig.store().now().plusMillis(200);
    UUID id = engine.enqueue(Rig.job().queue("held").expiresAt(soon)).id();
    JobRecord over = rig.await(id, JobState.CANCELLED);
    assertThat(over.status().reason()).isEqualTo("expired");
    assertThat(runs).hasValue(0);
    rig.heard().await(id, Event.Kind.CANCELLED);
  }

  @Test
  default void replay_ofAnExpiredJob_runsIt(Rig rig) {
    Sluice engine = rig.start(rig.engine()
        .queue(QueueSettings.of("held").withPaused(true))
        .handler(Rig.type().retry(RetryingContract.QUICK).handle((job, context) -> {
          if (job.attempt() == 1) {
            throw new java.io.IOException("once");
          }
        })));
    Instant soon = rig.store().now().plusMillis(50);
    UUID id = engine.enqueue(Rig.job().queue("held").expiresAt(soon)).id();
    rig.await(id, JobState.CANCELLED);
    engine.resume("held");
    assertThat(engine.replay(id)).isTrue();
    rig.await(id, JobState.COMPLETED);
  }

  @Test
  default void cappedQueue_isFull_andTellsItsLevels(Rig rig) {
    Sluice engine = rig.start(rig.engine().queue(QueueSettings.of("small").withMaxSize(4L)));
    for (int i = 0; i < 4; i++) {
      engine.enqueue(Rig.job().queue("small"));
    }
    Rig.refused(ErrorCode.QUEUE_FULL, () -> engine.enqueue(Rig.job().queue("small")));
    assertThat(engine.stats().depth()).isEqualTo(4);
    Eventually.await(
        "the level is told",
        () -> rig.heard().all().stream()
            .anyMatch(e -> e instanceof Event.LevelChanged l && l.level() == Level.FULL));
  }

  @Test
  default void unknownQueue_isNotFound(Rig rig) {
    Sluice engine = idle(rig);
    Rig.refused(ErrorCode.NOT_FOUND, () -> engine.enqueue(Rig.job().queue("nowhere")));
  }

  @Test
  default void badText_isRefused_withTheFieldsName(Rig rig) {
    Sluice engine = idle(rig);
    refused(engine, "payload", Rig.job("a\0b"));
    refused(engine, "payload", Rig.job("a\ud800b"));
    refused(engine, "payload", Jobs.raw(Rig.TYPE, "\"\\u0000\""));
    refused(engine, "payload", Jobs.raw(Rig.TYPE, "\"\\ud800 alone\""));
    refused(engine, "payload", Jobs.raw(Rig.TYPE, "{\"\\udc00\":1}"));
    refused(engine, "payload", Jobs.raw(Rig.TYPE, ""));
    refused(engine, "payload", Jobs.raw(Rig.TYPE, "{} {}"));
    refused(engine, "payload", Jobs.raw(Rig.TYPE, "{\"a\":"));
    refused(engine, "idempotencyKey", Rig.job().idempotencyKey("a\0"));
    refused(engine, "idempotencyKey", Rig.job().idempotencyKey(""));
    refused(engine, "idempotencyKey", Rig.job().idempotencyKey("k".repeat(600)));
    refused(engine, "metadata", Rig.job().metadata(Metadata.NONE.withSource("\0")));
    refused(engine, "metadata", Rig.job().metadata(Metadata.NONE.with("big", "x".repeat(70_000))));
    refused(engine, "limitKey", Rig.job().limitKey("\udfff"));
    assertThat(engine.stats().depth()).isZero();
  }

  @Test
  default void escapedBackslash_andPairs_areNotMistakenForBadText(Rig rig) {
    Sluice engine = idle(rig);
    String json = "{\"a\":\"\\\\u0000\",\"b\":\"\\ud83c\\udf0a\",\"c\":\"🌊\"}";
    UUID id = engine.enqueue(Jobs.raw(Rig.TYPE, json)).id();
    assertThat(rig.find(id).payload()).isEqualTo(json);
  }

  @Test
  default void absurdDepthAndSize_areRefused(Rig rig) {
    Sluice engine = idle(rig);
    refused(engine, "payload", Jobs.raw(Rig.TYPE, "[".repeat(5_000) + "]".repeat(5_000)));
    List<Object> deep = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      deep = new ArrayList<>(List.of(deep));
    }
    refused(engine, "payload", Jobs.of(Rig.TYPE, deep));
    refused(engine, "payload", Rig.job("x".repeat(Defaults.MAX_PAYLOAD_BYTES)));
    refused(engine, "payload", Rig.job("ü".repeat(Defaults.MAX_PAYLOAD_BYTES / 2)));
    refused(engine, "metadata", Rig.job().metadata(Metadata.NONE.with("deep", deep)));
  }

  @Test
  default void whatCannotBeWritten_isRefused(Rig rig) {
    Sluice engine = idle(rig);
    Broken broken = new Broken("");
    refused(engine, "payload", Jobs.of(Rig.TYPE, broken));
    refused(engine, "metadata", Rig.job().metadata(Metadata.NONE.with("broken", broken)));
  }

  @Test
  default void metadata_isKeptAsItWasAtTheEnqueue(Rig rig) {
    Sluice engine = idle(rig);
    List<String> tags = new ArrayList<>(List.of("a"));
    UUID id =
        engine.enqueue(Rig.job().metadata(Metadata.NONE.with("tags", tags))).id();
    tags.add("b");
    assertThat(rig.find(id).spec().metadata().custom()).isEqualTo(Map.of("tags", List.of("a")));
  }

  @Test
  default void badNamesAndTimes_areRefused(Rig rig) {
    Sluice engine = idle(rig);
    refused(engine, "queue", Rig.job().queue("Not A Name"));
    refused(engine, "queue", Rig.job().queue(""));
    refused(engine, "tenant", Rig.job().tenant("../etc"));
    refused(engine, "type", Jobs.of("-dash"));
    refused(engine, "type", Jobs.of("x".repeat(200)));
    refused(engine, "delay", Rig.job().delay(Duration.ofMillis(-1)));
    refused(engine, "delay", Rig.job().delay(Duration.ofDays(100_000)));
    refused(engine, "runAt", Rig.job().runAt(Instant.MAX));
    refused(engine, "expiresAt", Rig.job().expiresAt(Instant.MIN));
    refused(engine, "timeout", Rig.job().timeout(Duration.ZERO));
    refused(engine, "timeout", Rig.job().timeout(Duration.ofSeconds(Long.MAX_VALUE)));
  }

  @Test
  default void tooManyAtOnce_areRefusedWhole(Rig rig) {
    Sluice engine = idle(rig);
    List<JobRequest> jobs = Collections.nCopies(Defaults.MAX_BATCH_JOBS + 1, Rig.job());
    SluiceException why = Rig.refused(ErrorCode.INVALID_MESSAGE, () -> engine.enqueueAll(jobs));
    assertThat(why).hasMessageContaining("jobs");
    assertThat(engine.stats().depth()).isZero();
    assertThat(engine.enqueueAll(List.of())).isEmpty();
  }

  @Test
  default void promise9_oneBadJobAmongManyCallers_failsAlone(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {}));
    int callers = 20;
    int each = 25;
    List<Integer> accepted = Together.run(callers, caller -> () -> {
      int taken = 0;
      for (int i = 0; i < each; i++) {
        boolean bad = caller == 7 && i == 12;
        try {
          engine.enqueue(bad ? Jobs.raw(Rig.TYPE, "\"\\u0000\"") : Rig.job());
          taken++;
        } catch (SluiceException e) {
          assertThat(bad).isTrue();
        }
      }
      return taken;
    });
    assertThat(accepted.stream().mapToInt(n -> n).sum()).isEqualTo(callers * each - 1);
    Eventually.await(
        "all are done", () -> engine.stats().in(JobState.COMPLETED) == callers * each - 1);
  }
}
