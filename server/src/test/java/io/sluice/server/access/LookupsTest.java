package io.sluice.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long a looked-up thing is believed. */
class LookupsTest {
  private long now = 1;
  private int looks;
  private Optional<String> there = Optional.of("old");
  private final Lookups<String, String> lookups = new Lookups<>(() -> now);

  private Optional<String> get(String key) {
    return lookups.get(key, any -> {
      looks++;
      return there;
    });
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void value_isLookedUpAgain_afterASecond() {
    get("a");
    there = Optional.of("new");
    pass(Duration.ofMillis(999));
    assertThat(get("a")).contains("old");
    pass(Duration.ofMillis(1));
    assertThat(get("a")).contains("new");
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void whileOneRenews_othersGetTheOld_forThreeSecondsAtMost() {
    get("a");
    pass(Duration.ofMillis(1_500));
    assertThat(lookups.get("a", key -> {
          assertThat(get("a")).contains("old");
          pass(Duration.ofMillis(1_500));
          there = Optional.of("new");
          assertThat(get("a")).contains("new");
          return there;
        }))
        .contains("new");
  }

  @Test
  void absence_isRememberedForFiveSeconds_whereAskedFor() {
    Lookups<Integer, String> remembering = Lookups.rememberingAbsence(() -> now);
    for (int round = 0; round < 3; round++) {
      for (int key = 0; key < 100; key++) {
        assertThat(remembering.get(key, any -> {
              looks++;
              return Optional.empty();
            }))
            .isEmpty();
      }
    }
    assertThat(looks).isEqualTo(100);
    pass(Duration.ofSeconds(5));
    assertThat(remembering.get(1, any -> Optional.of("made"))).contains("made");
    for (int key = 1_000; key < 50_000; key++) {
      remembering.get(key, any -> Optional.empty());
    }
    assertThat(remembering.get(1, any -> Optional.empty())).contains("made");
  }

  @Test
  void absence_isNotRemembered() {
    there = Optional.empty();
    assertThat(get("a")).isEmpty();
    there = Optional.of("made");
    assertThat(get("a")).contains("made");
    pass(Duration.ofSeconds(1));
    there = Optional.empty();
    assertThat(get("a")).isEmpty();
    assertThat(get("a")).isEmpty();
  }

  @Test
  void clear_alsoUndoesALookThatWasOnItsWay() {
    assertThat(lookups.get("a", key -> {
          lookups.clear();
          return Optional.of("read before the clear");
        }))
        .isPresent();
    there = Optional.of("new");
    assertThat(get("a")).contains("new");
  }

  @Test
  void memory_isBounded() {
    for (int i = 0; i < 10_001; i++) {
      get("key " + i);
    }
    assertThat(looks).isEqualTo(10_001);
    get("key 10000");
    assertThat(looks).isEqualTo(10_001);
    get("key 0");
    assertThat(looks).isEqualTo(10_002);
  }
}
