package io.sluice.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.access.Access;
import io.sluice.server.access.Caller;
import io.sluice.server.access.Role;
import io.sluice.testkit.Eventually;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The form of requests and answers, byte by byte: what HTTP allows is served, all else is a problem. */
@Isolated("it reads the log of the whole process")
class HttpFormTest {
  private static final String HOST = "Host: a\r\n";
  private static final String KEY = HOST + "Authorization: Bearer good\r\n";
  private static final String SECOND = "GET /open HTTP/1.1\r\n" + HOST + "\r\n";

  private record Named(String name) {}

  private static RestServer server;

  @BeforeAll
  static void start() {
    Routes routes = new Routes()
        .get("/open", Access.PUBLIC, call -> Answer.ok(Map.of("open", true)))
        .get("/things/{id}", Access.READ, call -> Answer.ok(Map.of("id", call.path("id"))))
        .get("/query", Access.READ, call -> {
          call.query().only();
          return Answer.none();
        })
        .post(
            "/keyed",
            Access.PRODUCE,
            1000,
            call -> Answer.ok(Map.of("key", call.header("Idempotency-Key").orElse(""))))
        .post(
            "/things",
            Access.PRODUCE,
            1000,
            call -> Answer.created(call.body(Named.class).name()));
    Gatekeeper gatekeeper = new Gatekeeper(
        (token, address) -> {
          if (!token.equals("good")) {
            throw new SluiceException(ErrorCode.UNAUTHORIZED, "no");
          }
          return new Caller("acme", Role.ADMIN, "k");
        },
        name -> name);
    server = new RestServer(
            new Listen("127.0.0.1", 0, null),
            routes,
            gatekeeper,
            new Json(),
            new Traffic(System::nanoTime, exchange -> {}))
        .start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static RawClient client() {
    return RawClient.to(server.port());
  }

  private static RawClient.Reply ask(String request) {
    try (RawClient client = client()) {
      return client.send(request).reply();
    }
  }

  /** Fails unless the request is answered by a problem with this status, and the connection then closed. */
  private static void refused(int status, String request) {
    try (RawClient client = client()) {
      RawClient.Reply reply = client.send(request).reply();
      assertThat(reply.status()).as(request).isEqualTo(status);
      assertThat(reply.header("content-type")).as(request).isEqualTo("application/problem+json");
      assertThat(reply.json().at("/status").asInt()).as(request).isEqualTo(status);
      assertThat(reply.json().at("/detail").asString()).as(request).isNotEmpty();
      assertThat(reply.header("x-content-type-options")).as(request).isEqualTo("nosniff");
      assertThat(reply.header("connection")).as(request).isEqualTo("close");
      assertThat(client.isEnded()).as("nothing follows " + request).isTrue();
    }
  }

  private static String chunked(String head, String... chunks) {
    return "POST /things HTTP/1.1\r\n" + head + "Transfer-Encoding: chunked\r\n\r\n"
        + String.join("\r\n", chunks) + "\r\n\r\n";
  }

  @Test
  void chunks_mayHaveExtensionsAndTrailers() {
    for (String request : List.of(
        chunked(KEY, "c;a=b", "{\"name\":\"n\"}", "0"),
        chunked(KEY, "c ; a=\"b\"", "{\"name\":\"n\"}", "0;last", "X-Check: 1", "X-More: 2"),
        chunked(KEY, "3", "{\"n", "009", "ame\":\"n\"}", "000"))) {
      try (RawClient client = client()) {
        RawClient.Reply reply = client.send(request + SECOND).reply();
        assertThat(reply.status()).as(request + reply.body()).isEqualTo(201);
        assertThat(reply.body()).isEqualTo("n");
        assertThat(client.reply().body()).as("the request after it").contains("open");
      }
    }
  }

  @Test
  void brokenChunks_areMalformed() {
    for (String chunks : List.of(
        "x\r\nabc\r\n0\r\n\r\n",
        "-1\r\nabc\r\n0\r\n\r\n",
        "0x1\r\nabc\r\n0\r\n\r\n",
        "3\r\nabcd\r\n0\r\n\r\n",
        "3\nabc\n0\n\n",
        "1;a=\"\nX\"\r\nZ\r\n0\r\n\r\n",
        "ffffffffffffffff\r\nabc\r\n0\r\n\r\n",
        "\r\nabc\r\n0\r\n\r\n",
        "3;" + "x".repeat(5000) + "\r\nabc\r\n0\r\n\r\n")) {
      refused(
          400, "POST /things HTTP/1.1\r\n" + KEY + "Transfer-Encoding: chunked\r\n\r\n" + chunks);
    }
  }

  @Test
  void bodyThatEndsEarly_isMalformed() {
    for (String framing :
        List.of("Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n64\r\n{")) {
      try (RawClient client = client()) {
        RawClient.Reply reply =
            client.send("POST /things HTTP/1.1\r\n" + KEY + framing).endOutput().reply();
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.json().at("/code").asString()).isEqualTo("MALFORMED");
      }
    }
  }

  @Test
  void framingThatCanBeReadInTwoWays_isRefused() {
    for (String framing : List.of(
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        "Content-Length: 2\r\nContent-Length: 3\r\n",
        "Content-Length: 2, 2\r\n",
        "Content-Length: +2\r\n",
        "Content-Length: -2\r\n",
        "Content-Length:\r\n",
        "Content-Length : 2\r\n",
        "Transfer-Encoding:\u000bchunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n")) {
      refused(400, "POST /things HTTP/1.1\r\n" + KEY + framing + "\r\n{}" + SECOND);
    }
    refused(501, "POST /things HTTP/1.1\r\n" + KEY + "Transfer-Encoding: gzip\r\n\r\n{}");
    refused(501, "POST /things HTTP/1.1\r\n" + KEY + "Transfer-Encoding: chunked, x\r\n\r\n{}");
    refused(
        413, "POST /things HTTP/1.1\r\n" + KEY + "Content-Length: 99999999999999999999\r\n\r\n");
  }

  @Test
  void headThatIsNotWellFormed_isAProblem() {
    refused(400, "nonsense\r\n\r\n");
    refused(400, "GET  /open HTTP/1.1\r\n" + HOST + "\r\n");
    refused(400, "GET /open HTTP/1.1\n" + HOST.replace("\r", "") + "\n");
    refused(400, "GET /open\r\n\r\n");
    refused(400, "get /open HTTP/1.1\r\n" + HOST + "\r\n");
    refused(400, "GET /open HTTP/1.1\r\n\r\n");
    refused(400, "GET /open HTTP/1.1\r\n" + HOST + HOST + "\r\n");
    refused(400, "GET /open HTTP/1.1\r\nHost: a b\r\n\r\n");
    refused(400, "GET /open HTTP/1.1\r\n" + HOST + "X: a\r\n b\r\n\r\n");
    refused(400, "GET /open HTTP/1.1\r\n" + HOST + "X\u0000Y: a\r\n\r\n");
    refused(400, "GET /open HTTP/1.1\r\n" + HOST + "X: a\u0000b\r\n\r\n");
    refused(400, "GET /open HTTP/1.1\r\n" + HOST + "no colon\r\n\r\n");
    refused(505, "GET /open HTTP/0.9\r\n" + HOST + "\r\n");
    refused(505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    refused(417, "GET /open HTTP/1.1\r\n" + HOST + "Expect: x\r\n\r\n");
    refused(
        415,
        "POST /things HTTP/1.1\r\n" + KEY
            + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}");
  }

  @Test
  void targetThatIsNotWellFormed_isAProblem() {
    for (String target : List.of(
        "/things/%zz",
        "/query?limit=%zz",
        "/things/%",
        "/things/%4",
        "open",
        "*",
        "/a#b",
        "/things/\u00e9",
        "http:///open",
        "http://u@h/open",
        "ftp://h/open",
        "/things/a|b\"")) {
      refused(400, "GET " + target + " HTTP/1.1\r\n" + KEY + "\r\n");
    }
  }

  @Test
  void largeHead_isAProblem() {
    refused(414, "GET /things/" + "a".repeat(9_000) + " HTTP/1.1\r\n" + KEY + "\r\n");
    refused(414, "GET /things/" + "a".repeat(70_000));
    refused(431, "GET /open HTTP/1.1\r\n" + HOST + "X: " + "a".repeat(70_000) + "\r\n\r\n");
    refused(431, "GET /open HTTP/1.1\r\n" + HOST + "X: y\r\n".repeat(20_000));
    refused(431, "GET /open HTTP/1.1\r\n" + HOST + "X: y\r\n".repeat(101) + "\r\n");
    assertThat(ask("GET /open HTTP/1.1\r\n" + HOST + "X: " + "a".repeat(20_000) + "\r\n\r\n")
            .status())
        .isEqualTo(200);
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 150; i++) {
      many.append("X-").append(i).append(": y\r\n");
    }
    refused(431, "GET /open HTTP/1.1\r\n" + HOST + many + "\r\n");
  }

  @Test
  void path_hasOneSpelling() {
    refused(400, "GET /open;x HTTP/1.1\r\n" + HOST + "\r\n");
    refused(400, "GET /open;x=y HTTP/1.1\r\n" + HOST + "\r\n");
    refused(400, "GET /%6fpen HTTP/1.1\r\n" + HOST + "\r\n");
    refused(400, "GET /things/a%2Db HTTP/1.1\r\n" + KEY + "\r\n");
    assertThat(ask("GET /things/a%2Fb%3a%7E%20%C3%A9 HTTP/1.1\r\n" + KEY + "\r\n")
            .json()
            .at("/id")
            .asString())
        .isEqualTo("a/b:~ \u00e9");
    assertThat(ask("GET //open HTTP/1.1\r\n" + KEY + "\r\n").status()).isEqualTo(404);
    assertThat(ask("GET /things/../open HTTP/1.1\r\n" + KEY + "\r\n").status()).isEqualTo(404);
  }

  @Test
  void wholeUrl_isTakenForItsPath() {
    assertThat(ask("GET http://other:7/things/x HTTP/1.1\r\n" + KEY + "\r\n").body())
        .isEqualTo("{\"id\":\"x\"}");
    assertThat(ask("GET HTTPS://other HTTP/1.1\r\n" + KEY + "\r\n").status()).isEqualTo(404);
    assertThat(ask("GET http://other?a=1 HTTP/1.1\r\n" + KEY + "\r\n").status()).isEqualTo(404);
  }

  @Test
  void oldVersion_isServed_andItsConnectionClosed() {
    try (RawClient client = client()) {
      RawClient.Reply reply = client.send("GET /open HTTP/1.0\r\n\r\n").reply();
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.header("connection")).isEqualTo("close");
      assertThat(client.isEnded()).isTrue();
    }
    try (RawClient client = client()) {
      RawClient.Reply reply = client
          .send("POST /things HTTP/1.0\r\n" + KEY
              + "Connection: keep-alive\r\nContent-Length: 12\r\n\r\n{\"name\":\"n\"}" + SECOND)
          .reply();
      assertThat(reply.status()).isEqualTo(201);
      assertThat(client.isEnded()).isTrue();
    }
    refused(400, chunked(KEY, "2", "{}", "0").replace("HTTP/1.1", "HTTP/1.0"));
  }

  @Test
  void head_hasTheHeadersOfGet_andNoBody() {
    for (String path : List.of("/open", "/things/x", "/nowhere")) {
      RawClient.Reply got = ask("GET " + path + " HTTP/1.1\r\n" + KEY + "\r\n");
      try (RawClient client = client()) {
        RawClient.Reply reply = client
            .send("HEAD " + path + " HTTP/1.1\r\n" + KEY + "\r\n" + SECOND)
            .reply(false);
        assertThat(reply.status()).isEqualTo(got.status());
        assertThat(reply.header("content-length"))
            .isEqualTo(String.valueOf(got.body().length()));
        assertThat(reply.header("content-type")).isEqualTo(got.header("content-type"));
        assertThat(client.reply().body()).as("the answer after it").contains("open");
      }
    }
  }

  @Test
  void headerGivenTwice_isRefusedByItsName() {
    RawClient.Reply reply = ask(
        "POST /keyed HTTP/1.1\r\n" + KEY + "Idempotency-Key: k1\r\nIdempotency-Key: k2\r\n\r\n");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().at("/detail").asString()).contains("Idempotency-Key", "2 times");
    assertThat(ask("POST /keyed HTTP/1.1\r\n" + KEY + "Idempotency-Key: a,b\r\n\r\n")
            .body())
        .isEqualTo("{\"key\":\"a,b\"}");
    assertThat(ask("GET /things/x HTTP/1.1\r\n" + KEY + "Authorization: Bearer good\r\n\r\n")
            .status())
        .isEqualTo(400);
  }

  @Test
  void bodyThatIsNotUtf8_isMalformed() {
    Map<String, byte[]> bodies = new LinkedHashMap<>();
    String json = "{\"name\":\"n\"}";
    for (String charset : List.of("UTF-16BE", "UTF-16LE", "UTF-16", "UTF-32BE", "UTF-32LE")) {
      bodies.put(charset, json.getBytes(Charset.forName(charset)));
    }
    bodies.put("BOM", ("\ufeff" + json).getBytes(StandardCharsets.UTF_8));
    bodies.put("overlong", bytes("{\"name\":\"\u00c0\u0080\"}"));
    bodies.put("surrogate", bytes("{\"name\":\"\u00ed\u00a0\u0080\"}"));
    bodies.put("Latin-1", bytes("{\"name\":\"\u00e9\"}"));
    bodies.put("cut", bytes("{\"name\":\"\u00c3"));
    bodies.forEach((what, body) -> {
      try (RawClient client = client()) {
        RawClient.Reply reply = client
            .send("POST /things HTTP/1.1\r\n" + KEY + "Content-Length: " + body.length + "\r\n\r\n")
            .send(body)
            .reply();
        assertThat(reply.status()).as(what + reply.body()).isEqualTo(400);
        assertThat(reply.json().at("/detail").asString()).contains("UTF-8");
      }
    });
  }

  private static byte[] bytes(String latin1) {
    return latin1.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void refusal_repeatsABoundedPartOfTheRequest() {
    String longName = "n".repeat(3_000);
    RawClient.Reply query = ask("GET /query?" + longName + "=1 HTTP/1.1\r\n" + KEY + "\r\n");
    assertThat(query.status()).isEqualTo(422);
    assertThat(query.body().length()).isLessThan(1_000);
    assertThat(query.json().at("/errors/0/field").asString()).hasSize(100).endsWith("…");
    String body = "{\"" + longName.substring(0, 800) + "\":1}";
    RawClient.Reply field = ask(
        "POST /things HTTP/1.1\r\n" + KEY + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    assertThat(field.status()).isEqualTo(422);
    assertThat(field.body().length()).isLessThan(1_000);
  }

  @SuppressWarnings("JUnitMethodInvoked") // they are run again while the log is read
  @Test
  void brokenRequests_leaveNoTraceInTheLog() {
    try (LogLines log = new LogLines()) {
      try (RawClient client = client()) {
        client
            .send("POST /things HTTP/1.1\r\n" + KEY + "Content-Length: 100\r\n\r\n{")
            .reset();
      }
      try (RawClient client = client()) {
        client.send("GET /open HTTP/1.1\r\nX: ").reset();
      }
      try (RawClient client = client()) {
        client.send("GET /open HT");
      }
      brokenChunks_areMalformed();
      bodyThatEndsEarly_isMalformed();
      headThatIsNotWellFormed_isAProblem();
      Eventually.await("all connections ended", () -> server.connections() == 0);
      assertThat(log.lines()).isEmpty();
    }
  }
}
