package io.sluice.server.rest;

import static io.sluice.server.rest.BareServer.GET;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.listener.ConnectionBounds;
import io.sluice.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** More connections than there may be: who opens many makes room, who opens few is served. */
class ConnectionLimitsTest {
  private static final Duration NEVER = Duration.ofMinutes(30);

  private final List<RawClient> clients = new ArrayList<>();
  private BareServer server = start(100, 100);

  private static BareServer start(int connections, int perAddress) {
    return new BareServer(new Listen("127.0.0.1", 0, null)
        .with(new ConnectionBounds(connections, perAddress, NEVER, NEVER, NEVER)));
  }

  private void restart(int connections, int perAddress) {
    server.close();
    server = start(connections, perAddress);
  }

  @AfterEach
  void stop() {
    clients.forEach(RawClient::close);
    server.close();
  }

  /** Opens connections that begin a request and do not go on. */
  private List<RawClient> open(String address, int count) {
    List<RawClient> opened = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      opened.add(RawClient.from(address, server.port()).send("GET /open HTTP/1.1\r\nX: "));
    }
    clients.addAll(opened);
    return opened;
  }

  private void served(RawClient client) {
    assertThat(client.send(GET).reply().status()).isEqualTo(200);
  }

  @Test
  void manyConnectionsOfSomeAddresses_leaveRoomForAnother() {
    restart(20, 20);
    RawClient early = RawClient.from("127.0.0.1", server.port());
    clients.add(early);
    served(early);
    for (int i = 2; i <= 6; i++) {
      open("127.0.0." + i, 20);
      served(early);
      try (RawClient late = RawClient.from("127.0.0.1", server.port())) {
        served(late);
      }
    }
    Eventually.await("no more than may be", () -> server.rest().connections() <= 20);
    clients.forEach(RawClient::close);
    clients.clear();
    Eventually.await("all ended", () -> server.rest().connections() == 0);
    try (RawClient after = server.client()) {
      served(after);
    }
  }

  @Test
  void oneAddress_takesRoomFromItselfOnly() {
    restart(100, 5);
    List<RawClient> others = open("127.0.0.3", 5);
    List<RawClient> own = open("127.0.0.2", 10);
    for (RawClient client : own.subList(0, 5)) {
      assertThat(client.isEnded()).isTrue();
    }
    for (RawClient client : own.subList(5, 10)) {
      assertThat(client.send("\r\nHost: a\r\n\r\n").reply().status()).isEqualTo(200);
    }
    for (RawClient client : others) {
      assertThat(client.send("\r\nHost: a\r\n\r\n").reply().status()).isEqualTo(200);
    }
  }

  @Test
  void bounds_areLoweredToWhatDescriptorsAndHeapAllow() {
    ConnectionBounds asked = ConnectionBounds.DEFAULT;
    assertThat(asked.connections()).isEqualTo(10_000);
    assertThat(asked.perAddress()).isEqualTo(2_000);
    assertThat(asked.head()).isEqualTo(Duration.ofSeconds(20));
    assertThat(asked.body()).isEqualTo(Duration.ofSeconds(60));
    assertThat(asked.within(1_000_000, 100)).isEqualTo(asked);
    assertThat(asked.within(1_024, 100).connections()).isEqualTo(568);
    assertThat(asked.within(1_024, 100).perAddress()).isEqualTo(568);
    assertThat(asked.within(256, 100).connections()).isEqualTo(64);
    assertThat(asked.withinHeap(1L << 30, false)).isEqualTo(asked);
    assertThat(asked.withinHeap(256L << 20, false).connections()).isEqualTo(3_276);
    assertThat(asked.withinHeap(256L << 20, true).connections()).isEqualTo(655);
  }
}
