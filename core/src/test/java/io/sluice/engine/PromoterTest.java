package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.store.ForwardingStore;
import io.sluice.store.Promotion;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class PromoterTest {
  private static final Promotion ALL_HELD = new Promotion(0, null, true);

  private final Deque<Promotion> promotions = new ArrayDeque<>();
  private final ForwardingStore store = new ForwardingStore(MemoryStore.create()) {
    @Override
    public Promotion promote(int max) {
      return promotions.removeFirst();
    }
  };
  private final Promoter promoter = new Promoter(store, Duration.ofSeconds(1), () -> {});

  @Test
  void heldWork_isLookedAtAgain_afterPausesThatDoubleUpToThePoll() {
    for (int i = 0; i < 8; i++) {
      promotions.add(ALL_HELD);
    }
    assertThat(pauses()).containsExactly(20L, 40L, 80L, 160L, 320L, 640L, 1000L, 1000L);
  }

  @Test
  void pauses_beginAnew_onceSomethingMoved() {
    promotions.addAll(
        List.of(ALL_HELD, ALL_HELD, new Promotion(1, Duration.ZERO), ALL_HELD, ALL_HELD));
    assertThat(pauses()).containsExactly(20L, 40L, 0L, 20L, 40L);
  }

  @Test
  void heldWork_delaysNothingElseThatIsDueSoon() {
    promotions.add(new Promotion(0, Duration.ofMillis(5), true));
    assertThat(pauses()).containsExactly(5L);
  }

  private List<Long> pauses() {
    List<Long> pauses = new ArrayList<>();
    while (!promotions.isEmpty()) {
      pauses.add(promoter.runOnce().toMillis());
    }
    return pauses;
  }
}
