package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FullLooksTest {
  private long nanos = 1_000;
  private final FullLooks looks = new FullLooks(() -> nanos);

  private void pass(long millis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private void look(long millis) {
    long start = looks.now();
    pass(millis);
    looks.ended(start);
  }

  private void lookAside(long millis) {
    assertThat(looks.begin()).isTrue();
    long start = looks.now();
    pass(millis);
    looks.endedAside(start);
  }

  @Test
  void cheapLooks_areAlwaysAffordable() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(looks.isAffordable()).isTrue();
      look(0);
    }
  }

  @Test
  void singleSlowLook_changesNothing() {
    for (int i = 0; i < 100; i++) {
      look(0);
      look(0);
      look(300);
      assertThat(looks.isAffordable()).isTrue();
    }
  }

  @Test
  void dearLooks_takeATenthOfTheTime() {
    long start = nanos;
    int made = 0;
    while (nanos - start < TimeUnit.SECONDS.toNanos(10)) {
      if (looks.isAffordable()) {
        look(5);
        made++;
      } else {
        pass(1);
      }
    }
    assertThat(made).isBetween(190, 210);
  }

  @Test
  void lookOfManyMilliseconds_isNeverWaitedFor() {
    look(60);
    look(60);
    look(60);
    pass(60_000);
    assertThat(looks.isAffordable()).isFalse();
  }

  @Test
  void lookAside_isDueTwiceASecond_andOneAtATime() {
    assertThat(looks.begin()).isFalse();
    pass(499);
    assertThat(looks.begin()).isFalse();
    pass(1);
    assertThat(looks.begin()).isTrue();
    pass(10_000);
    assertThat(looks.begin()).isFalse();
    looks.endedAside(looks.now());
    pass(500);
    assertThat(looks.begin()).isTrue();
  }

  @Test
  void lookThatIsWanted_doesNotWait_butRestsAsLongAsItTakes() {
    pass(500);
    lookAside(80);
    pass(500);
    lookAside(80);
    pass(500);
    lookAside(80);
    looks.want();
    pass(79);
    assertThat(looks.begin()).isFalse();
    pass(1);
    lookAside(80);
    pass(80);
    assertThat(looks.begin()).isFalse();
  }
}
