package io.sluice.engine;

import io.sluice.store.Verdict;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Takes verdicts and has them written, many at a time, through a bounded queue that makes handlers wait
 * rather than let claims run ahead of what is written.
 */
final class Finisher {
  private static final int BOUND = 2_000;
  private static final int BATCH = 1_000;
  private static final long PATIENCE_MILLIS = 100;

  private final OutcomeWriter writer;
  private final BlockingQueue<OutcomeWriter.Entry> queue = new ArrayBlockingQueue<>(BOUND);

  /** A finisher that puts aside what cannot be written though others can. */
  Finisher(OutcomeWriter.Parts parts, Consumer<OutcomeWriter.Entry> aside) {
    this.writer = new OutcomeWriter(parts, BATCH, aside);
  }

  /** Takes the verdict on an attempt that the caller has settled. */
  void submit(Attempt attempt, Verdict verdict, long nanos) {
    OutcomeWriter.Entry entry = new OutcomeWriter.Entry(attempt, verdict, nanos);
    boolean interrupted = false;
    while (true) {
      try {
        queue.put(entry);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  Duration runOnce() throws InterruptedException {
    if (writer.isEmpty()) {
      gather();
    }
    if (!writer.isEmpty()) {
      writer.write();
    }
    return Duration.ZERO;
  }

  private void gather() throws InterruptedException {
    OutcomeWriter.Entry first = queue.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    if (first != null) {
      writer.unwritten().add(first);
      queue.drainTo(writer.unwritten(), BATCH - 1);
    }
  }
}
