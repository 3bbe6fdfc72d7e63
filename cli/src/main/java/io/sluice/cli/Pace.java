package io.sluice.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The time as a command sees it pass: the clock, and waiting by it. */
public interface Pace extends InstantSource {
  /** Waits this long; false when it was interrupted and the command should end. */
  boolean pause(Duration time);

  static Pace system() {
    InstantSource clock = InstantSource.system();
    return new Pace() {
      @Override
      public Instant instant() {
        return clock.instant();
      }

      @Override
      public boolean pause(Duration time) {
        try {
          return !new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
    };
  }
}
