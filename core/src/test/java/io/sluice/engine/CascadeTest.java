package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** In which order jobs end that hang together. */
class CascadeTest {
  private static final UUID A = new UUID(0, 1);
  private static final UUID B = new UUID(0, 2);
  private static final UUID C = new UUID(0, 3);
  private static final UUID D = new UUID(0, 4);

  private final Map<UUID, Cascade.Item> jobs = new LinkedHashMap<>();

  private void job(UUID id, UUID... after) {
    jobs.put(id, new Cascade.Item(id, Pieces.lane("default", "t"), 0, List.of(after)));
  }

  private List<UUID> order() {
    return Cascade.lastFirst(jobs).stream().map(Cascade.Item::id).toList();
  }

  @Test
  void jobsThatWait_endBeforeThoseTheyWaitFor() {
    job(A, new UUID(9, 9));
    job(B, A);
    job(C, A);
    job(D, B, C);
    assertThat(order()).containsExactly(D, B, C, A);
  }

  @Test
  void jobsThatHangTogetherByNothing_keepTheirOrder() {
    job(C);
    job(A);
    job(B, A);
    assertThat(order()).containsExactly(C, B, A);
  }
}
