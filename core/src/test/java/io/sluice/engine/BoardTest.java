package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import io.sluice.memory.MemoryStore;
import io.sluice.store.ForwardingStore;
import io.sluice.store.LaneHead;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How often remote workers look at a queue. */
class BoardTest {
  private static final long TAKES = 1_000;

  private final List<LaneHead> heads = new ArrayList<>();
  private long time;
  private int looks;

  private final Board board = new Board(
      new ForwardingStore(MemoryStore.create()) {
        @Override
        public List<LaneHead> heads(String tenant, String queue) {
          looks++;
          time += TAKES;
          return List.copyOf(heads);
        }
      },
      lane -> false,
      () -> time);

  private void fill(int lanes) {
    for (int i = 1; i <= lanes; i++) {
      Lane lane = new Lane("t", "q", "x", "", "key-" + i);
      heads.add(new LaneHead(i, lane, 10, new UUID(0, i)));
    }
  }

  /** Looks of claims that come one after the other, each with news. */
  private void look(int times) {
    for (int i = 0; i < times; i++) {
      board.tell();
      board.look("t", "q", board.news(), time);
      time += TAKES / 10;
    }
  }

  @Test
  void queueOfFewLanes_isLookedAtForEveryClaim() {
    fill(Board.MANY_LANES);
    look(50);
    assertThat(looks).isEqualTo(50);
  }

  @Test
  void looksAtAQueueOfManyLanes_takeAFifthOfTheTime() {
    fill(Board.MANY_LANES + 1);
    look(1_000);
    assertThat(looks).isBetween(20, 30);
  }

  @Test
  void news_areWaitedFor_noLongerThanUntilTheNextLook() throws InterruptedException {
    fill(Board.MANY_LANES + 1);
    board.open();
    Board.View view = board.look("t", "q", 0, time);
    board.tell();
    time = view.nextAt();
    board.await(view, Long.MAX_VALUE);
    assertThat(board.look("t", "q", board.news(), time)).isNotSameAs(view);
  }
}
