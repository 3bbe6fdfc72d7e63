package io.sluice.postgres;

import io.sluice.store.JobStore;
import io.sluice.testkit.ManualClock;
import io.sluice.testkit.StoreLab;
import java.util.Optional;

/** Two stores on one schema that is new for each test and gone after it. */
final class PostgresLab implements StoreLab {
  private final Server server;
  private final String schema = Server.newSchema();
  private final ManualClock clock = new ManualClock();
  private final PostgresStore first;
  private final PostgresStore second;

  PostgresLab(Server server, boolean pooled) {
    this.server = server;
    first = server.store(schema).clock(clock).pooled(pooled).build();
    second = server.store(schema).clock(clock).pooled(pooled).build();
  }

  @Override
  public PostgresStore store() {
    return first;
  }

  @Override
  public Optional<JobStore> second() {
    return Optional.of(second);
  }

  @Override
  public ManualClock clock() {
    return clock;
  }

  String schema() {
    return schema;
  }

  @Override
  public void close() {
    second.close();
    first.close();
    server.run("drop schema if exists " + schema + " cascade");
  }
}
