package io.sluice.crashtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeetingTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir
  Path folder;

  @Test
  void nobodyGoesOn_beforeAllHaveCome() {
    Meeting here = Meeting.at(folder.resolve("meeting"), 2);
    Meeting there = Meeting.at(folder.resolve("meeting"), 2);
    AtomicLong met = new AtomicLong();
    for (long round = 1; round <= 50; round++) {
      long number = round;
      CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(() -> {
        boolean joined = there.join(1, number, LONG);
        met.incrementAndGet();
        return joined;
      });
      assertThat(met.get()).isEqualTo(number - 1);
      assertThat(here.join(0, number, LONG)).isTrue();
      assertThat(other.join()).isTrue();
    }
  }

  @Test
  void whoIsAlone_goesOnAfterTheLimit() {
    Meeting meeting = Meeting.at(folder.resolve("meeting"), 2);
    assertThat(meeting.join(0, 1, Duration.ofMillis(20))).isFalse();
    assertThat(Meeting.at(folder.resolve("meeting"), 2).join(1, 2, Duration.ofMillis(20)))
        .isFalse();
  }
}
