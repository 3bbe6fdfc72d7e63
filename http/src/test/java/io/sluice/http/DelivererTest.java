package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.AttemptFailure;
import io.sluice.Defaults;
import io.sluice.ErrorClass;
import io.sluice.ErrorCode;
import io.sluice.JacksonCodec;
import io.sluice.RetryPolicy;
import io.sluice.SluiceException;
import io.sluice.When;
import io.sluice.testkit.TestPorts;
import io.sluice.testkit.TestPorts.ClosedPort;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DelivererTest {
  private final Desk desk = new Desk();

  @AfterEach
  void close() {
    desk.close();
  }

  private Receiver receiver(Receiver.Script script) {
    return desk.closing(Receiver.answering(script));
  }

  @Test
  void request_carriesTheJobsHeaders_andTheSenders() throws Exception {
    Receiver receiver = receiver(request -> Receiver.ok(""));

    desk.done(HttpCall.to(receiver.url("/a//b/../c?x=%2F&y=[1]#frag"))
        .withMethod("put")
        .withHeaders(Map.of("X-A", "1", "Accept", "text/csv"))
        .withBody(JsonValue.of("{\"a\":1}")));

    Receiver.Request request = receiver.only();
    assertThat(request.method()).isEqualTo("PUT");
    assertThat(request.target()).isEqualTo("/a//b/../c?x=%2F&y=[1]");
    assertThat(request.body()).isEqualTo("{\"a\":1}");
    assertThat(request.headers())
        .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
            Map.entry("host", "127.0.0.1:" + receiver.port()),
            Map.entry("content-length", "7"),
            Map.entry("x-a", "1"),
            Map.entry("accept", "text/csv"),
            Map.entry("accept-encoding", "identity"),
            Map.entry("content-type", "application/json"),
            Map.entry("user-agent", "Sluice/1.2.3"),
            Map.entry("sluice-job-id", Desk.ID.toString()),
            Map.entry("sluice-attempt", "2"),
            Map.entry("sluice-queue", "mail"),
            Map.entry("traceparent", Desk.TRACE)));
  }

  @Test
  void everyMethod_isSent_andABodyOnlyWhereThereIsOne() throws Exception {
    Receiver receiver = receiver(request -> request.method().equals("HEAD")
        ? "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"
        : Receiver.ok("ok"));

    for (String method : List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")) {
      assertThat(desk.done(HttpCall.to(receiver.url("/")).withMethod(method)).status())
          .isEqualTo(200);
    }

    assertThat(receiver.requests().stream().map(Receiver.Request::method))
        .containsExactly("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    assertThat(receiver.requests().stream()
            .filter(r -> r.header("content-length") != null)
            .map(Receiver.Request::method))
        .containsExactly("POST", "PUT", "PATCH");
    assertThat(receiver.requests().stream().map(r -> r.header("content-type"))).containsOnlyNulls();
  }

  @Test
  void bodies_areSentAsTheyAre_withTheirTypeUnlessAHeaderNamesIt() throws Exception {
    Receiver receiver = receiver(request -> Receiver.ok(""));
    HttpCall call = HttpCall.to(receiver.url("/"));

    desk.done(call.withBody(JsonValue.ofText("a=ä&b=\"2\"")));
    desk.done(call.withBytes(new byte[] {0, (byte) 0xff, 13, 10}));
    desk.done(
        call.withBody(JsonValue.ofText("<x/>")).withHeaders(Map.of("Content-Type", "text/xml")));

    List<Receiver.Request> requests = receiver.requests();
    assertThat(requests.get(0).header("content-type")).isEqualTo("text/plain; charset=utf-8");
    assertThat(requests.get(0).body().getBytes(StandardCharsets.ISO_8859_1))
        .isEqualTo("a=ä&b=\"2\"".getBytes(StandardCharsets.UTF_8));
    assertThat(requests.get(1).header("content-type")).isEqualTo("application/octet-stream");
    assertThat(requests.get(1).body()).isEqualTo("\u0000\u00ff\r\n");
    assertThat(requests.get(2).header("content-type")).isEqualTo("text/xml");
  }

  @Test
  void group_addsItsHeaders_underTheJobs_andProvesWhoCalls() throws Exception {
    Receiver receiver = receiver(request -> Receiver.ok(""));
    Group group =
        Group.of("shop", receiver.url("/v1")).withHeaders(Map.of("x-a", "group", "x-b", "group"));
    HttpCall call = HttpCall.toPath("/charges")
        .withHeaders(Map.of("X-A", "job", "authorization", "Bearer of-the-job"))
        .withBody(JsonValue.ofText("hello"));
    String basic = Base64.getEncoder().encodeToString("me:pä".getBytes(StandardCharsets.UTF_8));

    for (Auth auth : List.of(
        new Auth.None(),
        new Auth.Basic("me", "pä"),
        new Auth.Bearer("of-the-group"),
        new Auth.Header("X-Api-Key", "k"),
        new Auth.Hmac("x-signature", "key"))) {
      desk.with(group.withAuth(auth));
      desk.done(call, "shop");
    }

    List<Receiver.Request> requests = receiver.requests();
    assertThat(requests).allSatisfy(request -> {
      assertThat(request.target()).isEqualTo("/v1/charges");
      assertThat(request.header("x-a")).isEqualTo("job");
      assertThat(request.header("x-b")).isEqualTo("group");
    });
    assertThat(requests.get(0).header("authorization")).isEqualTo("Bearer of-the-job");
    assertThat(requests.get(1).header("authorization")).isEqualTo("Basic " + basic);
    assertThat(requests.get(2).header("authorization")).isEqualTo("Bearer of-the-group");
    assertThat(requests.get(3).header("x-api-key")).isEqualTo("k");
    assertThat(requests.get(4).header("x-signature"))
        .isEqualTo("9307b3b915efb5171ff14d8cb55fbcc798c6c0ef1456d66ded1a6aa723a58b7b");
  }

  @Test
  void result_keepsStatusHeadersAndBody_asJson() throws Exception {
    Receiver receiver = receiver(request -> Receiver.answer(
        201,
        "X-Id: 7\r\nVia: a\r\nvia: b\r\nSet-Cookie: s=geheim\r\nAuthorization: geheim\r\n",
        "fine ☃"));

    HttpResult result = desk.done(HttpCall.to(receiver.url("/")));

    assertThat(result.status()).isEqualTo(201);
    assertThat(result.body()).isEqualTo("fine ☃");
    assertThat(result.headers())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("x-id", "7", "via", "a, b", "content-length", "8"));
    assertThat(result.durationMs()).isNotNegative();
    assertThat(new JacksonCodec().encode(result))
        .startsWith("{\"status\":201,\"headers\":{\"x-id\":\"7\"");
  }

  @Test
  void longBody_isKeptToItsSize_andIsASuccess() throws Exception {
    String snow = "☃".repeat(10_000);
    Receiver receiver = receiver(request -> Receiver.ok(snow));

    HttpResult result = desk.done(HttpCall.to(receiver.url("/")));

    assertThat(result.body())
        .hasSizeGreaterThan(Defaults.MAX_ANSWER / 3 - 2)
        .matches("☃+")
        .hasSizeLessThanOrEqualTo(Defaults.MAX_ANSWER);
  }

  @Test
  void bodiesOfEveryKind_canBeKept() throws Exception {
    Receiver receiver = receiver(request -> switch (request.target()) {
      case "/nul" -> Receiver.ok("a\u0000b");
      case "/latin" ->
        Receiver.answer(200, "Content-Type: text/plain; charset=iso-8859-1\r\n", "\u00e4");
      case "/odd" -> Receiver.answer(200, "Content-Type: text/plain; charset=nonsense\r\n", "ä");
      case "/chunked" ->
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n";
      case "/old" -> "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nold";
      case "/early" -> "HTTP/1.1 103 Early\r\nLink: x\r\n\r\n" + Receiver.ok("late");
      default -> Receiver.answer(204, "", "");
    });

    assertThat(desk.done(HttpCall.to(receiver.url("/nul"))).body()).isEqualTo("a\uFFFDb");
    assertThat(desk.done(HttpCall.to(receiver.url("/latin"))).body()).isEqualTo("\u00c3\u00a4");
    assertThat(desk.done(HttpCall.to(receiver.url("/odd"))).body()).isEqualTo("ä");
    assertThat(desk.done(HttpCall.to(receiver.url("/chunked"))).body()).isEqualTo("abcde");
    assertThat(desk.done(HttpCall.to(receiver.url("/old"))).body()).isEqualTo("old");
    assertThat(desk.done(HttpCall.to(receiver.url("/early"))).body()).isEqualTo("late");
    assertThat(desk.done(HttpCall.to(receiver.url("/none"))).body()).isEmpty();
  }

  @Test
  void statuses_failWithTheirClass() {
    Receiver receiver = receiver(
        request -> Receiver.answer(Integer.parseInt(request.target().substring(1)), "", "why"));
    Map<Integer, ErrorClass> classes = Map.ofEntries(
        Map.entry(302, ErrorClass.REJECTED),
        Map.entry(304, ErrorClass.REJECTED),
        Map.entry(400, ErrorClass.VALIDATION),
        Map.entry(401, ErrorClass.AUTH),
        Map.entry(404, ErrorClass.NOT_FOUND),
        Map.entry(408, ErrorClass.TIMEOUT),
        Map.entry(409, ErrorClass.REJECTED),
        Map.entry(410, ErrorClass.NOT_FOUND),
        Map.entry(418, ErrorClass.REJECTED),
        Map.entry(429, ErrorClass.RATE_LIMITED),
        Map.entry(500, ErrorClass.SERVER),
        Map.entry(503, ErrorClass.SERVER));

    classes.forEach((status, errorClass) -> {
      AttemptFailure failure = desk.failed(HttpCall.to(receiver.url("/" + status)));
      assertThat(failure.errorClass()).as("" + status).isEqualTo(errorClass);
      assertThat(failure.code()).isEqualTo("HTTP_" + status);
      assertThat(failure.status()).hasValue(status);
      assertThat(failure.responseBody()).hasValue(status == 304 ? "" : "why");
    });
  }

  @Test
  void group_decidesOnStatuses_andGivesItsPolicy() {
    Receiver receiver = receiver(request -> Receiver.answer(409, "", ""));
    RetryPolicy policy = Defaults.RETRY.withMaxAttempts(9);
    desk.with(
        Group.of("shop", receiver.url("/")).withRetry(policy, Map.of(409, ErrorClass.SERVER)));

    AttemptFailure failure = desk.failed(HttpCall.toPath("/x"), "shop");

    assertThat(failure.errorClass()).isEqualTo(ErrorClass.SERVER);
    assertThat(failure.policy()).hasValue(policy);
  }

  @Test
  void retryAfter_isPassedOn() {
    Receiver receiver = receiver(request -> Receiver.answer(503, "Retry-After: 120\r\n", ""));

    assertThat(desk.failed(HttpCall.to(receiver.url("/"))).retry())
        .hasValue(When.in(Duration.ofMinutes(2)));
  }

  @Test
  void secrets_comeBackInNoResultAndNoError() throws Exception {
    Receiver receiver = receiver(request -> Receiver.answer(
        request.target().contains("fail") ? 500 : 200,
        "X-Echo: " + request.header("authorization") + "\r\n",
        request.headers().toString()));
    desk.with(Group.of("bearer", receiver.url("")).withAuth(new Auth.Bearer("geheim-1")))
        .with(Group.of("basic", receiver.url("")).withAuth(new Auth.Basic("me", "geheim-2")))
        .with(Group.of("header", receiver.url("")).withAuth(new Auth.Header("x-k", "geheim-3")));
    String basic =
        Base64.getEncoder().encodeToString("me:geheim-2".getBytes(StandardCharsets.UTF_8));
    HttpCall own = HttpCall.to(receiver.url("/?token=geheim-4"))
        .withHeaders(Map.of("Authorization", "Bearer geheim-5", "Cookie", "geheim-6"));

    String seen = "" + desk.done(own)
        + desk.done(HttpCall.toPath("/"), "bearer")
        + desk.done(HttpCall.toPath("/"), "basic")
        + desk.done(HttpCall.toPath("/"), "header")
        + told(desk.failed(HttpCall.toPath("/fail"), "bearer"))
        + told(desk.failed(HttpCall.to(receiver.url("/fail?token=geheim-4"))));

    assertThat(seen).contains("***").doesNotContain("geheim", basic);
  }

  private static String told(AttemptFailure failure) {
    return failure.getMessage() + failure.code() + failure.responseBody();
  }

  @Test
  void compressedBody_isNotUnpacked() throws Exception {
    Receiver receiver =
        receiver(request -> Receiver.answer(200, "Content-Encoding: gzip\r\n", "bomb"));

    HttpResult result = desk.done(HttpCall.to(receiver.url("/")));

    assertThat(result.body()).isNull();
    assertThat(receiver.only().header("accept-encoding")).isEqualTo("identity");
  }

  @Test
  void missingGroup_andCallsThatNoDoorChecked_fail() {
    assertThat(desk.failed(HttpCall.toPath("/"), "nope").code()).isEqualTo("GROUP_NOT_FOUND");
    assertThat(desk.failed(HttpCall.to("http://10.0.0.1/")).code()).isEqualTo("ADDRESS_REFUSED");
    assertThat(desk.failed(HttpCall.to("http://10.0.0.1/")).errorClass())
        .isEqualTo(ErrorClass.REJECTED);
    assertThat(desk.failed(HttpCall.to("nonsense")).errorClass()).isEqualTo(ErrorClass.VALIDATION);
    HttpCall smuggled = HttpCall.to("http://127.0.0.1:1/").withHeaders(Map.of("a", "b\r\nhost: c"));
    assertThat(catchThrowableOfType(
            SluiceException.class, () -> desk.deliver(Desk.job(smuggled, ""), Desk.PATIENCE)))
        .hasMessageContaining("line breaks");
  }

  @Test
  void callbackThatCannotBeKept_isAFailure_soThatItIsNotLost() {
    Receiver receiver = receiver(request -> Receiver.ok("done"));
    Callbacks full = new Callbacks(request -> {
      throw new SluiceException(ErrorCode.QUEUE_FULL, "full");
    });
    Deliverer deliverer = new Deliverer(
        desk.client, (tenant, name) -> Optional.empty(), desk.tokens, full, desk.clock, "1");
    HttpCall call = HttpCall.to(receiver.url("/")).withCallbacks("http://127.0.0.1:1/", null);

    AttemptFailure failure = catchThrowableOfType(
        AttemptFailure.class,
        () -> deliverer.handle(
            Desk.job(call, ""), desk.context(desk.clock.instant().plus(Desk.PATIENCE))));

    assertThat(failure.code()).isEqualTo("CALLBACK_FAILED");
    assertThat(failure.errorClass().isRetried()).isTrue();
    assertThat(failure.status()).hasValue(200);
  }

  @Test
  void exchange_hasTheWholeTimeout() {
    Instant now = Instant.parse("2030-01-15T12:00:00Z");
    for (int millis : new int[] {1, 200, 1_000, 30_000}) {
      assertThat(Deliverer.within(now, now.plusMillis(millis)))
          .isEqualTo(Duration.ofMillis(millis));
    }
    assertThat(Deliverer.within(now, now.minusMillis(1))).isZero();
    assertThat(desk.deliverer.type().overtime())
        .as("time to report a timeout after it")
        .isPositive();
  }

  @Test
  void storeThatIsAway_isNotNamedInTheJob() {
    Receiver receiver = receiver(request -> Receiver.ok("done"));
    Callbacks away = new Callbacks(request -> {
      throw new SluiceException(
          ErrorCode.PERSISTENCE_FAILURE, "Connection to db.inside:5432 refused");
    });
    Deliverer deliverer = new Deliverer(
        desk.client, (tenant, name) -> Optional.empty(), desk.tokens, away, desk.clock, "1");
    HttpCall call = HttpCall.to(receiver.url("/")).withCallbacks("http://127.0.0.1:1/", null);

    AttemptFailure failure = catchThrowableOfType(
        AttemptFailure.class,
        () -> deliverer.handle(
            Desk.job(call, ""), desk.context(desk.clock.instant().plus(Desk.PATIENCE))));

    assertThat(failure.code()).isEqualTo("CALLBACK_FAILED");
    assertThat(failure.getMessage()).contains("the store did not take it").doesNotContain("5432");
  }

  @Test
  void refusedConnection_isANetworkFailure() {
    try (ClosedPort closed = TestPorts.closed()) {
      String url = "http://127.0.0.1:" + closed.number() + "/x";
      AttemptFailure failure = desk.failed(HttpCall.to(url + "?token=geheim"));
      assertThat(failure.code()).isEqualTo("CONNECT_FAILED");
      assertThat(failure.errorClass()).isEqualTo(ErrorClass.NETWORK);
      assertThat(failure).hasMessageContaining(url + ": ").hasMessageNotContaining("geheim");
    }
  }

  @Test
  void connections_areUsedAgain_byTheSamePartyOnly() throws Exception {
    Receiver receiver = receiver(request -> Receiver.ok("ok"));
    desk.with(Group.of("one", receiver.url("")))
        .with(Group.of("two", receiver.url("")))
        .with(Group.of("three", receiver.url("")).withAuth(new Auth.Bearer("x")));

    for (int i = 0; i < 3; i++) {
      desk.done(HttpCall.toPath("/"), "one");
    }
    assertThat(receiver.connections()).isEqualTo(1);
    desk.done(HttpCall.toPath("/"), "two");
    assertThat(receiver.connections()).isEqualTo(2);
    desk.done(HttpCall.to(receiver.url("/")));
    assertThat(receiver.connections()).isEqualTo(3);
    desk.done(HttpCall.toPath("/"), "three");
    desk.with(Group.of("three", receiver.url("")).withAuth(new Auth.Bearer("y")));
    desk.done(HttpCall.toPath("/"), "three");
    assertThat(receiver.connections()).isEqualTo(5);
  }

  @Test
  void connectionThatTheReceiverCloses_orSpeaksOnUnasked_isNotUsedAgain() throws Exception {
    Receiver receiver = receiver(request -> switch (request.target()) {
      case "/close" -> Receiver.answer(200, "Connection: close\r\n", "");
      case "/more" -> Receiver.ok("a") + Receiver.ok("poison");
      case "/long" -> Receiver.ok("x".repeat(100_000));
      default -> Receiver.ok("good");
    });

    for (String path : List.of("/close", "/more", "/long")) {
      desk.done(HttpCall.to(receiver.url(path)));
      assertThat(desk.done(HttpCall.to(receiver.url("/"))).body()).isEqualTo("good");
    }
  }
}
