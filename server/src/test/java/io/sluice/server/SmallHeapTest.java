package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.io.OutputStream;
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
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A server with a heap of 256 MiB under requests near every limit: it answers all of them and goes on. */
@Tag("slow")
class SmallHeapTest {
  private static final int MIB = 1 << 20;
  private static final int BATCH = 30;
  private static final int LARGEST_ANSWER = 9 * MIB;
  private static final Duration LONG = Duration.ofMinutes(3);
  /** As the launcher has it: without memory, the process ends. */
  private static final List<String> OPTIONS =
      List.of("-Xmx256m", "-XX:G1HeapRegionSize=4m", "-XX:+ExitOnOutOfMemoryError");

  /** How much of everything. */
  private record Size(int jobs, int callers, int predecessors, int uploads) {}

  @TempDir
  Path folder;

  private ServerProcess server;
  private Client big;
  private Client victim;

  @Test
  void largeWork_doesNotEndTheServer() throws Exception {
    run(new Size(60, 4, 20, 6));
  }

  @Test
  @Tag("long")
  void largestWork_doesNotEndTheServer() throws Exception {
    run(new Size(270, 10, 300, 30));
  }

  private void run(Size size) throws Exception {
    try (ServerProcess process =
            ServerProcess.run(folder, OPTIONS, "server", "--port", "0").awaitReady();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      server = process;
      big = tenant("big");
      victim = tenant("victim");
      enqueue(size.jobs());
      lists(size, threads);
      List<String> done = pull(size);
      workflows(done);
      uploads(size, threads);
      assertThat(big.get("/v1/stats").status()).isEqualTo(200);
      assertThat(process.stop()).as(process.err()).isZero();
    }
  }

  private Client tenant(String name) {
    Client admin = new Client(server.address(), server.key());
    assertThat(admin.post("/v1/tenants", "{\"name\":\"" + name + "\"}").status())
        .isEqualTo(201);
    return admin.forTenant(name);
  }

  private static String mebibyte() {
    return "\"" + "x".repeat(MIB - 20) + "\"";
  }

  /** Asks until there is memory for it; every answer in between says that there is none. */
  private static Client.Reply patiently(Supplier<Client.Reply> call) {
    List<Client.Reply> last = new ArrayList<>();
    Eventually.await("an answer", LONG, () -> {
      Client.Reply reply = call.get();
      if (reply.status() == 503) {
        assertThat(reply.text("/code")).isEqualTo("OVERLOADED");
        assertThat(reply.header("retry-after")).isNotEmpty();
        return false;
      }
      return last.add(reply);
    });
    return last.getFirst();
  }

  private void others() {
    Client.Reply taken = victim.post("/v1/jobs", "{\"type\":\"small\"}");
    assertThat(taken.status()).isEqualTo(201);
    assertThat(victim.get("/v1/jobs/" + taken.text("/id")).status()).isEqualTo(200);
  }

  private void enqueue(int jobs) {
    String job = "{\"type\":\"large\",\"payload\":" + mebibyte() + "}";
    String batch = Stream.generate(() -> job)
        .limit(BATCH)
        .collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
    for (int i = 0; i < jobs; i += BATCH) {
      assertThat(patiently(() -> big.post("/v1/jobs/batch", batch)).status()).isEqualTo(201);
      others();
    }
  }

  private void lists(Size size, ExecutorService threads) throws Exception {
    List<Future<?>> callers = new ArrayList<>();
    for (int i = 0; i < size.callers(); i++) {
      callers.add(threads.submit(() -> {
        JsonNode slim = patiently(() -> big.get("/v1/jobs?limit=250")).body();
        assertThat(slim.path("items").size()).isEqualTo(Math.min(250, size.jobs()));
        assertThat(slim.at("/items/0").has("payload")).isFalse();
        Client.Reply full = patiently(() -> big.get("/v1/jobs?limit=250&full=true"));
        assertThat(full.raw().body().length()).isBetween(2 * MIB, 4 * MIB);
        assertThat(full.body().path("nextCursor").isString()).isTrue();
        return slim;
      }));
    }
    for (Future<?> caller : callers) {
      others();
      caller.get();
    }
  }

  /** Pulls jobs, many at a time, and completes some of them with large results. */
  private List<String> pull(Size size) {
    List<String> done = new ArrayList<>();
    String result = "{\"result\":" + mebibyte() + "}";
    while (done.size() < size.predecessors()) {
      String body = "{\"worker\":\"w\",\"max\":100,\"leaseFor\":\"10m\"}";
      Client.Reply claimed = patiently(() -> big.post("/v1/queues/default/claim", body));
      assertThat(claimed.status()).isEqualTo(200);
      assertThat(claimed.raw().body().length()).isLessThanOrEqualTo(LARGEST_ANSWER);
      JsonNode items = claimed.body().path("items");
      if (items.isEmpty()) {
        return done;
      }
      for (JsonNode item : items) {
        assertThat(item.at("/job/attempt").asInt()).isEqualTo(1);
        String lease = item.path("lease").asString();
        assertThat(patiently(() -> big.post("/v1/leases/" + lease + "/complete", result))
                .status())
            .isEqualTo(200);
        done.add(item.at("/job/id").asString());
      }
    }
    return done;
  }

  private void workflows(List<String> done) {
    String last = big.post("/v1/jobs", "{\"type\":\"never\",\"delay\":\"20h\"}").text("/id");
    String ids = done.stream().map(id -> "\"" + id + "\"").collect(Collectors.joining(","));
    String waits = after(ids + ",\"" + last + "\"", "waits");
    assertThat(big.get("/v1/jobs/" + waits + "/explain").text("/reasons/0/code"))
        .isEqualTo("WAITS_FOR");
    assertThat(big.get("/v1/jobs/" + waits + "/graph").status()).isEqualTo(200);
    String sum = after(ids, "sum");
    String claim = "{\"worker\":\"w\",\"types\":[\"sum\"]}";
    Eventually.await("the job fails", LONG, () -> {
      assertThat(big.post("/v1/queues/default/claim", claim).body().path("items"))
          .isEmpty();
      return big.get("/v1/jobs/" + sum).text("/state").equals("DEAD");
    });
    assertThat(big.get("/v1/jobs/" + sum).text("/errors/0/code")).isEqualTo("RESULTS_TOO_LARGE");
    assertThat(big.get("/v1/queues/default/metrics").status()).isEqualTo(200);
    others();
  }

  private String after(String ids, String type) {
    Client.Reply taken =
        big.post("/v1/jobs", "{\"type\":\"" + type + "\",\"after\":[" + ids + "]}");
    assertThat(taken.status()).isEqualTo(201);
    return taken.text("/id");
  }

  /** Uploads that send nearly all they have announced and then nothing. */
  private void uploads(Size size, ExecutorService threads) throws Exception {
    List<Socket> sockets = new ArrayList<>();
    List<Future<?>> senders = new ArrayList<>();
    URI address = URI.create(server.address());
    String head = "POST /v1/jobs/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + server.key()
        + "\r\nSluice-Tenant: big\r\nContent-Length: " + 32 * MIB + "\r\n\r\n{\"jobs\":[\"";
    for (int i = 0; i < size.uploads(); i++) {
      Socket socket = new Socket(address.getHost(), address.getPort());
      sockets.add(socket);
      senders.add(threads.submit(() -> send(socket, head)));
    }
    try {
      Eventually.await("some uploads stall", LONG, () -> {
        others();
        Client.Reply more = big.post("/v1/jobs", "{\"type\":\"t\",\"payload\":" + mebibyte() + "}");
        return more.status() == 503 && more.text("/code").equals("OVERLOADED");
      });
      assertThat(victim
              .post("/v1/jobs", "{\"type\":\"t\",\"payload\":" + mebibyte() + "}")
              .status())
          .isEqualTo(201);
      assertThat(victim.get("/v1/jobs?full=true").status()).isEqualTo(200);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
    for (Future<?> sender : senders) {
      sender.get();
    }
    enqueue(BATCH);
  }

  private static boolean send(Socket socket, String head) {
    try {
      OutputStream out = socket.getOutputStream();
      out.write(head.getBytes(StandardCharsets.US_ASCII));
      byte[] mebibyte = "a".repeat(MIB).getBytes(StandardCharsets.US_ASCII);
      for (int i = 0; i < 31; i++) {
        out.write(mebibyte);
      }
      return true;
    } catch (IOException e) {
      // Refused, and the connection closed; or closed by the test.
      return false;
    }
  }
}
