package io.sluice.postgres;

import io.sluice.store.JobStore;
import io.sluice.testkit.ManualClock;
import io.sluice.testkit.StoreLab;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Two stores on one empty schema, by the manual clock, and behind a pooler if asked for. */
final class PostgresLab implements StoreLab {
  private final Server server;
  private final Ground ground;
  private final ManualClock clock = new ManualClock();
  private final PostgresStore first;
  private final boolean pooled;
  private @Nullable PostgresStore second;

  PostgresLab(Server server, boolean pooled) {
    this.server = server;
    ground = Schemas.take(server, Shelves.dayOf(ManualClock.START));
    this.pooled = pooled;
    first = build();
  }

  private PostgresStore build() {
    PostgresStoreBuilder settings =
        pooled ? ground.store(Pooler.before(server)).pooled(true) : ground.store();
    return settings.clock(clock).build();
  }

  @Override
  public PostgresStore store() {
    return first;
  }

  @Override
  public synchronized Optional<JobStore> second() {
    if (second == null) {
      second = build();
    }
    return Optional.of(second);
  }

  @Override
  public ManualClock clock() {
    return clock;
  }

  /** Behind a pooler a store hears only itself. */
  @Override
  public boolean hearsWakeups() {
    return !pooled;
  }

  String schema() {
    return ground.schema();
  }

  @Override
  public synchronized void close() {
    if (second != null) {
      second.close();
    }
    first.close();
    Schemas.giveBack(ground);
  }
}
