package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Priority;
import io.sluice.QueueSettings;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneView;
import io.sluice.store.Look;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Looks at some of the lanes: windows go round all of them and cost what they show. */
public interface LookContract extends StoreTopic {
  private static List<Integer> lanes(Bench bench, int n) {
    List<Integer> lanes = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      Draft draft = Draft.job().limitKey("key-" + i);
      bench.add(draft);
      lanes.add(bench.head(draft.lane(), Priority.NORMAL.value()).laneId());
    }
    return lanes;
  }

  private static Set<Integer> laneIds(LaneView view) {
    return new HashSet<>(view.heads().stream().map(LaneHead::laneId).toList());
  }

  @Test
  default void windows_goRoundAllLanes(Bench bench) {
    List<Integer> lanes = lanes(bench, 25);
    Set<Integer> seen = new HashSet<>();
    int after = 0;
    int looks = 0;
    do {
      LaneView view = bench.store().look(new Look(after, 10, Set.of()));
      assertThat(laneIds(view)).hasSizeLessThanOrEqualTo(10).noneMatch(seen::contains);
      seen.addAll(laneIds(view));
      after = view.upTo();
      looks++;
    } while (after != LaneView.END && looks < 10);
    assertThat(seen).containsExactlyInAnyOrderElementsOf(lanes);
    assertThat(looks).isEqualTo(3);
  }

  @Test
  default void window_showsEveryPriorityOfItsLanes(Bench bench) {
    for (int priority : List.of(3, 7, 12)) {
      bench.add(Draft.job().limitKey("a").priority(priority));
      bench.add(Draft.job().limitKey("b").priority(priority));
    }
    LaneView view = bench.store().look(new Look(0, 1, Set.of()));
    assertThat(laneIds(view)).hasSize(1);
    assertThat(view.heads()).extracting(LaneHead::priority).containsExactlyInAnyOrder(3, 7, 12);
    LaneView rest = bench.store().look(new Look(view.upTo(), 5, Set.of()));
    assertThat(rest.heads()).hasSize(3);
    assertThat(rest.upTo()).isEqualTo(LaneView.END);
  }

  @Test
  default void alsoLanes_areSeen_beforeAndAfterTheWindow_andOnceWithin(Bench bench) {
    List<Integer> lanes = lanes(bench, 9);
    Set<Integer> also = Set.of(lanes.get(0), lanes.get(4), lanes.get(8), 1_000_000);
    LaneView view = bench.store().look(new Look(lanes.get(2), 3, also));
    assertThat(view.heads())
        .extracting(LaneHead::laneId)
        .containsExactlyInAnyOrder(
            lanes.get(0), lanes.get(3), lanes.get(4), lanes.get(5), lanes.get(8));
    assertThat(view.upTo()).isEqualTo(lanes.get(5));
  }

  @Test
  default void lookWithoutAWindow_showsTheLanesAskedForAlone_andGoesNoFurther(Bench bench) {
    List<Integer> lanes = lanes(bench, 6);
    Set<Integer> also = Set.of(lanes.get(1), lanes.get(4), 1_000_000);
    for (int after : List.of(0, lanes.get(2))) {
      LaneView view = bench.store().look(new Look(after, 0, also));
      assertThat(view.heads())
          .extracting(LaneHead::laneId)
          .containsExactlyInAnyOrder(lanes.get(1), lanes.get(4));
      assertThat(view.upTo()).isEqualTo(after);
    }
  }

  @Test
  default void headsOfAQueue_areThoseOfItsLanes_whileTheyHaveWork(Bench bench) {
    bench.store().queues().save(QueueSettings.of("mail"));
    UUID urgent = bench.add(Draft.job().queue("mail").limitKey("a").priority(3));
    UUID job = bench.add(Draft.job().queue("mail").limitKey("a").priority(7));
    bench.add(2, Draft.job().limitKey("a"));
    assertThat(bench.store().heads("default", "mail"))
        .extracting(LaneHead::first)
        .containsExactlyInAnyOrder(urgent, job);
    bench.claim(urgent);
    assertThat(bench.store().heads("default", "mail"))
        .extracting(LaneHead::first)
        .containsExactly(job);
    bench.claim(job);
    assertThat(bench.store().heads("default", "mail")).isEmpty();
    assertThat(bench.store().heads("acme", "mail")).isEmpty();
  }

  @Test
  default void lookWithNothingToSee_goesToTheEnd(Bench bench) {
    assertThat(bench.store().look(new Look(7, 10, Set.of(3))))
        .isEqualTo(new LaneView(List.of(), LaneView.END));
  }
}
