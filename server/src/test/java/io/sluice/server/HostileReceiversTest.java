package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.HostileReceiver.Kind;
import io.sluice.testkit.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A hundred attempts at once with receivers that mean harm, beside honest ones. Prints the rate of honest
 * deliveries with and without them, by turns in one run.
 */
@Tag("long")
class HostileReceiversTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int AT_ONCE = 100;
  private static final int HONEST = 8_000;
  private static final int ROUNDS = 7;
  private static final int WARM_UP = 4;
  private static final long MIB = 1 << 20;

  @TempDir
  Path folder;

  private final Map<Kind, HostileReceiver> hostile = new EnumMap<>(Kind.class);
  private final List<String> hostileJobs = new ArrayList<>();
  private final List<Double> alone = new ArrayList<>();
  private final List<Double> beside = new ArrayList<>();
  private int sent;

  @Test
  void hostileReceivers_endByTheirTime_takeNoMemory_andLeaveOthersAlone() throws Exception {
    try (SlowReceiver honest = new SlowReceiver(Duration.ZERO);
        ServerProcess server = ServerProcess.run(
                folder,
                List.of("-Xmx256m"),
                "server",
                "--port",
                "0",
                "--slots",
                "200",
                "--allow-target",
                "127.0.0.0/8")
            .awaitReady()) {
      Client client = new Client(server.address(), server.key());
      prepare(client, honest);
      for (int i = 0; i < WARM_UP; i++) {
        deliver(client, honest);
      }
      attack(client);
      ended(client);
      Heap heap = new Heap(server.pid());
      long before = heap.usedAfterCollection();
      long most = before;
      for (int round = 0; round < ROUNDS; round++) {
        alone.add(deliver(client, honest));
        attack(client);
        most = Math.max(most, heap.usedAfterCollection());
        beside.add(deliver(client, honest));
        assertThat(inHand())
            .as("hostile attempts under way at the end of the round")
            .isPositive();
        ended(client);
      }
      report(client, before, most);
      assertThat(hostile.get(Kind.GIGABYTE).refusals())
          .as("gigabytes broken off")
          .isPositive();
      assertThat(hostile.get(Kind.ENDLESS_HEADERS).refusals())
          .as("headers broken off")
          .isPositive();
      assertThat(most - before).as("growth of the heap in bytes").isLessThan(50 * MIB);
    } finally {
      for (HostileReceiver receiver : hostile.values()) {
        receiver.close();
      }
    }
  }

  private void prepare(Client client, SlowReceiver honest) {
    for (Kind kind : Kind.values()) {
      HostileReceiver receiver = new HostileReceiver(kind);
      hostile.put(kind, receiver);
      created(client.post(
          "/v1/url-groups",
          "{\"name\":\"" + name(kind) + "\",\"baseUrl\":\"" + receiver.url() + "\"}"));
    }
    created(client.post(
        "/v1/url-groups", "{\"name\":\"honest\",\"baseUrl\":\"" + honest.url() + "\"}"));
    created(client.post("/v1/queues", "{\"name\":\"honest\"}"));
    created(client.post("/v1/queues", "{\"name\":\"hostile\"}"));
  }

  private static String name(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static JsonNode created(Client.Reply reply) {
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(201);
    return reply.body();
  }

  /** Honest deliveries a second, from the moment that they may go to the last one's arrival. */
  private double deliver(Client client, SlowReceiver honest) {
    client.post("/v1/queues/honest/pause", null);
    String jobs = IntStream.range(sent, sent + HONEST)
        .mapToObj(i -> "{\"queue\":\"honest\",\"urlGroup\":\"honest\",\"path\":\"/" + i + "\"}")
        .collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
    created(client.post("/v1/jobs/batch", jobs));
    sent += HONEST;
    long began = System.nanoTime();
    client.post("/v1/queues/honest/resume", null);
    Eventually.await("all honest ones", PATIENCE, () -> honest.requests() >= sent);
    return HONEST * 1e9 / (System.nanoTime() - began);
  }

  /** Puts a hundred in the hands of receivers that hold them, and some in the hands of all others. */
  private void attack(Client client) {
    List<String> jobs = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      boolean holds = kind == Kind.NEVER_ANSWERS || kind == Kind.BYTE_A_SECOND;
      for (int i = 0; i < (holds ? AT_ONCE / 2 : 10); i++) {
        jobs.add("{\"queue\":\"hostile\",\"urlGroup\":\"" + name(kind)
            + "\",\"path\":\"/\",\"timeout\":\"" + LIMIT.toSeconds()
            + "s\",\"retry\":{\"strategy\":\"none\"}}");
      }
    }
    JsonNode made =
        created(client.post("/v1/jobs/batch", "{\"jobs\":[" + String.join(",", jobs) + "]}"));
    made.path("items").forEach(item -> hostileJobs.add(item.path("id").asString()));
    Eventually.await("a hundred hang", PATIENCE, () -> inHand() >= AT_ONCE);
  }

  private int inHand() {
    return hostile.values().stream().mapToInt(HostileReceiver::open).sum();
  }

  private void ended(Client client) {
    Eventually.await(
        "all hostile ones ended",
        PATIENCE,
        () -> client
                .get("/v1/queues/hostile/metrics")
                .body()
                .at("/byState/RUNNING")
                .asLong()
            == 0);
  }

  /** Prints the figures; each attempt must have ended by its limit and a second. */
  private void report(Client client, long before, long most) {
    Duration longest = Duration.ZERO;
    Map<String, Integer> outcomes = new TreeMap<>();
    for (String id : hostileJobs) {
      JsonNode job = client.get("/v1/jobs/" + id).body();
      Instant started = Instant.parse(job.path("startedAt").asString());
      Duration took =
          Duration.between(started, Instant.parse(job.path("finishedAt").asString()));
      longest = took.compareTo(longest) > 0 ? took : longest;
      outcomes.merge(
          job.path("urlGroup").asString() + " " + job.path("state").asString(), 1, Integer::sum);
    }
    List<Double> kept = IntStream.range(0, ROUNDS)
        .mapToObj(round -> beside.get(round) / alone.get(round))
        .toList();
    System.out.printf(
        "%d hostile attempts, limit %s, longest %s; heap %.1f MiB, then at most %.1f MiB%n"
            + "honest deliveries/s: %.0f alone, %.0f beside %d hostile ones, median of %d rounds: %.2f %s%n%s%n",
        hostileJobs.size(),
        LIMIT,
        longest,
        before / (double) MIB,
        most / (double) MIB,
        median(alone),
        median(beside),
        AT_ONCE,
        ROUNDS,
        median(kept),
        kept,
        outcomes);
    assertThat(longest).as("longest attempt").isLessThan(LIMIT.plusSeconds(1));
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  /** The heap of another process, without what is garbage. */
  private record Heap(long pid) {
    long usedAfterCollection() throws Exception {
      jcmd("GC.run");
      return jcmd("GC.heap_info")
              .lines()
              .filter(line -> line.contains(" used "))
              .findFirst()
              .map(line -> Long.parseLong(line.replaceAll(".* used (\\d+)K.*", "$1")))
              .orElseThrow()
          * 1024;
    }

    private String jcmd(String command) throws Exception {
      String tool = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
      Process process = new ProcessBuilder(tool, String.valueOf(pid), command).start();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(out).isZero();
      return out;
    }
  }
}
