package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.listener.Descriptors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of slow connections from many addresses, and one honest client beside them. */
@Tag("long")
class SlowCrowdTest {
  private static final boolean LONG = "long".equals(System.getProperty("sluice.tier"));
  private static final int PROCESSES = 4;
  private static final int ROUNDS = 20;

  /** Files that a process has open besides. */
  private static final int OTHER_FILES = 200;

  @TempDir
  Path folder;

  private static int clientsOfAProcess() {
    long limit = Descriptors.limit().orElse(Long.MAX_VALUE);
    return Math.clamp(limit - OTHER_FILES, 1, LONG ? 5_000 : 500);
  }

  /** Addresses of 127.0.0.2 to 127.0.0.20, those of one process. */
  private static List<String> addresses(int process) {
    return IntStream.rangeClosed(2, 20)
        .filter(last -> last % PROCESSES == process)
        .mapToObj(last -> "127.0.0." + last)
        .toList();
  }

  @Test
  void honestClient_isServedThroughoutAndAfter() {
    List<SlowCrowd> crowds = new ArrayList<>();
    try (ServerProcess server = ServerProcess.run(
            folder, List.of("-Xmx256m"), "server", "--port", "0", "--store", "memory")
        .awaitReady()) {
      Client honest = new Client(server.address(), server.key());
      int port = Integer.parseInt(server.address().replaceFirst(".*:", ""));
      try {
        for (int i = 0; i < PROCESSES; i++) {
          crowds.add(SlowCrowd.start(port, clientsOfAProcess(), addresses(i)));
          serve(honest, port);
        }
        crowds.forEach(SlowCrowd::awaitCount);
        for (int round = 0; round < ROUNDS; round++) {
          int alive = crowds.stream().mapToInt(SlowCrowd::drip).sum();
          System.out.printf("round %d: %d slow connections had stayed%n", round, alive);
          serve(honest, port);
        }
      } finally {
        crowds.forEach(SlowCrowd::close);
      }
      serve(honest, port);
      assertThat(honest.get("/v1/stats").body().at("/byState/PENDING").asInt())
          .isEqualTo(10 * (PROCESSES + ROUNDS + 1));
      assertThat(server.err()).doesNotContain("ERROR", "\tat ", "Too many open files");
      assertThat(server.stop()).isZero();
    }
  }

  /** On a kept connection and on new ones: every request must be served. */
  private static void serve(Client honest, int port) {
    for (int i = 0; i < 10; i++) {
      assertThat(honest.post("/v1/jobs", "{\"type\":\"honest\"}").status()).isEqualTo(201);
      assertThat(onNewConnection(port)).startsWith("HTTP/1.1 200 ");
    }
  }

  private static String onNewConnection(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      socket
          .getOutputStream()
          .write("GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
