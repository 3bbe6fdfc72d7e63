package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More connections than the process may have descriptors: they must not end the listener. */
@Tag("slow")
class FewDescriptorsTest {
  private static final int LIMIT = 512;

  @TempDir
  Path folder;

  private ServerProcess start() {
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "ulimit -n " + LIMIT + " && exec \"$@\"", "bash"));
    command.addAll(ProgramCommand.line(
        ProgramCommand.BRIEF, "server", "--port", "0", "--store", "memory", "--slots", "10"));
    return ServerProcess.of(folder, command, Map.of()).awaitReady();
  }

  private static Socket open(String address, int port) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(address, 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 60_000);
    socket
        .getOutputStream()
        .write("GET /v1/jobs HTTP/1.1\r\nX: ".getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  @Test
  void connectionsBeyondTheLimit_leaveTheServerReachable() throws IOException {
    List<Socket> slow = new ArrayList<>();
    try (ServerProcess server = start()) {
      Client client = new Client(server.address(), server.key());
      int port = Integer.parseInt(server.address().replaceFirst(".*:", ""));
      try {
        for (int i = 0; i < 2 * LIMIT; i++) {
          slow.add(open("127.0.0." + (2 + i % 3), port));
        }
        assertThat(client.post("/v1/jobs", "{\"type\":\"a\"}").status()).isEqualTo(201);
      } finally {
        for (Socket socket : slow) {
          socket.close();
        }
      }
      assertThat(client.post("/v1/jobs", "{\"type\":\"a\"}").status()).isEqualTo(201);
      assertThat(server.err())
          .contains("236 connections may be open at once, not the 10000 of max-connections")
          .doesNotContain("Too many open files", "\tat ");
    }
  }
}
