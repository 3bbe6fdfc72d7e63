package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Defaults;
import io.sluice.ErrorClass;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Outcome;
import io.sluice.QueueSettings;
import io.sluice.RetryPolicy;
import io.sluice.RetryStrategy;
import io.sluice.Sluice;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When a failed job is tried again, and when it is not. */
public interface RetryingContract extends EngineTopic {
  /** Retries after few milliseconds. */
  RetryPolicy QUICK =
      Defaults.RETRY.withMaxAttempts(3).withDelays(Duration.ofMillis(10), 2, Duration.ofMillis(50));

  /** Retries after a time that no test waits for. */
  RetryPolicy SLOW = Defaults.RETRY.withDelays(Duration.ofHours(1), 1, Duration.ofHours(2));

  private static Sluice failing(Rig rig, Exception error) {
    return rig.start(Rig.type().handle((job, context) -> {
      throw error;
    }));
  }

  @Test
  default void exponential_retriesUntilItSucceeds_andKeepsTheErrors(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      if (job.attempt() < 3) {
        throw new IOException("attempt " + job.attempt());
      }
    }));
    JobRecord done = rig.await(engine.enqueue(Rig.job().retry(QUICK)).id(), JobState.COMPLETED);
    assertThat(done.attempt()).isEqualTo(3);
    assertThat(done.status().errors()).extracting("attempt").containsExactly(1, 2);
    assertThat(done.status().errors()).extracting("errorClass").containsOnly(ErrorClass.NETWORK);
  }

  @Test
  default void linear_andImmediate_retryToo(Rig rig) {
    AtomicInteger attempts = new AtomicInteger();
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      attempts.incrementAndGet();
      throw new IOException("never");
    }));
    UUID linear = engine
        .enqueue(Rig.job().retry(QUICK.withStrategy(RetryStrategy.LINEAR)))
        .id();
    UUID immediate = engine
        .enqueue(Rig.job().retry(SLOW.withStrategy(RetryStrategy.IMMEDIATE).withMaxAttempts(4)))
        .id();
    assertThat(rig.await(linear, JobState.DEAD).attempt()).isEqualTo(3);
    assertThat(rig.await(immediate, JobState.DEAD).attempt()).isEqualTo(4);
    assertThat(attempts).hasValue(7);
  }

  @Test
  default void none_isDeadAfterTheFirst(Rig rig) {
    Sluice engine = failing(rig, new IOException("down"));
    UUID id =
        engine.enqueue(Rig.job().retry(QUICK.withStrategy(RetryStrategy.NONE))).id();
    assertThat(rig.await(id, JobState.DEAD).attempt()).isEqualTo(1);
  }

  @Test
  default void lastAttempt_failing_isMaxRetriesExceeded(Rig rig) {
    Sluice engine = failing(rig, new IOException("down"));
    UUID id = engine.enqueue(Rig.job().retry(QUICK.withMaxAttempts(2))).id();
    JobRecord dead = rig.await(id, JobState.DEAD);
    assertThat(dead.status().reason()).isEqualTo("MAX_RETRIES_EXCEEDED");
    assertThat(dead.status().errors()).hasSize(2);
    assertThat(dead.attempt()).isEqualTo(2);
  }

  @Test
  default void failedForGood_isFailed_whereDeadLettersAreOff(Rig rig) {
    Sluice engine = rig.start(rig.engine()
        .queue(QueueSettings.of("plain").withDeadLetter(false))
        .handler(Rig.type().answer((job, context) -> Outcome.dead("no"))));
    UUID id = engine.enqueue(Rig.job().queue("plain")).id();
    assertThat(rig.await(id, JobState.FAILED).status().reason()).isEqualTo("no");
    assertThat(engine.deadLetters().count(io.sluice.JobFilter.all())).isZero();
  }

  @Test
  default void failedAttempt_waitsAsRetrying(Rig rig) {
    Sluice engine = failing(rig, new IOException("down"));
    UUID id = engine.enqueue(Rig.job().retry(SLOW)).id();
    JobRecord waiting = rig.await(id, JobState.RETRYING);
    assertThat(waiting.attempt()).isEqualTo(1);
    assertThat(waiting.status().runAt()).isAfter(waiting.createdAt().plusSeconds(60));
  }

  @Test
  default void policy_ofAClass_standsInForThatClassOnly(Rig rig) {
    RetryPolicy policy = SLOW.on(ErrorClass.TIMEOUT, p -> QUICK.withMaxAttempts(2));
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      throw job.payload().text().equals("slow") ? new TimeoutException() : new IOException();
    }));
    UUID timeout = engine.enqueue(Rig.job("slow").retry(policy)).id();
    UUID network = engine.enqueue(Rig.job().retry(policy)).id();
    assertThat(rig.await(timeout, JobState.DEAD).attempt()).isEqualTo(2);
    rig.await(network, JobState.RETRYING);
  }

  @Test
  default void classThatIsNotRetried_isRetriedWhenThePolicyNamesIt(Rig rig) {
    Sluice engine = failing(rig, new IllegalArgumentException("bad"));
    UUID plain = engine.enqueue(Rig.job().retry(QUICK)).id();
    UUID named =
        engine.enqueue(Rig.job().retry(QUICK.on(ErrorClass.VALIDATION, p -> p))).id();
    assertThat(rig.await(plain, JobState.DEAD).attempt()).isEqualTo(1);
    assertThat(rig.await(named, JobState.DEAD).attempt()).isEqualTo(3);
  }

  @Test
  default void policy_ofTheJobComesFirst_thenTheTypes_thenTheQueues(Rig rig) {
    RetryPolicy once = QUICK.withMaxAttempts(1);
    Sluice engine = rig.start(rig.engine()
        .queue(QueueSettings.of("once").withRetry(once))
        .handler(Rig.type().retry(QUICK.withMaxAttempts(2)).handle((job, context) -> {
          throw new IOException("down");
        }))
        .handler(io.sluice.JobType.of("bare", Rig.Note.class).handle((job, context) -> {
          throw new IOException("down");
        })));
    UUID ofQueue = engine
        .enqueue(io.sluice.Jobs.of("bare", new Rig.Note("", 0)).queue("once"))
        .id();
    UUID ofType = engine.enqueue(Rig.job().queue("once")).id();
    UUID ofJob = engine.enqueue(Rig.job().queue("once").retry(QUICK)).id();
    assertThat(rig.await(ofQueue, JobState.DEAD).attempt()).isEqualTo(1);
    assertThat(rig.await(ofType, JobState.DEAD).attempt()).isEqualTo(2);
    assertThat(rig.await(ofJob, JobState.DEAD).attempt()).isEqualTo(3);
  }

  @Test
  default void retryAt_waitsUntilThen_andSpendsAttempts(Rig rig) {
    Instant later = rig.store().now().plusSeconds(3600);
    Sluice engine = rig.start(Rig.type()
        .answer((job, context) -> job.payload().text().equals("at")
            ? Outcome.retryAt(later, "busy")
            : Outcome.retryIn(Duration.ofMillis(5), "busy")));
    UUID at = engine.enqueue(Rig.job("at")).id();
    UUID in = engine.enqueue(Rig.job("in").maxAttempts(2)).id();
    JobRecord waiting = rig.await(at, JobState.RETRYING);
    assertThat(waiting.status().runAt()).isBetween(later.minusMillis(1), later.plusMillis(1));
    assertThat(waiting.status().errors()).extracting("message").containsExactly("busy");
    JobRecord dead = rig.await(in, JobState.DEAD);
    assertThat(dead.attempt()).isEqualTo(2);
    assertThat(dead.status().reason()).isEqualTo("MAX_RETRIES_EXCEEDED");
  }

  @Test
  default void snooze_givesTheAttemptBack(Rig rig) {
    AtomicInteger runs = new AtomicInteger();
    Sluice engine = rig.start(Rig.type().answer((job, context) -> {
      assertThat(job.attempt()).isEqualTo(1);
      return runs.incrementAndGet() < 4 ? Outcome.snooze(Duration.ofMillis(5)) : Outcome.done();
    }));
    JobRecord done = rig.await(engine.enqueue(Rig.job().maxAttempts(1)).id(), JobState.COMPLETED);
    assertThat(runs).hasValue(4);
    assertThat(done.attempt()).isEqualTo(1);
    assertThat(done.status().errors()).isEmpty();
  }

  @Test
  default void retry_pastTheJobsExpiry_isCancelledInstead(Rig rig) {
    Sluice engine = failing(rig, new IOException("down"));
    Instant soon = rig.store().now().plusSeconds(60);
    UUID id = engine.enqueue(Rig.job().retry(SLOW).expiresAt(soon)).id();
    JobRecord over = rig.await(id, JobState.CANCELLED);
    assertThat(over.status().reason()).isEqualTo("expired");
    assertThat(over.status().errors()).hasSize(1);
  }

  @Test
  default void expiry_goesByTheStoresClock_whateverTheWorkersSays(Rig rig) {
    Sluice producer = rig.start(rig.engine().withoutWork());
    rig.start(rig.engine(rig.another())
        .clock(() -> InstantSource.system().instant().plus(Duration.ofHours(1)))
        .handler(Rig.type().handle((job, context) -> {
          if (job.attempt() == 1) {
            throw new IOException("once");
          }
        })));
    Instant inTime = rig.store().now().plus(Duration.ofMinutes(10));
    UUID id = producer.enqueue(Rig.job().retry(QUICK).expiresAt(inTime)).id();
    Eventually.await("the job to end", () -> rig.find(id).state().isFinal());
    assertThat(rig.find(id).state()).isEqualTo(JobState.COMPLETED);
    assertThat(rig.find(id).attempt()).isEqualTo(2);
  }

  @Test
  default void retry_pastTheJobsExpiry_isCancelled_alsoByAWorkerThatIsBehind(Rig rig) {
    Sluice producer = rig.start(rig.engine().withoutWork());
    rig.start(rig.engine(rig.another())
        .clock(() -> InstantSource.system().instant().minus(Duration.ofDays(1)))
        .handler(Rig.type().handle((job, context) -> {
          throw new IOException("down");
        })));
    Instant soon = rig.store().now().plusSeconds(60);
    UUID id = producer.enqueue(Rig.job().retry(SLOW).expiresAt(soon)).id();
    Eventually.await("it was tried", () -> !rig.find(id).status().errors().isEmpty());
    assertThat(rig.find(id).state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  default void classifier_ofTheUsers_decidesAndMayFail(Rig rig) {
    Sluice engine = rig.start(rig.engine()
        .classifier(error -> {
          if (error instanceof IOException) {
            return ErrorClass.REJECTED;
          }
          throw new IllegalStateException("do not know");
        })
        .handler(Rig.type().handle((job, context) -> {
          throw job.payload().text().equals("io") ? new IOException() : new TimeoutException();
        })));
    UUID known = engine.enqueue(Rig.job("io")).id();
    UUID unknown = engine.enqueue(Rig.job().maxAttempts(1)).id();
    assertThat(rig.await(known, JobState.DEAD).status().reason()).isEqualTo("REJECTED");
    rig.await(unknown, JobState.DEAD);
  }
}
