package io.sluice.server.health;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Whether requests are served here: from the end of the start to the beginning of the stop. */
public final class Readiness {
  private static final Duration KEEP = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private enum Phase {
    STARTING,
    SERVING,
    STOPPING
  }

  private final Recent<Boolean> database;
  private volatile Phase phase = Phase.STARTING;

  public Readiness(BooleanSupplier database, LongSupplier nanoTime) {
    this.database = new Recent<>(database::getAsBoolean, KEEP, nanoTime);
  }

  public void serving() {
    phase = Phase.SERVING;
  }

  public void stopping() {
    phase = Phase.STOPPING;
  }

  /** Why nobody should come here now, if so. */
  Optional<String> obstacle() {
    return switch (phase) {
      case STARTING -> Optional.of("starting");
      case STOPPING -> Optional.of("stopping");
      case SERVING ->
        database.within(PATIENCE).orElse(false)
            ? Optional.empty()
            : Optional.of("the database does not answer");
    };
  }
}
