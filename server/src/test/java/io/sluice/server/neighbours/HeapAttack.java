package io.sluice.server.neighbours;

import io.sluice.server.access.Role;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests that need much memory: lists of jobs of 1 MiB, a job that waits for many with results of 1 MiB, and uploads that
 * stall just before their end. Each of them once ended the process.
 */
record HeapAttack() implements Attack {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final int BATCHES = 9;
  private static final int READERS = 10;
  private static final int MOST_READS = 2_000;
  private static final int RESULTS = 100;
  private static final int UPLOADS = 30;
  private static final int MOST_ROUNDS = 12;
  private static final Duration STALL = Duration.ofSeconds(5);

  @Override
  public String title() {
    return "3 heap";
  }

  @Override
  public void run(Attacker attacker) {
    byte[] batch = LargeJobs.batch();
    attacker.repeat(1, BATCHES, () -> {
      if (attacker.post(Role.PRODUCER, "/v1/jobs/batch", batch).status() == 503) {
        attacker.pause(Duration.ofSeconds(1));
      }
    });
    attacker.repeat(READERS, MOST_READS, () -> {
      attacker.get(Role.VIEWER, "/v1/jobs?limit=250&full=true");
      attacker.get(Role.VIEWER, "/v1/jobs?limit=250");
      attacker.get(Role.VIEWER, "/v1/stats");
    });
    attacker.repeat(1, 1, () -> explain(attacker));
    attacker.repeat(1, MOST_ROUNDS, () -> stall(attacker));
  }

  /** Completes jobs with large results and asks why a job waits that comes after all of them. */
  private static void explain(Attacker attacker) throws InterruptedException {
    String jobs = IntStream.range(0, RESULTS)
        .mapToObj(i -> "{\"type\":\"result\"}")
        .collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
    attacker.post(Role.PRODUCER, "/v1/jobs/batch", jobs);
    List<String> after = new ArrayList<>();
    after.add(
        id(attacker.post(Role.PRODUCER, "/v1/jobs", "{\"type\":\"never\",\"delay\":\"10h\"}")));
    complete(attacker, after);
    String ids = after.stream().map(id -> "\"" + id + "\"").collect(Collectors.joining(","));
    String last =
        id(attacker.post(Role.PRODUCER, "/v1/jobs", "{\"type\":\"sum\",\"after\":[" + ids + "]}"));
    attacker.repeat(
        2, MOST_READS, () -> attacker.get(Role.VIEWER, "/v1/jobs/" + last + "/explain"));
  }

  private static void complete(Attacker attacker, List<String> done) throws InterruptedException {
    String result = "{\"result\":" + LargeJobs.mebibyte() + "}";
    for (int tries = 0; tries < RESULTS && done.size() < RESULTS; tries++) {
      Attacker.Got claimed = attacker.post(
          Role.WORKER,
          "/v1/queues/default/claim",
          "{\"worker\":\"w\",\"max\":20,\"types\":[\"result\"],\"leaseFor\":\"10m\"}");
      if (claimed.status() != 200) {
        attacker.pause(Duration.ofMillis(500));
        continue;
      }
      for (JsonNode item : MAPPER.readTree(claimed.body()).path("items")) {
        String lease = item.path("lease").asString();
        attacker.post(Role.WORKER, "/v1/leases/" + lease + "/complete", result);
        done.add(item.at("/job/id").asString());
      }
    }
  }

  private static String id(Attacker.Got enqueued) {
    return enqueued.status() == 201
        ? MAPPER.readTree(enqueued.body()).path("id").asString()
        : "none";
  }

  /** Uploads that send nearly all that they announced, and then nothing for some seconds. */
  private static void stall(Attacker attacker) throws IOException, InterruptedException {
    byte[] head = ("POST /v1/jobs/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
            + attacker.tenant().as(Role.PRODUCER).key()
            + "\r\nContent-Length: " + 32 * LargeJobs.MIB + "\r\n\r\n{\"jobs\":[\"")
        .getBytes(StandardCharsets.US_ASCII);
    byte[] mebibyte = "a".repeat(LargeJobs.MIB).getBytes(StandardCharsets.US_ASCII);
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < UPLOADS; i++) {
        Socket socket = attacker.connect();
        sockets.add(socket);
        attacker.repeat(1, 1, () -> send(attacker, socket, head, mebibyte));
      }
      attacker.pause(STALL);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static void send(Attacker attacker, Socket socket, byte[] head, byte[] mebibyte) {
    try {
      socket.getOutputStream().write(head);
      for (int i = 0; i < 31; i++) {
        socket.getOutputStream().write(mebibyte);
      }
      attacker.count("upload stalls");
    } catch (IOException e) {
      // Refused and closed by the server, or closed after its time.
      attacker.count("upload closed");
    }
  }
}
