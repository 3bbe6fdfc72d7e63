package io.sluice.server.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.helidon.webserver.CloseConnectionException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the web server gets must not depend on the pieces in which the network delivers it. */
class RequestFilterTest {
  private static final String TWO_REQUESTS =
      "\r\nPOST /a?b=c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "5;x=y\r\nhello\r\n00000a\r\n, world!!!\r\n0\r\nT: 1\r\n\r\n"
          + "PUT http://other/x HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody"
          + "GET /c HTTP/1.0\r\n\r\n";

  private final List<HttpRefusal> refused = new ArrayList<>();

  /** The filter over these bytes, in pieces of this size. */
  private RequestFilter filter(String text, int piece) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    List<byte[]> pieces = new ArrayList<>();
    for (int at = 0; at < bytes.length; at += piece) {
      pieces.add(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + piece)));
    }
    Iterator<byte[]> wire = pieces.iterator();
    InetSocketAddress end = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    ClientConnection connection = new ClientConnection(
        new ClientConnection.Ends(end, end),
        ClientAddress.of(end.getAddress()),
        SocketChannel.open(),
        System::nanoTime);
    return new RequestFilter(() -> wire.hasNext() ? wire.next() : null, connection, refused::add);
  }

  private static String all(RequestFilter filter) {
    StringBuilder all = new StringBuilder();
    for (byte[] piece = filter.get(); piece != null; piece = filter.get()) {
      all.append(new String(piece, StandardCharsets.ISO_8859_1));
    }
    return all.toString();
  }

  @Test
  void requests_areTheSame_whateverThePieces() throws IOException {
    String expected = "POST /a?b=c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "5\r\nhello\r\na\r\n, world!!!\r\n0\r\n\r\n"
        + "PUT /x HTTP/1.1\r\nContent-Length: 4\r\nHost: other\r\n\r\nbody"
        + "GET /c HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assertThat(all(filter(TWO_REQUESTS, 10_000))).isEqualTo(expected);
    for (int piece = 1; piece < TWO_REQUESTS.length(); piece++) {
      String got = all(filter(TWO_REQUESTS, piece));
      assertThat(unchunked(got)).as("pieces of " + piece).isEqualTo(unchunked(expected));
    }
    assertThat(refused).isEmpty();
  }

  /** The text without the sizes and ends of chunks, which depend on the pieces. */
  private static String unchunked(String text) {
    int begin = text.indexOf("\r\n\r\n") + 4;
    int end = text.indexOf("0\r\n\r\n", begin);
    StringBuilder body = new StringBuilder();
    int at = begin;
    while (at < end) {
      int line = text.indexOf("\r\n", at);
      int size = Integer.parseInt(text.substring(at, line), 16);
      body.append(text, line + 2, line + 2 + size);
      at = line + 2 + size + 2;
    }
    return text.substring(0, begin) + body + text.substring(end);
  }

  @Test
  void piecesOfABody_areNoLargerThanWhatWasRead() throws IOException {
    String body = "x".repeat(1 << 20);
    RequestFilter filter = filter(
        "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n" + body
            + "\r\n0\r\n\r\n",
        4096);
    for (byte[] piece = filter.get(); piece != null; piece = filter.get()) {
      assertThat(piece.length).isLessThan(4096 + 16);
    }
  }

  @Test
  void chunk_thatDoesNotEndWhereItSays_isRefused() throws IOException {
    for (String end : List.of("o\r\n", "\r0", "\n0", "\n\r")) {
      RequestFilter filter = filter(
          "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhell" + end
              + "0\r\n\r\n",
          10_000);
      assertThat(catchThrowable(() -> all(filter)))
          .isInstanceOfSatisfying(
              HttpRefusal.class,
              refusal -> assertThat(refusal.detail())
                  .isEqualTo("a chunk of the body is not as long as it says"));
    }
  }

  @Test
  void refusedHead_isAnsweredOnce_andEndsTheConnection() throws IOException {
    RequestFilter filter = filter("GET /a;b HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\n", 7);
    assertThat(catchThrowable(filter::get)).isInstanceOf(CloseConnectionException.class);
    assertThat(refused).hasSize(1);
    assertThat(refused.getFirst().status()).isEqualTo(400);
    assertThat(filter.leavesSomething()).isTrue();
  }

  @Test
  void address_isAnIpv4Address_orTheNetworkOfAnIpv6Address() throws IOException {
    assertThat(ClientAddress.of(InetAddress.getByName("127.0.0.2"))).hasToString("127.0.0.2");
    assertThat(ClientAddress.of(InetAddress.getByName("2001:db8:0:7:1:2:3:4")))
        .isEqualTo(ClientAddress.of(InetAddress.getByName("2001:db8:0:7:ffff::1")))
        .isNotEqualTo(ClientAddress.of(InetAddress.getByName("2001:db8:0:8::1")))
        .hasToString("2001:db8:0:7::/64");
  }
}
