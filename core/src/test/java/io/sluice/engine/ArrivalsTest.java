package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lanes in which work came in are looked at in turn. */
class ArrivalsTest {
  private final Arrivals arrivals = new Arrivals(lane -> lane.type().equals("known"));

  private void arrive(String tenant, int lane) {
    arrivals.add(Map.of(lane, Lane.of(tenant, "q", "known")));
  }

  @Test
  void nothingIsKept_whileNobodyAsks_norWhatIsNotHandled() {
    arrive("t", 1);
    assertThat(arrivals.isEmpty()).isTrue();
    arrivals.collect(true);
    arrivals.add(Map.of(2, Lane.of("t", "q", "nobody")));
    assertThat(arrivals.isEmpty()).isTrue();
    arrive("t", 3);
    arrivals.collect(false);
    assertThat(arrivals.isEmpty()).isTrue();
  }

  @Test
  void tenantsTakeTurns_howeverManyLanesOneHas() {
    arrivals.collect(true);
    for (int lane = 0; lane < 10 * Arrivals.MOST_OF_TENANT; lane++) {
      arrive("crowd", lane);
    }
    arrive("other", 100_000);
    arrive("another", 100_001);
    assertThat(arrivals.take(3)).containsExactlyInAnyOrder(0, 100_000, 100_001);
    assertThat(arrivals.take(100_000)).hasSize(Arrivals.MOST_OF_TENANT - 1);
    assertThat(arrivals.isEmpty()).isTrue();
  }
}
