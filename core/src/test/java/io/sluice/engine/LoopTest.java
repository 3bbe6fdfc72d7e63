package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The one loop of all duties. */
class LoopTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final Semaphore rounds = new Semaphore(0);

  private static Loop loop(Loop.Duty duty) {
    return new Loop("test", duty, Duration.ofMillis(150), new SplittableRandom(1));
  }

  private void awaitRound() throws InterruptedException {
    assertThat(rounds.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void wake_endsTheRest() throws InterruptedException {
    Loop loop = loop(() -> {
      rounds.release();
      return LONG;
    });
    loop.start();
    awaitRound();
    loop.wake();
    awaitRound();
    loop.stop(LONG);
  }

  @Test
  void wakeDuringARound_isNotForgotten() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Loop loop = loop(() -> {
      inside.countDown();
      go.await();
      rounds.release();
      return LONG;
    });
    loop.start();
    inside.await();
    loop.wake();
    go.countDown();
    awaitRound();
    awaitRound();
    loop.stop(LONG);
  }

  @Test
  void loop_goesOnAfterAnyThrowable() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    Loop loop = loop(() -> {
      rounds.release();
      return switch (calls.incrementAndGet()) {
        case 1 -> throw new IllegalStateException("once");
        case 2 -> throw new StackOverflowError();
        case 3 -> throw new Exception("checked");
        default -> LONG;
      };
    });
    loop.start();
    for (int i = 0; i < 4; i++) {
      awaitRound();
    }
    loop.stop(LONG);
  }

  @Test
  void pauses_growWithEachFailure_upToTheLongest() {
    Loop loop = loop(() -> LONG);
    for (int i = 0; i < 100; i++) {
      assertThat(loop.pauseAfter(1)).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
      assertThat(loop.pauseAfter(2 + i)).isBetween(Duration.ofMillis(75), Duration.ofMillis(150));
    }
    Loop slow = new Loop("test", () -> LONG, LONG, new SplittableRandom(1));
    assertThat(slow.pauseAfter(100)).isBetween(Duration.ofMillis(2_500), Duration.ofSeconds(5));
  }

  @Test
  void stop_interruptsARoundThatTakesTooLong() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Loop loop = loop(() -> {
      inside.countDown();
      try {
        new CountDownLatch(1).await();
      } finally {
        interrupted.countDown();
      }
      return LONG;
    });
    loop.start();
    inside.await();
    loop.stop(Duration.ofMillis(20));
    assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void stop_ofALoopThatNeverStarted_returns() {
    loop(() -> LONG).stop(LONG);
  }
}
