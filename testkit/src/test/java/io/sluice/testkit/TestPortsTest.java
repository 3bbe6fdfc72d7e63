package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testkit.TestPorts.ClosedPort;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class TestPortsTest {
  @Test
  void closedPort_refusesCallers_andCannotBeTaken() {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ClosedPort closed = TestPorts.closed()) {
      assertThatThrownBy(() -> new Socket(here, closed.number()).close())
          .isInstanceOf(ConnectException.class);
      assertThatThrownBy(() -> new ServerSocket(closed.number(), 1, here).close())
          .hasMessageContaining("in use");
    }
  }

  @Test
  void freePort_canBeTaken_andIsNoneThatTheSystemGivesAway() throws Exception {
    int port = TestPorts.free();
    assertThat(port).isBetween(1_024, 32_767);
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(taken.getLocalPort()).isEqualTo(port);
    }
  }
}
