package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.store.ClaimRef;
import io.sluice.store.ForwardingStore;
import io.sluice.store.Strikes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NotesTest {
  /** A store whose first write of lines takes until it is let go. */
  private static final class SlowAtFirst extends ForwardingStore {
    private final List<String> written = new CopyOnWriteArrayList<>();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    SlowAtFirst() {
      super(MemoryStore.create());
    }

    @Override
    public boolean log(ClaimRef ref, List<String> lines) {
      if (entered.getCount() > 0) {
        entered.countDown();
        await(go);
      }
      return written.addAll(lines);
    }
  }

  private final SlowAtFirst store = new SlowAtFirst();
  private final Notes notes = new Notes(store, new Attempts());
  private final Attempt attempt =
      Pieces.attempt(1, Pieces.lane("default", "t"), Pieces.type("t"), Strikes.NONE);

  @Test
  void lines_areWrittenInTheirOrder_byWhomeverTheyAreTaken() throws Exception {
    attempt.note("first");
    Thread one = Thread.ofPlatform().start(() -> notes.write(attempt));
    await(store.entered);
    attempt.note("second");
    Thread other = Thread.ofPlatform().start(() -> notes.write(attempt));
    while (other.getState() != Thread.State.WAITING && other.isAlive()) {
      Thread.onSpinWait();
    }
    store.go.countDown();
    one.join();
    other.join();
    assertThat(store.written).containsExactly("first", "second");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
