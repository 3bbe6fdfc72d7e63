package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hundred clients that enqueue one job after the other, as fast as they get answers. */
@Tag("long")
class LoadTest {
  private static final int CLIENTS = 100;
  private static final Duration TIME = Duration.ofSeconds(Long.getLong("sluice.load.seconds", 60));

  @TempDir
  Path folder;

  @Test
  void hundredClients_loseNothing_andWaitForNothingLong() throws Exception {
    String[] flags = {"server", "--port", "0", "--slots", "10"};
    try (ServerProcess server =
            ServerProcess.run(folder, List.of("-Xmx256m"), flags).awaitReady();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Client admin = new Client(server.address(), server.key());
      long end = System.nanoTime() + TIME.toNanos();
      List<Future<List<Long>>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(threads.submit(() -> enqueueUntil(end, server)));
      }
      List<Long> times = new ArrayList<>();
      for (Future<List<Long>> client : clients) {
        times.addAll(client.get());
      }
      long kept = admin.get("/v1/stats").body().at("/byState/PENDING").asLong();
      long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
      System.out.printf(
          "%d jobs in %d s (%d/s): p50 %.1f ms, p99 %.1f ms, p99.9 %.1f ms, maximum %.1f ms%n",
          sorted.length,
          TIME.toSeconds(),
          sorted.length / TIME.toSeconds(),
          millis(sorted, 0.5),
          millis(sorted, 0.99),
          millis(sorted, 0.999),
          millis(sorted, 1));
      assertThat(kept)
          .as("jobs in the store, of those that were answered 201")
          .isEqualTo(sorted.length);
      assertThat(millis(sorted, 0.999)).as("p99.9 in ms").isLessThan(500);
      assertThat(LongStream.of(sorted).min().orElse(0)).isPositive();
    }
  }

  private static double millis(long[] sorted, double share) {
    return sorted[(int) Math.max(0, Math.ceil(sorted.length * share) - 1)] / 1e6;
  }

  /** One client on one connection; every answer must be 201. */
  private static List<Long> enqueueUntil(long end, ServerProcess server) throws IOException {
    URI address = URI.create(server.address());
    byte[] body =
        "{\"type\":\"load.test\",\"payload\":{\"order\":42}}".getBytes(StandardCharsets.UTF_8);
    byte[] head = ("POST /v1/jobs HTTP/1.1\r\nHost: " + address.getAuthority()
            + "\r\nAuthorization: Bearer " + server.key()
            + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
    byte[] request = new byte[head.length + body.length];
    System.arraycopy(head, 0, request, 0, head.length);
    System.arraycopy(body, 0, request, head.length, body.length);
    List<Long> times = new ArrayList<>();
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      while (System.nanoTime() - end < 0) {
        long began = System.nanoTime();
        socket.getOutputStream().write(request);
        assertThat(status(in)).startsWith("HTTP/1.1 201");
        times.add(System.nanoTime() - began);
      }
    }
    return times;
  }

  /** Reads an answer to its end and returns its first line. */
  private static String status(InputStream in) throws IOException {
    String status = line(in);
    int length = 0;
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      if (header.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Integer.parseInt(header.substring(15).strip());
      }
    }
    in.skipNBytes(length);
    return status;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the connection ended");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
