package io.sluice.server.neighbours;

import io.sluice.server.Target;
import io.sluice.server.access.Role;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Very many URL groups whose health checks hang as long as they may. They once kept those of others from being made. */
record HealthCheckAttack() implements Attack {
  private static final int GROUPS = 100;

  @Override
  public String title() {
    return "7 health checks";
  }

  @Override
  public void run(Attacker attacker) throws InterruptedException {
    CountDownLatch released = new CountDownLatch(1);
    try (Target hanging = new Target(path -> hang(attacker, released))) {
      try {
        for (int i = 0; i < GROUPS && attacker.goesOn(); i++) {
          // The first is how it was; now an interval is at least as long as its timeout.
          String interval = i == 0 ? "1s" : "60s";
          attacker.post(Role.OPERATOR, "/v1/url-groups", """
              {"name": "g%d", "baseUrl": "%s", "healthCheck":
                {"endpoint": "/h", "interval": "%s", "timeout": "60s"}}
              """.formatted(i, hanging.url(), interval));
        }
        while (attacker.pause(Duration.ofSeconds(1))) {
          // The checks hang meanwhile.
        }
      } finally {
        released.countDown();
      }
    }
  }

  private static int hang(Attacker attacker, CountDownLatch released) {
    attacker.count("check hangs");
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 200;
  }
}
