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
    return new Loop("test", duty, new SplittableRandom(1));
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
