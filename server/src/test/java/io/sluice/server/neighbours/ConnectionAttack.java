package io.sluice.server.neighbours;

import io.sluice.server.SlowCrowd;
import io.sluice.server.listener.Descriptors;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Strangers without a key who open more connections than the server has room for and send a byte now and then. When the
 * descriptors ran out, the listener once ended for ever.
 */
record ConnectionAttack() implements Attack {
  private static final int MOST_CONNECTIONS = 6_000;

  /** Files that the process of the strangers has open besides. */
  private static final int OTHER_FILES = 200;

  @Override
  public String title() {
    return "2 connections";
  }

  @Override
  public void run(Attacker attacker) throws InterruptedException {
    long limit = Descriptors.limit().orElse(Long.MAX_VALUE);
    int clients = Math.clamp(limit - OTHER_FILES, 1, MOST_CONNECTIONS);
    List<String> addresses =
        IntStream.rangeClosed(2, 20).mapToObj(last -> "127.0.0." + last).toList();
    int port = URI.create(attacker.tenant().admin().address()).getPort();
    try (SlowCrowd crowd = SlowCrowd.start(port, clients, addresses)) {
      crowd.awaitCount();
      while (attacker.pause(Duration.ofSeconds(3))) {
        int stayed = crowd.drip();
        attacker.count("round");
        attacker.count("stayed", stayed);
        attacker.count("closed", clients - stayed);
      }
    }
  }
}
