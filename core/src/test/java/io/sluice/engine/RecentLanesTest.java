package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Lanes that ran empty are looked at again, the last of them every time. */
class RecentLanesTest {
  private final RecentLanes lanes = new RecentLanes();

  private static Set<Integer> range(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().collect(Collectors.toSet());
  }

  @Test
  void lastLanes_areLookedAtEveryTime_andThoseBeforeInTurn() {
    int all = 3 * RecentLanes.LAST;
    range(1, all).stream().sorted().forEach(lanes::add);
    Set<Integer> last = range(2 * RecentLanes.LAST + 1, all);
    Set<Integer> seen = new HashSet<>();
    for (int look = 0; look < 2; look++) {
      Set<Integer> next = lanes.next();
      assertThat(next).containsAll(last).hasSize(2 * RecentLanes.LAST);
      seen.addAll(next);
    }
    assertThat(seen).isEqualTo(range(1, all));
  }

  @Test
  void veryManyLanes_areNotAllKept() {
    int all = 3 * RecentLanes.BEFORE;
    range(1, all).stream().sorted().forEach(lanes::add);
    Set<Integer> seen = new HashSet<>();
    for (int look = 0; look < 1_000; look++) {
      seen.addAll(lanes.next());
    }
    assertThat(seen).isEqualTo(range(all - RecentLanes.BEFORE - RecentLanes.LAST + 1, all));
  }
}
