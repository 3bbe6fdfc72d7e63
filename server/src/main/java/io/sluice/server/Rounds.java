package io.sluice.server;

import io.sluice.SluiceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Duties that are done every so often, each on a thread of its own, until the server stops. */
final class Rounds implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final CountDownLatch end = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();

  Rounds every(Duration pause, String name, Runnable duty) {
    threads.add(Thread.ofVirtual().name("sluice-" + name).start(() -> repeat(pause, name, duty)));
    return this;
  }

  private void repeat(Duration pause, String name, Runnable duty) {
    boolean failing = false;
    while (!isEnd(pause)) {
      try {
        duty.run();
        failing = false;
      } catch (SluiceException e) {
        // Once, and not every second that the database is away.
        if (!failing) {
          LOG.warn("{} failed and will be tried again: {}", name, e.getMessage());
        }
        failing = true;
      } catch (RuntimeException e) {
        LOG.error("{} failed and will be tried again", name, e);
      }
    }
  }

  private boolean isEnd(Duration pause) {
    try {
      return end.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  @Override
  public void close() {
    end.countDown();
    for (Thread thread : threads) {
      try {
        thread.join(PATIENCE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
