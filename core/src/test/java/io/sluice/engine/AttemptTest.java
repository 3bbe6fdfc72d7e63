package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobType;
import io.sluice.engine.Attempt.Over;
import io.sluice.store.Strikes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An attempt that is ended from outside, seen from the thread that has it. */
final class AttemptTest {
  private final Attempt attempt = attempt(Pieces.type("mail"));

  @AfterEach
  void leaveNoInterruptBehind() {
    Thread.interrupted();
  }

  @Test
  void end_interruptsTheHandler_andKeepsTheFirstReason() {
    attempt.enter(1);
    attempt.end(Over.CANCELLED, 2);
    attempt.end(Over.LOST, 3);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(attempt.over()).isEqualTo(Over.CANCELLED);
    assertThat(attempt.overAt()).isEqualTo(2);
  }

  @Test
  void handlerThatWasInterrupted_cleansUpUndisturbed() {
    attempt.enter(1);
    attempt.end(Over.CANCELLED, 2);
    assertThat(Thread.interrupted()).isTrue();
    attempt.end(Over.CANCELLED, 3);
    attempt.end(Over.LOST, 4);
    attempt.end(Over.TIMED_OUT, 5);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void shutdown_interruptsOnceMore() {
    attempt.enter(1);
    attempt.end(Over.CANCELLED, 2);
    assertThat(Thread.interrupted()).isTrue();
    attempt.end(Over.SHUTDOWN, 3);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void end_leavesAThreadAlone_thatTheHandlerDoesNotHave() {
    attempt.end(Over.CANCELLED, 1);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(attempt.enter(2)).isFalse();
  }

  @Test
  void jobOfABatch_doesNotInterruptTheOthers_exceptAtAShutdown() {
    Attempt one = attempt(JobType.of("mails", Object.class).batch(10, jobs -> {}));
    one.enter(1);
    one.end(Over.CANCELLED, 2);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    one.end(Over.SHUTDOWN, 3);
    assertThat(Thread.interrupted()).isTrue();
  }

  private static Attempt attempt(JobType<?> type) {
    return Pieces.attempt(1, Pieces.lane("default", "mail"), type, Strikes.NONE);
  }
}
