package io.sluice.engine;

import io.sluice.Progress;
import io.sluice.store.JobStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes down what running handlers say about themselves, a few times a second. */
final class Notes {
  /** What one handler said since it was last asked. */
  record Said(@Nullable Progress progress, List<String> lines) {}

  private static final Logger LOG = LoggerFactory.getLogger(Notes.class);
  private static final Duration EVERY = Duration.ofMillis(250);
  private static final int TURNS = 16;

  private final JobStore store;
  private final Attempts attempts;
  /** Attempts share them: few have much to say, and none waits long. */
  private final List<Lock> turns =
      Stream.<Lock>generate(ReentrantLock::new).limit(TURNS).toList();

  Notes(JobStore store, Attempts attempts) {
    this.store = store;
    this.attempts = attempts;
  }

  Duration runOnce() {
    attempts.all().forEach(this::write);
    return EVERY;
  }

  /**
   * Writes what is left to write of an attempt, one writer after the other: whoever takes lines writes them
   * before the next takes more. Notes are a courtesy: a failure costs no attempt.
   */
  void write(Attempt attempt) {
    if (!attempt.hasSpoken()) {
      return;
    }
    Lock turn = turns.get(Math.floorMod(attempt.ref().job().hashCode(), TURNS));
    turn.lock();
    try {
      writeNow(attempt);
    } finally {
      turn.unlock();
    }
  }

  private void writeNow(Attempt attempt) {
    Said said = attempt.takeNotes();
    try {
      Progress progress = said.progress();
      if (progress != null) {
        store.progress(attempt.ref(), progress.percent(), progress.message());
      }
      if (!said.lines().isEmpty()) {
        store.log(attempt.ref(), said.lines());
      }
    } catch (RuntimeException e) {
      LOG.warn("notes of job {} were not kept: {}", attempt.ref().job(), e.toString());
    }
  }
}
