package io.sluice.engine;

import io.sluice.Progress;
import io.sluice.store.JobStore;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes down what running handlers say about themselves, a few times a second. */
final class Notes {
  /** What one handler said since it was last asked. */
  record Said(@Nullable Progress progress, List<String> lines) {}

  private static final Logger LOG = LoggerFactory.getLogger(Notes.class);
  private static final Duration EVERY = Duration.ofMillis(250);

  private final JobStore store;
  private final Attempts attempts;

  Notes(JobStore store, Attempts attempts) {
    this.store = store;
    this.attempts = attempts;
  }

  Duration runOnce() {
    attempts.all().forEach(this::write);
    return EVERY;
  }

  /** Writes what is left to write of an attempt. Notes are a courtesy: a failure costs no attempt. */
  void write(Attempt attempt) {
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
