package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ErrorClass;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.JobType;
import io.sluice.Jobs;
import io.sluice.Metadata;
import io.sluice.Outcome;
import io.sluice.Priority;
import io.sluice.Sluice;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What handlers are given, and what becomes of what they answer. */
public interface HandlingContract extends EngineTopic {
  @Test
  default void handler_getsItsRecordAndWhoItIs(Rig rig) {
    AtomicReference<Object> seen = new AtomicReference<>();
    Sluice engine = rig.start(Rig.type().handle((job, context) -> seen.set(job)));
    Metadata metadata = Metadata.NONE.withUserId("u1").with("size", 7);
    UUID id = engine
        .enqueue(Rig.job("höllo 🌊").metadata(metadata).priority(Priority.HIGH))
        .id();
    JobRecord done = rig.await(id, JobState.COMPLETED);
    io.sluice.Job<?> job = (io.sluice.Job<?>) seen.get();
    assertThat(job.payload()).isEqualTo(new Rig.Note("höllo 🌊", 1));
    assertThat(job.id()).isEqualTo(id);
    assertThat(job.attempt()).isEqualTo(1);
    assertThat(job.metadata()).isEqualTo(metadata);
    assertThat(job.priority()).isEqualTo(Priority.HIGH);
    assertThat(done.attempt()).isEqualTo(1);
    assertThat(done.status().errors()).isEmpty();
  }

  @Test
  default void handler_runsOnAVirtualThread(Rig rig) {
    AtomicReference<Boolean> virtual = new AtomicReference<>();
    Sluice engine = rig.start(
        Rig.type().handle((job, context) -> virtual.set(Thread.currentThread().isVirtual())));
    rig.await(engine.enqueue(Rig.job()).id(), JobState.COMPLETED);
    assertThat(virtual.get()).isTrue();
  }

  @Test
  default void result_isKeptAsJson(Rig rig) {
    Sluice engine = rig.start(
        Rig.type().handle((job, context) -> context.result(Map.of("rows", 3))),
        JobType.of("answers", Rig.Note.class).answer((job, context) -> Outcome.done(List.of(1))));
    UUID first = engine.enqueue(Rig.job()).id();
    UUID second = engine.enqueue(Jobs.of("answers", new Rig.Note("", 0))).id();
    assertThat(rig.await(first, JobState.COMPLETED).status().result()).isEqualTo("{\"rows\":3}");
    assertThat(rig.await(second, JobState.COMPLETED).status().result()).isEqualTo("[1]");
  }

  @Test
  default void result_thatNoStoreCanKeep_isLeftOutAndTheJobIsDone(Rig rig) {
    Sluice engine = rig.start(
        Rig.type().answer((job, context) -> Outcome.done(job.payload().text() + "\0\ud800")));
    UUID id = engine.enqueue(Rig.job()).id();
    assertThat(rig.await(id, JobState.COMPLETED).status().result()).isNull();
  }

  @Test
  default void answer_dead_buriesAtOnce(Rig rig) {
    Sluice engine = rig.start(Rig.type().answer((job, context) -> Outcome.dead("no such town")));
    JobRecord dead = rig.await(engine.enqueue(Rig.job()).id(), JobState.DEAD);
    assertThat(dead.status().reason()).isEqualTo("no such town");
    assertThat(dead.status().errors()).hasSize(1);
  }

  @Test
  default void answer_cancel_cancels(Rig rig) {
    Sluice engine = rig.start(Rig.type().answer((job, context) -> Outcome.cancel("not wanted")));
    JobRecord over = rig.await(engine.enqueue(Rig.job()).id(), JobState.CANCELLED);
    assertThat(over.status().reason()).isEqualTo("not wanted");
  }

  @Test
  default void answer_failed_goesThePolicysWay(Rig rig) {
    Sluice engine = rig.start(
        Rig.type().answer((job, context) -> Outcome.failed(new SecurityException("no key"))));
    JobRecord dead = rig.await(engine.enqueue(Rig.job()).id(), JobState.DEAD);
    assertThat(dead.status().reason()).isEqualTo("AUTH");
  }

  @Test
  default void answer_null_isAFailureAndNotTheEndOfTheJobsStory(Rig rig) {
    Sluice engine = rig.start(Rig.type().answer((job, context) -> nothing()));
    UUID id = engine.enqueue(Rig.job().maxAttempts(1)).id();
    assertThat(rig.await(id, JobState.DEAD).status().errors()).hasSize(1);
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }

  @Test
  default void answer_forTheEndOfTime_holdsUpNobody(Rig rig) {
    Duration ages = Duration.ofSeconds(Long.MAX_VALUE);
    Sluice engine =
        rig.start(Rig.type().answer((job, context) -> switch (job.payload().text()) {
          case "snooze" -> Outcome.snooze(ages);
          case "retry" -> Outcome.retryAt(Instant.MAX, "later");
          case "past" -> job.attempt() == 1 ? Outcome.retryAt(Instant.MIN, "past") : Outcome.done();
          default -> Outcome.done();
        }));
    UUID snoozed = engine.enqueue(Rig.job("snooze")).id();
    UUID retried = engine.enqueue(Rig.job("retry")).id();
    UUID past = engine.enqueue(Rig.job("past")).id();
    rig.await(engine.enqueue(Rig.job()).id(), JobState.COMPLETED);
    rig.await(past, JobState.COMPLETED);
    rig.await(snoozed, JobState.SCHEDULED);
    rig.await(retried, JobState.RETRYING);
  }

  @Test
  default void hooks_runAroundTheHandler_inOrder(Rig rig) {
    List<String> steps = new CopyOnWriteArrayList<>();
    Sluice engine = rig.start(Rig.type()
        .validate(note -> steps.add("validate"))
        .before(job -> steps.add("before"))
        .after(job -> steps.add("after"))
        .handle((job, context) -> steps.add("handle")));
    rig.await(engine.enqueue(Rig.job()).id(), JobState.COMPLETED);
    assertThat(steps).containsExactly("validate", "before", "handle", "after");
  }

  @Test
  default void before_thatThrows_failsTheAttemptWithoutTheHandler(Rig rig) {
    AtomicInteger handled = new AtomicInteger();
    Sluice engine = rig.start(Rig.type()
        .before(job -> {
          throw new IllegalArgumentException("closed today");
        })
        .handle((job, context) -> handled.incrementAndGet()));
    rig.await(engine.enqueue(Rig.job()).id(), JobState.DEAD);
    assertThat(handled).hasValue(0);
  }

  @Test
  default void validate_refusal_isDeadAtOnce(Rig rig) {
    AtomicInteger handled = new AtomicInteger();
    Sluice engine = rig.start(Rig.type()
        .validate(note -> {
          throw new IllegalArgumentException("text is missing");
        })
        .handle((job, context) -> handled.incrementAndGet()));
    JobRecord dead = rig.await(engine.enqueue(Rig.job()).id(), JobState.DEAD);
    assertThat(dead.status().reason()).isEqualTo("VALIDATION");
    assertThat(dead.status().errors().getFirst().errorClass()).isEqualTo(ErrorClass.VALIDATION);
    assertThat(handled).hasValue(0);
  }

  @Test
  default void onError_decides(Rig rig) {
    Sluice engine = rig.start(Rig.type()
        .onError((job, error) -> switch (job.payload().text()) {
          case "dead" -> Outcome.dead("gave up: " + error.getMessage());
          case "done" -> Outcome.done("all the same");
          default -> Outcome.cancel("never mind");
        })
        .handle((job, context) -> {
          throw new IllegalStateException("oops");
        }));
    UUID dead = engine.enqueue(Rig.job("dead")).id();
    UUID done = engine.enqueue(Rig.job("done")).id();
    UUID cancelled = engine.enqueue(Rig.job("else")).id();
    assertThat(rig.await(dead, JobState.DEAD).status().reason()).isEqualTo("gave up: oops");
    assertThat(rig.await(done, JobState.COMPLETED).status().result()).isEqualTo("\"all the same\"");
    rig.await(cancelled, JobState.CANCELLED);
  }

  @Test
  default void onError_thatThrowsOrAnswersNothing_leavesItToThePolicy(Rig rig) {
    Sluice engine = rig.start(Rig.type()
        .onError((job, error) -> {
          if (job.payload().text().equals("null")) {
            return nothing();
          }
          throw new AssertionError("the hook is broken too");
        })
        .handle((job, context) -> {
          throw new IllegalStateException("oops");
        }));
    UUID thrown = engine.enqueue(Rig.job().maxAttempts(1)).id();
    UUID empty = engine.enqueue(Rig.job("null").maxAttempts(1)).id();
    assertThat(rig.await(thrown, JobState.DEAD).status().errors().getFirst().message())
        .contains("oops");
    rig.await(empty, JobState.DEAD);
  }

  @Test
  default void promise9_payloadThatDoesNotFit_isDead_andOthersAreUnharmed(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {}));
    List<UUID> ids = engine
        .enqueueAll(List.of(
            Rig.job(),
            Jobs.raw(Rig.TYPE, "[1,2,3]"),
            Jobs.raw(Rig.TYPE, "{\"number\":\"many\"}"),
            Jobs.raw(Rig.TYPE, "null"),
            Rig.job()))
        .stream()
        .map(io.sluice.Enqueued::id)
        .toList();
    for (UUID bad : ids.subList(1, 4)) {
      JobRecord dead = rig.await(bad, JobState.DEAD);
      assertThat(dead.status().errors().getFirst().code()).isEqualTo("INVALID_MESSAGE");
    }
    rig.await(List.of(ids.get(0), ids.get(4)), JobState.COMPLETED);
  }

  @Test
  default void errors_areFailuresLikeAnyOther(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      switch (job.payload().text()) {
        case "deep" -> throw new StackOverflowError();
        case "memory" -> throw new OutOfMemoryError("pretended");
        default -> throw new AssertionError("wrong");
      }
    }));
    for (String kind : List.of("deep", "memory", "else")) {
      UUID id = engine.enqueue(Rig.job(kind).maxAttempts(1)).id();
      JobRecord dead = rig.await(id, JobState.DEAD);
      assertThat(dead.status().errors().getFirst().errorClass()).isEqualTo(ErrorClass.UNKNOWN);
    }
  }

  @Test
  default void error_thatCannotEvenBeDescribed_isAFailureLikeAnyOther(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      throw new IllegalStateException() {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
          throw new IllegalStateException("no words");
        }
      };
    }));
    rig.await(engine.enqueue(Rig.job().maxAttempts(1)).id(), JobState.DEAD);
  }

  @Test
  default void error_textIsMadeFitForEveryStore(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      throw new IllegalArgumentException("nul \0 half \ud83c end " + "🌊".repeat(5_000));
    }));
    UUID id = engine.enqueue(Rig.job()).id();
    String message = rig.await(id, JobState.DEAD).status().errors().getFirst().message();
    assertThat(message).contains("nul ? half ? end 🌊").hasSizeLessThan(5_000);
    assertThat(message.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF)).isTrue();
  }
}
