package io.sluice.server.neighbours;

import io.sluice.server.access.Role;
import java.time.Duration;

/** Searches for a text in very large payloads, several at a time. They once took all connections for reads. */
record SearchAttack() implements Attack {
  private static final int SEARCHERS = 8;
  private static final int MOST_SEARCHES = 5_000;
  private static final int MOST_BATCHES = 20;

  @Override
  public String title() {
    return "5 searches";
  }

  @Override
  public void run(Attacker attacker) {
    byte[] batch = LargeJobs.batch();
    attacker.repeat(1, MOST_BATCHES, () -> {
      if (attacker.post(Role.PRODUCER, "/v1/jobs/batch", batch).status() == 503) {
        attacker.pause(Duration.ofSeconds(1));
      }
    });
    attacker.repeat(
        SEARCHERS, MOST_SEARCHES, () -> attacker.get(Role.VIEWER, "/v1/jobs?limit=1&q=zzzz"));
  }
}
