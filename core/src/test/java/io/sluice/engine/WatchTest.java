package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import io.sluice.store.Count;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The words of the line that is logged now and then. */
class WatchTest {
  private static final Count ONE = new Count("default", "mail", "http", JobState.COMPLETED, 1);
  private static final Count OTHER = new Count("shop", "mail", "http", JobState.DEAD, 2);

  @Test
  void counts_nameTheTenant_whereThereIsMoreThanOne() {
    assertThat(Watch.words(List.of(ONE))).isEqualTo("mail/http COMPLETED 1");
    assertThat(Watch.words(List.of(ONE, OTHER)))
        .isEqualTo("default/mail/http COMPLETED 1, shop/mail/http DEAD 2");
    assertThat(Watch.words(List.of())).isEmpty();
  }
}
