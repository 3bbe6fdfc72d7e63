package io.sluice.server.rest;

import static io.sluice.server.rest.BareServer.GET;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The thread that accepts connections ends, and the web server goes on as if nothing had happened. */
@Isolated(
    "it finds the thread by its name, and would end the listener of any server that starts meanwhile")
class ListenerDeathTest {
  private static final String NAME = "server-@default-listener";

  private static Set<Thread> listeners() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(NAME))
        .collect(Collectors.toSet());
  }

  @Test
  void deadListener_isNoticed() {
    Set<Thread> before = listeners();
    try (BareServer server = new BareServer(new Listen("127.0.0.1", 0, null))) {
      try (RawClient client = server.client()) {
        assertThat(client.send(GET).reply().status()).isEqualTo(200);
      }
      CompletableFuture<Void> died = server.rest().died().toCompletableFuture();
      assertThat(died).isNotDone();
      listeners().stream().filter(thread -> !before.contains(thread)).forEach(Thread::interrupt);
      Eventually.await("the death is noticed", died::isDone);
    }
  }

  @Test
  void closedListener_isNotDead() {
    BareServer server = new BareServer(new Listen("127.0.0.1", 0, null));
    server.close();
    assertThat(server.rest().died().toCompletableFuture()).isNotDone();
  }
}
