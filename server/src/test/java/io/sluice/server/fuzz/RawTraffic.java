package io.sluice.server.fuzz;

import io.sluice.server.rest.RawClient;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Connections that keep to HTTP badly or not at all: broken chunks, half-closes, pipelines, resets. */
final class RawTraffic {
  private static final int PATIENCE_MILLIS = 30_000;
  private static final String JOB = "{\"type\":\"a\"}";

  /** Heads of requests that are not well formed; {@code $A} is the credential, {@code $H} a good host and credential. */
  private static final List<String> ODD_HEADS = List.of(
      "GET /v1/jobs HTTP/1.0\r\n$A\r\n",
      "GET /v1/jobs HTTP/2.0\r\n$H\r\n",
      "GET /v1/jobs HTTP/9.9\r\n$H\r\n",
      "GET /v1/jobs\r\n$H\r\n",
      "GET  /v1/jobs  HTTP/1.1\r\n$H\r\n",
      "GET /v1/jobs HTTP/1.1\r\n$A\r\n",
      "GET /v1/jobs HTTP/1.1\r\nHost: y\r\n$H\r\n",
      "GET /v1/jobs HTTP/1.1\n$H\r\n",
      "GET http://fuzz/v1/jobs?limit=1 HTTP/1.1\r\n$H\r\n",
      "OPTIONS * HTTP/1.1\r\n$H\r\n",
      "CONNECT fuzz:80 HTTP/1.1\r\n$H\r\n",
      "GET /v1/jobs?limit=%zz HTTP/1.1\r\n$H\r\n",
      "GET /v1/jobs/%c0%80 HTTP/1.1\r\n$H\r\n",
      "GET /v1/../v1/jobs HTTP/1.1\r\n$H\r\n",
      "GET /v1//jobs HTTP/1.1\r\n$H\r\n",
      "GET /v1/jobs#x HTTP/1.1\r\n$H\r\n",
      "GET /v1/jobs HTTP/1.1\r\n$HX Y: 1\r\n\r\n",
      "GET /v1/jobs HTTP/1.1\r\n$HX-Y : 1\r\n\r\n",
      "GET /v1/jobs HTTP/1.1\r\n$HX-Y: a\r\n b\r\n\r\n",
      "GET /v1/jobs HTTP/1.1\r\n$Hno colon\r\n\r\n",
      "GET /v1/jobs HTTP/1.1\r\n$HX-Y: a\0b\r\n\r\n",
      "GET /v1/jobs HTTP/1.1\r\n$HX-Y: \u00ff\u0080\r\n\r\n",
      "POST /v1/jobs HTTP/1.1\r\n$HContent-Length: 12\r\nContent-Length: 12\r\n\r\n" + JOB,
      "POST /v1/jobs HTTP/1.1\r\n$HContent-Length: 12\r\nContent-Length: 3\r\n\r\n" + JOB,
      "POST /v1/jobs HTTP/1.1\r\n$HContent-Length: -1\r\n\r\n",
      "POST /v1/jobs HTTP/1.1\r\n$HContent-Length: +12\r\n\r\n" + JOB,
      "POST /v1/jobs HTTP/1.1\r\n$HContent-Length: 99999999999999999999\r\n\r\n" + JOB,
      "POST /v1/jobs HTTP/1.1\r\n$HContent-Length: 12\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST /v1/jobs HTTP/1.1\r\n$HTransfer-Encoding: gzip\r\n\r\n",
      "POST /v1/jobs HTTP/1.1\r\n$HTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
      "POST /v1/jobs HTTP/1.1\r\n$HExpect: tea\r\nContent-Length: 12\r\n\r\n" + JOB,
      "POST /v1/jobs HTTP/1.1\r\n$HContent-Encoding: gzip\r\nContent-Length: 12\r\n\r\n" + JOB,
      "POST /v1/jobs HTTP/1.1\r\n$HContent-Length: 15\r\n\r\n{\"type\":\"\u00c0\u0080\u00ff\"}",
      "POST /v1/jobs HTTP/1.1\r\n$HContent-Length: 12\r\n\r\n\u00ff\u00fe{\u0000}\u0000xxxxxx");

  /** Chunked bodies, good and bad. */
  private static final List<String> CHUNKS = List.of(
      "c\r\n" + JOB + "\r\n0\r\n\r\n",
      "c;a=b;c=\"d\"\r\n" + JOB + "\r\n0\r\nX-Trailer: 1\r\n\r\n",
      "5\r\n{\"typ\r\n7\r\ne\":\"a\"}\r\n0\r\n\r\n",
      "0\r\n\r\n",
      "zz\r\n" + JOB + "\r\n0\r\n\r\n",
      "-1\r\n" + JOB + "\r\n0\r\n\r\n",
      "c\r\n" + JOB + "x\r\n0\r\n\r\n",
      "ffffffffffffffff\r\n" + JOB,
      "7fffffff\r\n" + JOB,
      "c\n" + JOB + "\n0\n\n",
      " c\r\n" + JOB + "\r\n0\r\n\r\n");

  private final FuzzWorld world;
  private final FuzzLane lane;
  private final RandomGenerator random;

  RawTraffic(FuzzWorld world, FuzzLane lane, RandomGenerator random) {
    this.world = world;
    this.lane = lane;
    this.random = random;
  }

  void run() {
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> oddHead();
      case 3, 4 -> chunked();
      case 5 -> pipeline();
      case 6 -> expect();
      case 7 -> halfClose();
      case 8 -> longLine();
      default -> reset();
    }
  }

  private static String authorization(FuzzCaller caller) {
    return "Authorization: Bearer " + caller.key() + "\r\n";
  }

  private static String head(FuzzCaller caller) {
    return "Host: fuzz\r\n" + authorization(caller);
  }

  private void oddHead() {
    FuzzCaller caller = world.operator(random, false);
    String text = ODD_HEADS
        .get(random.nextInt(ODD_HEADS.size()))
        .replace("$H", head(caller))
        .replace("$A", authorization(caller));
    exchange(caller, text, true, 1);
  }

  private void chunked() {
    FuzzCaller caller = world.operator(random, false);
    String text = "POST /v1/jobs HTTP/1.1\r\n" + head(caller) + "Transfer-Encoding: chunked\r\n\r\n"
        + CHUNKS.get(random.nextInt(CHUNKS.size()));
    exchange(caller, text, true, 1);
  }

  private void pipeline() {
    FuzzCaller caller = world.operator(random, false);
    int count = random.nextInt(6) + 2;
    String one = random.nextBoolean()
        ? "GET /v1/jobs?limit=1 HTTP/1.1\r\n" + head(caller) + "\r\n"
        : "POST /v1/jobs HTTP/1.1\r\n" + head(caller) + "Content-Length: 12\r\n\r\n" + JOB;
    exchange(caller, one.repeat(count), false, count);
  }

  /** A body that is refused unread must not be read as the next request. */
  private void expect() {
    FuzzCaller caller = world.operator(random, false);
    String smuggled = "GET /health/live HTTP/1.1\r\nHost: smuggled\r\n\r\n";
    String text = "POST /v1/jobs HTTP/1.1\r\nHost: fuzz\r\nContent-Length: " + smuggled.length()
        + "\r\nExpect: 100-continue\r\n\r\n" + smuggled;
    String more = exchange(caller, text, false, 1);
    if (more.contains("HTTP/1.1")) {
      lane.fault(new FuzzFault(
          Oracle.SMUGGLING, "enqueue", shown(text), more, "a body was read as a request"));
    }
  }

  private void halfClose() {
    FuzzCaller caller = world.operator(random, false);
    String text = "POST /v1/jobs HTTP/1.1\r\n" + head(caller)
        + (random.nextBoolean()
            ? "Content-Length: 500\r\n\r\n" + JOB
            : "Transfer-Encoding: chunked\r\n\r\nff\r\n" + JOB);
    exchange(caller, text, true, 1);
  }

  private void longLine() {
    FuzzCaller caller = world.operator(random, false);
    String text = "GET /v1/jobs?q=" + "x".repeat(9_000 + random.nextInt(60_000)) + " HTTP/1.1\r\n"
        + head(caller) + "\r\n";
    exchange(caller, text, false, 1);
  }

  /** Somebody who goes away in the middle: of a head, of a body, or before the answer. */
  private void reset() {
    FuzzCaller caller = world.operator(random, false);
    String whole = "POST /v1/jobs/batch HTTP/1.1\r\n" + head(caller)
        + "Content-Length: 3000\r\n\r\n" + "{\"jobs\":[" + "x".repeat(3_000 - 9);
    RawClient client = RawClient.to(world.port(), PATIENCE_MILLIS);
    client.trySend(whole
        .substring(0, 1 + random.nextInt(whole.length()))
        .getBytes(StandardCharsets.ISO_8859_1));
    client.reset();
    world.spend();
  }

  /** Sends a text, reads this many answers and has them judged; returns what came after them. */
  private String exchange(FuzzCaller caller, String text, boolean endsOutput, int answers) {
    ApiOperation operation =
        world.document().operation(text.startsWith("POST") ? "enqueue" : "listJobs");
    long start = System.nanoTime();
    try (RawClient client = RawClient.to(world.port(), PATIENCE_MILLIS)) {
      client.trySend(text.getBytes(StandardCharsets.ISO_8859_1));
      if (endsOutput) {
        client.endOutput();
      }
      RawClient.Reply reply = client.reply();
      for (int i = 1; i < answers; i++) {
        lane.judged(operation, caller, shown(text), FuzzAnswer.of(reply, since(start)));
        reply = client.reply();
      }
      lane.judged(operation, caller, shown(text), FuzzAnswer.of(reply, since(start)));
      return reply.header("connection").equals("close") ? client.rest() : "";
    } catch (UncheckedIOException e) {
      world.spend();
      String why =
          e.getCause() instanceof SocketTimeoutException ? "no answer" : "closed unanswered";
      lane.fault(new FuzzFault(
          Oracle.HANG, "raw " + operation, shown(text), String.valueOf(e.getMessage()), why));
      return "";
    }
  }

  private static long since(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  /** The bytes as they are sent, for printf. */
  private static String shown(String text) {
    String start = text.length() <= 1_500 ? text : text.substring(0, 1_500) + "…";
    return "printf '" + start.replace("%", "%%").replace("\r", "\\r").replace("\n", "\\n") + "'";
  }
}
