package io.sluice.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.testkit.Eventually;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Shares of the memory for bodies and answers in flight. */
class MemoryBudgetTest {
  private static final long KIB = 1 << 10;
  private static final long SMALL = MemoryBudget.SMALL;

  private final MemoryBudget budget = new MemoryBudget(1024L * KIB);

  private MemoryBudget.Hold hold(String tenant) {
    MemoryBudget.Hold hold = budget.open();
    hold.of(tenant);
    return hold;
  }

  private static void overloaded(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(SluiceException.class)
        .extracting(e -> ((SluiceException) e).code())
        .isEqualTo(ErrorCode.OVERLOADED);
  }

  @Test
  void tenant_getsHalfOfWhatTheOthersLeave() {
    try (MemoryBudget.Hold first = hold("a");
        MemoryBudget.Hold second = hold("b");
        MemoryBudget.Hold third = hold("c")) {
      overloaded(() -> first.body(SMALL + 513 * KIB));
      first.body(SMALL + 512 * KIB);
      overloaded(() -> second.body(SMALL + 257 * KIB));
      second.body(SMALL + 256 * KIB);
      third.body(SMALL + 128 * KIB);
      overloaded(() -> hold("a").body(SMALL + 1));
      assertThat(budget.held()).isEqualTo(3 * SMALL + (512 + 256 + 128) * KIB);
    }
    assertThat(budget.held()).isZero();
  }

  @Test
  void smallRequests_getIn_whileLargeOnesDoNot() {
    try (MemoryBudget.Hold large = hold("a");
        MemoryBudget.Hold small = hold("a")) {
      large.body(SMALL + 512 * KIB);
      small.body(SMALL);
      overloaded(() -> small.answer(1));
    }
    assertThat(budget.held()).isZero();
  }

  @Test
  void answer_isAddedToTheBody_onceAndForItsLargestSize() {
    try (MemoryBudget.Hold hold = hold("a")) {
      hold.body(100 * KIB);
      hold.answer(200 * KIB);
      hold.answer(50 * KIB);
      assertThat(budget.held()).isEqualTo(300 * KIB);
      hold.body(0);
      assertThat(budget.held()).isEqualTo(200 * KIB);
    }
    assertThat(budget.held()).isZero();
  }

  @Test
  void whoeverHasNoTenant_holdsNothing() {
    try (MemoryBudget.Hold stranger = budget.open()) {
      stranger.answer(10_000 * KIB);
      assertThat(budget.held()).isZero();
    }
    assertThat(budget.held()).isZero();
  }

  @Test
  void largeBodies_areWorkedOnInTurn() {
    AtomicBoolean done = new AtomicBoolean();
    try (MemoryBudget.Hold first = hold("a");
        MemoryBudget.Hold second = hold("b")) {
      first.body(400 * KIB);
      second.body(300 * KIB);
      first.work();
      Thread waiting = Thread.ofVirtual().start(() -> {
        second.work();
        done.set(true);
      });
      Eventually.await("the second waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
      assertThat(done).isFalse();
      first.worked();
      Eventually.await("the second works", done::get);
    }
  }

  @Test
  void chunks_areHeldAsTheyCome() throws IOException {
    byte[] sent = new byte[200 << 10];
    sent[sent.length - 1] = 7;
    try (MemoryBudget.Hold hold = hold("a")) {
      assertThat(Upload.readChunks(new ByteArrayInputStream(sent), 300 * KIB, hold))
          .isEqualTo(sent);
      assertThat(budget.held()).isEqualTo(sent.length);
    }
    try (MemoryBudget.Hold hold = hold("a")) {
      assertThat(Upload.readChunks(new ByteArrayInputStream(sent), 100 * KIB, hold))
          .hasSize((100 << 10) + 1);
    }
    try (MemoryBudget.Hold hold = hold("a")) {
      ByteArrayInputStream endless = new ByteArrayInputStream(new byte[2048 << 10]);
      overloaded(() -> Upload.readChunks(endless, 4096 * KIB, hold));
      assertThat(endless.available()).isGreaterThan(1024 << 10);
    }
    assertThat(budget.held()).isZero();
  }
}
