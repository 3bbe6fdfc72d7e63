package io.sluice.server.rest;

import static io.sluice.server.rest.BareServer.GET;
import static io.sluice.server.rest.BareServer.HOST;
import static io.sluice.server.rest.BareServer.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A body that nobody reads is dropped with its connection: it fills no memory and is no request. */
class UnreadBodyTest {
  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";
  private static final byte[] PIECE = new byte[64 << 10];

  private BareServer server;

  @BeforeEach
  void start() {
    server = new BareServer(new Listen("127.0.0.1", 0, null));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Sends as much of one chunk of 2 GB as the server lets it, at most this many bytes. */
  private long flood(String head, long most, int status) {
    try (RawClient client = server.client()) {
      client.send("POST /bytes HTTP/1.1\r\n" + head + CHUNKED + "7fffffff\r\n");
      long sent = 0;
      while (sent < most && client.trySend(PIECE)) {
        sent += PIECE.length;
      }
      // Where the flood outran the answer, the reset may have taken it.
      String answer = client.rest();
      assertThat(answer).matches(text -> text.isEmpty() || text.contains(" " + status + " "));
      return sent;
    }
  }

  @Test
  void hugeChunk_isNeitherKeptNorReadToItsEnd() {
    long most = 1L << 30;
    assertThat(flood(HOST, most, 401)).as("bytes taken of a stranger").isLessThan(most);
    assertThat(flood(KEY, most, 413)).as("bytes taken of a caller").isLessThan(most);
    try (RawClient client = server.client()) {
      assertThat(client.send(GET).reply().status()).isEqualTo(200);
    }
  }

  @Test
  void chunkBeyondTheRoute_isTooLarge_andTheConnectionClosed() {
    for (String chunks : List.of(
        "20000\r\n" + "x".repeat(0x20000) + "\r\n0\r\n\r\n",
        ("8000\r\n" + "x".repeat(0x8000) + "\r\n").repeat(3) + "0\r\n\r\n")) {
      try (RawClient client = server.client()) {
        RawClient.Reply reply = client
            .send("POST /bytes HTTP/1.1\r\n" + KEY + CHUNKED + chunks + GET)
            .reply();
        assertThat(reply.status()).isEqualTo(413);
        assertThat(reply.header("connection")).isEqualTo("close");
        assertThat(reply.json().at("/code").asString()).isEqualTo("TOO_LARGE");
        assertThat(client.isEnded()).isTrue();
      }
    }
    assertThat(server.served()).isZero();
  }

  @Test
  void chunksUpToTheLimit_areTaken_whateverTheirSize() {
    for (int size : new int[] {1, 7, 4096, BareServer.MOST}) {
      String chunk = Integer.toHexString(size) + "\r\n" + "x".repeat(size) + "\r\n";
      try (RawClient client = server.client()) {
        RawClient.Reply reply = client
            .send("POST /bytes HTTP/1.1\r\n" + KEY + CHUNKED
                + chunk.repeat(Math.min(2_000, BareServer.MOST / size)) + "0\r\n\r\n" + GET)
            .reply();
        assertThat(reply.status()).as("chunks of " + size).isEqualTo(204);
        assertThat(client.reply().status()).isEqualTo(200);
      }
    }
  }

  @Test
  void refusedBody_isNeverARequest() {
    String length = "Content-Length: " + GET.length() + "\r\n";
    String expect = "Expect: 100-continue\r\n";
    String chunk = Integer.toHexString(GET.length()) + "\r\n" + GET + "\r\n0\r\n\r\n";
    for (String request : List.of(
        "POST /bytes HTTP/1.1\r\n" + HOST + length + expect + "\r\n" + GET,
        "POST /bytes HTTP/1.1\r\n" + HOST + length + "\r\n" + GET,
        "POST /bytes HTTP/1.1\r\n" + HOST + expect + CHUNKED + chunk,
        "POST /bytes HTTP/1.1\r\n" + HOST + "Expect: 100-CONTINUE\r\n" + length + "\r\n" + GET,
        "POST /nowhere HTTP/1.1\r\n" + KEY + length + expect + "\r\n" + GET,
        "PATCH /bytes HTTP/1.1\r\n" + KEY + length + expect + "\r\n" + GET,
        "GET /open HTTP/1.1\r\n" + HOST + length + expect + "\r\n" + GET,
        "GET /open HTTP/1.1\r\n" + HOST + CHUNKED + chunk,
        "POST /bytes HTTP/1.1\r\n" + KEY + "Content-Length: 9000000\r\n" + expect + "\r\n" + GET)) {
      try (RawClient client = server.client()) {
        RawClient.Reply reply = client.send(request).reply();
        assertThat(reply.status()).as(request).isBetween(401, 413);
        assertThat(reply.header("connection")).as(request).isEqualTo("close");
        assertThat(client.isEnded())
            .as("the body of " + request + " is not answered")
            .isTrue();
      }
    }
    assertThat(server.served()).isZero();
  }

  @Test
  void expectedBody_isAskedFor_andTheConnectionKept() {
    try (RawClient client = server.client()) {
      client.send(
          "POST /bytes HTTP/1.1\r\n" + KEY + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n");
      assertThat(client.reply().status()).isEqualTo(100);
      assertThat(client.send("{}").reply().status()).isEqualTo(204);
      assertThat(client.send(GET).reply().status()).isEqualTo(200);
    }
  }
}
