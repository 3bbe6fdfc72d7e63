package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.QueueSettings;
import io.sluice.SluiceException;
import io.sluice.memory.MemoryStore;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class FlakyStoreTest {
  private final ManualClock clock = new ManualClock();
  private final FlakyStore store =
      new FlakyStore(MemoryStore.builder().clock(clock).build());
  private final Bench bench = new Bench(StoreLab.of(store, clock));

  @Test
  void failNext_failsSoMany_andDoesNothing() {
    store.failNext(2);
    assertGone(bench::add);
    assertGone(() -> bench.claim(1));
    assertThat(bench.claim(1)).isEmpty();
  }

  @Test
  void failUntilMended_failsEverything_untilMended() {
    UUID job = bench.add();
    store.failUntilMended();
    for (int i = 0; i < 5; i++) {
      assertGone(() -> store.find(job));
    }
    assertGone(() -> store.queues().save(QueueSettings.of("mail")));
    assertGone(() -> bench.worker("w", LeaseContract.LEASE));
    store.mend();
    assertThat(store.find(job)).isPresent();
    assertThat(store.queues().find("default", "mail")).isEmpty();
    assertThat(store.workers().live()).isEmpty();
  }

  @Test
  void loseReplies_doesTheWrite_andThrows() {
    store.loseReplies(1);
    assertGone(() -> bench.add(Draft.job().key("k")));
    Enqueued again = bench.insert(Draft.job().key("k")).getFirst();
    assertThat(again.duplicate()).isTrue();
    assertThat(bench.claim(5)).hasSize(1);
  }

  @Test
  void onlyOn_sparesOtherMethods() {
    store.onlyOn("finish");
    store.failNext(1);
    var claimed = bench.running();
    assertGone(() -> bench.complete(claimed));
    assertThat(bench.complete(claimed)).isTrue();
  }

  @Test
  void calls_areCounted() {
    long before = store.calls();
    store.find(bench.made(Draft.job()).id());
    store.failNext(1);
    assertGone(() -> store.insert(List.of()));
    assertThat(store.calls() - before).isEqualTo(2);
  }

  private static void assertGone(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.PERSISTENCE_FAILURE));
  }
}
