package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IdleLinksTest {
  private static final IdleLinks.Key KEY =
      new IdleLinks.Key(Party.of("acme"), "http://example.com");
  private static final IdleLinks.Key OTHER =
      new IdleLinks.Key(Party.of("other"), "http://example.com");

  private final AtomicLong nanos = new AtomicLong();
  private final IdleLinks links = new IdleLinks(nanos::get, 2);
  private final List<Socket> farEnds = new ArrayList<>();
  private ServerSocket server;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    links.close();
    server.close();
    for (Socket socket : farEnds) {
      socket.close();
    }
  }

  private Link link() throws IOException {
    Link link = new Link(new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort()), null);
    farEnds.add(server.accept());
    return link;
  }

  @Test
  void link_isTakenOnce_underItsOwnKey() throws IOException {
    Link link = link();
    links.keep(KEY, link);

    assertThat(links.take(OTHER)).isEmpty();
    assertThat(links.take(KEY)).hasValue(link);
    assertThat(links.take(KEY)).isEmpty();
    link.drop();
  }

  @Test
  void newestLink_isTakenFirst() throws IOException {
    Link old = link();
    Link young = link();
    links.keep(KEY, old);
    links.keep(KEY, young);

    assertThat(links.take(KEY)).hasValue(young);
    assertThat(links.take(KEY)).hasValue(old);
    old.drop();
    young.drop();
  }

  @Test
  void linkThatRestedTooLong_isDropped_whenTakenOrTidied() throws IOException {
    Link taken = link();
    Link tidied = link();
    links.keep(KEY, taken);
    links.keep(OTHER, tidied);
    nanos.addAndGet(Duration.ofSeconds(29).toNanos());
    links.tidy();
    assertThat(links.size()).isEqualTo(2);

    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(links.take(KEY)).isEmpty();
    links.tidy();

    assertThat(links.size()).isZero();
    assertThat(taken.socket().isClosed()).isTrue();
    assertThat(tidied.socket().isClosed()).isTrue();
  }

  @Test
  void linkThatTheOtherSideClosed_isDropped() throws IOException {
    Link link = link();
    links.keep(KEY, link);
    farEnds.getFirst().close();

    assertThat(links.take(KEY)).isEmpty();
    assertThat(link.socket().isClosed()).isTrue();
  }

  @Test
  void noMoreThanThereIsRoomFor_areKept_andNoneAfterTheEnd() throws IOException {
    links.keep(KEY, link());
    links.keep(KEY, link());
    Link tooMany = link();
    links.keep(KEY, tooMany);
    assertThat(tooMany.socket().isClosed()).isTrue();
    assertThat(links.size()).isEqualTo(2);

    links.close();

    assertThat(links.size()).isZero();
    Link late = link();
    links.keep(KEY, late);
    assertThat(late.socket().isClosed()).isTrue();
  }
}
