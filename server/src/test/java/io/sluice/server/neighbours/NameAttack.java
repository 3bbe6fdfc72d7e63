package io.sluice.server.neighbours;

import io.sluice.server.access.Role;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Deliveries to very many names, each of its own, for which nobody answers. They once took all threads that look up names. */
record NameAttack() implements Attack {
  private static final int NAMES = 150;
  private static final int MOST_CALLS = 20;

  @Override
  public String title() {
    return "4 names";
  }

  @Override
  public void run(Attacker attacker) throws InterruptedException {
    for (int call = 0; call < MOST_CALLS; call++) {
      int first = call * NAMES;
      String jobs = IntStream.range(first, first + NAMES)
          .mapToObj(i -> "{\"url\":\"http://h" + i + SilentNames.SILENT + "/\"}")
          .collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
      attacker.post(Role.PRODUCER, "/v1/jobs/batch", jobs);
      if (!attacker.pause(Duration.ofSeconds(4))) {
        return;
      }
    }
  }
}
