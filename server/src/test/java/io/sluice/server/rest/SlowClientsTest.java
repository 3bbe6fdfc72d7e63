package io.sluice.server.rest;

import static io.sluice.server.rest.BareServer.GET;
import static io.sluice.server.rest.BareServer.HOST;
import static io.sluice.server.rest.BareServer.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.listener.ConnectionBounds;
import io.sluice.testkit.Eventually;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that do not come to the end of their request: also when a byte comes now and then. */
@Tag("slow")
class SlowClientsTest {
  private static final Duration NEVER = Duration.ofMinutes(30);
  /** Longer than a client on a busy machine needs between two lines of a test. */
  private static final Duration SOON = Duration.ofSeconds(2);

  private BareServer server = start(SOON, SOON, NEVER);

  private static BareServer start(Duration head, Duration body, Duration idle) {
    return new BareServer(
        new Listen("127.0.0.1", 0, null).with(new ConnectionBounds(100, 100, head, body, idle)));
  }

  private void restart(Duration head, Duration body, Duration idle) {
    server.close();
    server = start(head, body, idle);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Fails unless the connection is answered that it is late, and ended, however often a byte is sent. */
  private void late(String begin, String then) {
    try (RawClient client = server.client()) {
      client.send(begin);
      byte[] drip = then.getBytes(StandardCharsets.US_ASCII);
      if (drip.length > 0) {
        Eventually.await("the end of " + begin, () -> !client.trySend(drip));
      }
      String answer = client.rest();
      // A byte that comes after the end resets the connection, and with it may go the answer.
      assertThat(answer)
          .as(begin)
          .matches(text -> (drip.length > 0 && text.isEmpty())
              || (text.startsWith("HTTP/1.1 408 ") && text.contains("application/problem+json")));
    }
    Eventually.await("all connections ended", () -> server.rest().connections() == 0);
  }

  @Test
  void head_mustBeCompleteInTime() {
    restart(SOON, NEVER, NEVER);
    late("GET /open HT", "");
    late("GET /open HTTP/1.1\r\n" + HOST, "");
    late("GET /open HTTP/1.1\r\n" + HOST, "X: y\r\n");
    late("GET /open HTTP/1.1\r\n" + HOST + "X: ", "a");
    assertThat(server.served()).isZero();
  }

  @Test
  void connectionWithoutARequest_isEndedWithoutAnAnswer() {
    restart(SOON, NEVER, NEVER);
    try (RawClient client = server.client()) {
      assertThat(client.isEnded()).isTrue();
    }
  }

  @Test
  void laterHead_hasItsOwnTime() {
    restart(SOON, NEVER, NEVER);
    try (RawClient client = server.client()) {
      assertThat(client.send(GET).reply().status()).isEqualTo(200);
      client.send("GET /open HTTP/1.1\r\n");
      assertThat(client.reply().status()).isEqualTo(408);
      assertThat(client.isEnded()).isTrue();
    }
  }

  @Test
  void body_mustBeCompleteInTime() {
    restart(NEVER, SOON, NEVER);
    for (String framing :
        List.of("Content-Length: 60000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nea60\r\n")) {
      late("POST /bytes HTTP/1.1\r\n" + KEY + framing, "");
      late("POST /bytes HTTP/1.1\r\n" + KEY + framing + "{", "x");
    }
    assertThat(server.served()).isZero();
  }

  @Test
  void idleConnection_isEndedWithoutAnAnswer() {
    restart(NEVER, NEVER, SOON);
    try (RawClient client = server.client()) {
      assertThat(client.send(GET).reply().status()).isEqualTo(200);
      assertThat(client.isEnded()).isTrue();
    }
  }

  @Test
  void clientThatDoesNotReadItsAnswers_isEnded() {
    restart(NEVER, NEVER, SOON);
    try (RawClient client = server.client()) {
      byte[] requests = GET.repeat(1000).getBytes(StandardCharsets.US_ASCII);
      Thread sender = Thread.ofVirtual().start(() -> {
        while (client.trySend(requests)) {
          // As long as it is taken.
        }
      });
      Eventually.await("the end", () -> !sender.isAlive());
    }
  }
}
