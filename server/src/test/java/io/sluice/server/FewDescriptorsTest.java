package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More connections than the process may have descriptors: they must not end the listener. */
@Tag("slow")
class FewDescriptorsTest {
  private static final int LIMIT = 192;
  private static final int FLOODS = 8;
  private static final int CONNECTIONS_OF_A_FLOOD = 300;

  @TempDir
  Path folder;

  private ServerProcess start() {
    List<String> command =
        new ArrayList<>(List.of("bash", "-c", "ulimit -n " + LIMIT + " && exec \"$@\"", "bash"));
    command.addAll(ProgramCommand.line(
        ProgramCommand.BRIEF, "server", "--port", "0", "--store", "memory", "--slots", "10"));
    return ServerProcess.of(folder, command, Map.of()).awaitReady();
  }

  /** Opens connections from several addresses at once, faster than the server can close others. */
  private static List<Socket> flood(int port) throws Exception {
    List<Callable<List<Socket>>> floods = IntStream.range(0, FLOODS)
        .<Callable<List<Socket>>>mapToObj(i -> () -> openMany("127.0.0." + (2 + i), port))
        .toList();
    List<Socket> open = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(FLOODS)) {
      for (Future<List<Socket>> flood : threads.invokeAll(floods)) {
        open.addAll(flood.get());
      }
    }
    return open;
  }

  private static List<Socket> openMany(String address, int port) throws IOException {
    List<Socket> open = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS_OF_A_FLOOD; i++) {
      open.add(open(address, port));
    }
    return open;
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
  void connectionsBeyondTheLimit_leaveTheServerReachable() throws Exception {
    List<Socket> slow = List.of();
    try (ServerProcess server = start()) {
      Client client = new Client(server.address(), server.key());
      int port = Integer.parseInt(server.address().replaceFirst(".*:", ""));
      try {
        slow = flood(port);
        assertThat(client.post("/v1/jobs", "{\"type\":\"a\"}").status()).isEqualTo(201);
      } finally {
        for (Socket socket : slow) {
          socket.close();
        }
      }
      assertThat(client.post("/v1/jobs", "{\"type\":\"a\"}").status()).isEqualTo(201);
      assertThat(server.err())
          .contains("48 connections may be open at once, not the 10000 of max-connections")
          .doesNotContain("Too many open files", "\tat ");
    }
  }

  /** The listener ends when a connection cannot be accepted, whatever the reason. */
  @Test
  void process_endsWithItsListener() throws Exception {
    try (ServerProcess server = start()) {
      int port = Integer.parseInt(server.address().replaceFirst(".*:", ""));
      limit(server, "16:" + LIMIT);
      try (Socket notAccepted = open("127.0.0.2", port)) {
        Eventually.await("its listener ends", () -> server.err().contains("Too many open files"));
        assertThat(notAccepted.isConnected()).isTrue();
      }
      limit(server, LIMIT + ":" + LIMIT);
      assertThat(server.exit()).as(server.err()).isEqualTo(1);
    }
  }

  private static void limit(ServerProcess server, String files) throws Exception {
    List<String> command = List.of("prlimit", "--pid", "" + server.pid(), "--nofile=" + files);
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }
}
