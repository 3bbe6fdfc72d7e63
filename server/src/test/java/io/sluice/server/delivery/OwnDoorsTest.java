package io.sluice.server.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnDoorsTest {
  private final Map<String, String> names = new HashMap<>();

  private InetAddress[] find(String host) throws UnknownHostException {
    String address = names.get(host);
    if (address == null) {
      throw new UnknownHostException(host);
    }
    return new InetAddress[] {InetAddress.getByName(address)};
  }

  private static InetSocketAddress door(String address, int port) {
    return new InetSocketAddress(address, port);
  }

  @Test
  void everyHostOfTheUrl_isClosed() {
    names.putAll(Map.of("a", "10.0.0.1", "b", "10.0.0.2", "localhost", "127.0.0.1"));
    try (OwnDoors two = new OwnDoors("jdbc:postgresql://a:6000,b/db?x=1", this::find);
        OwnDoors here = new OwnDoors("jdbc:postgresql:db", this::find)) {
      assertThat(two.doors())
          .containsExactlyInAnyOrder(door("10.0.0.1", 6000), door("10.0.0.2", 5432));
      assertThat(here.doors()).containsExactly(door("127.0.0.1", 5432));
    }
  }

  @Test
  void addressAfterAFailover_isClosedToo_andTheOneBeforeStaysClosed() {
    names.put("db", "10.0.0.1");
    try (OwnDoors own = new OwnDoors("jdbc:postgresql://db/sluice", this::find)) {
      names.put("db", "10.0.0.2");
      own.look();
      assertThat(own.doors())
          .containsExactlyInAnyOrder(door("10.0.0.1", 5432), door("10.0.0.2", 5432));
    }
  }

  @Test
  void hostWithoutAnAddressForAWhile_isClosedAsSoonAsItHasOne() {
    try (OwnDoors own = new OwnDoors("jdbc:postgresql://db/sluice", this::find)) {
      assertThat(own.doors()).isEmpty();
      names.put("db", "10.0.0.1");
      own.look();
      names.clear();
      own.look();
      assertThat(own.doors()).containsExactly(door("10.0.0.1", 5432));
    }
  }
}
