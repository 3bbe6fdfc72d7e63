package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.AttemptFailure;
import io.sluice.ErrorClass;
import io.sluice.SluiceException;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.TestPorts;
import io.sluice.testkit.TestPorts.ClosedPort;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tokens by client credentials: asked for once, kept, replaced, and not asked for in a rush. */
class TokensTest {
  private static final int MANY = 1_000;
  private static final String SECRET = "s3cr3t+of/the=client";

  private final Desk desk = new Desk();
  private final AtomicInteger calls = new AtomicInteger();
  private volatile Receiver.Script endpoint = request -> token(calls.get(), 3600);
  private final Receiver issuer = desk.closing(Receiver.answering(request -> {
    calls.incrementAndGet();
    return endpoint.answer(request);
  }));
  private final Map<String, Boolean> revoked = new ConcurrentHashMap<>();
  private final Receiver target = desk.closing(Receiver.answering(request -> {
    String sent = String.valueOf(request.header("authorization"));
    return revoked.containsKey(sent)
        ? Receiver.answer(401, "", "not " + sent)
        : Receiver.answer(200, "", "hello " + sent);
  }));

  @AfterEach
  void close() {
    desk.close();
  }

  private static String token(int number, int seconds) {
    return Receiver.ok("{\"access_token\":\"token-%d\",\"token_type\":\"Bearer\",\"expires_in\":%d}"
        .formatted(number, seconds));
  }

  private Auth.OAuth2 auth() {
    return new Auth.OAuth2(issuer.url("/token?tenant=t"), "the client", SECRET, "a b");
  }

  private Group group() {
    Group group = Group.of("shop", target.url("")).withAuth(auth());
    desk.with(group);
    return group;
  }

  private HttpResult deliver() throws Exception {
    return desk.done(HttpCall.toPath("/x"), "shop");
  }

  private AttemptFailure failed() {
    return desk.failed(HttpCall.toPath("/x"), "shop");
  }

  private void later(Duration time) {
    desk.ahead.addAndGet(time.toNanos());
  }

  private static String basic(String text) {
    return "Basic " + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void secretGoesByHttp_toOpenedRangesAlone_whateverANameLeadsTo() throws Exception {
    InetAddress elsewhere = InetAddress.getByAddress(new byte[] {9, 9, 9, 9});
    try (Desk named = new Desk(host -> new InetAddress[] {elsewhere}, "127.0.0.0/8")) {
      Auth.OAuth2 auth = new Auth.OAuth2("http://id.example.com/t", "c", SECRET, null);
      auth.check(named.client.guard());
      AttemptFailure refused = catchThrowableOfType(
          AttemptFailure.class, () -> named.tokens.trial("acme", "shop", auth));
      assertThat(refused.code()).isEqualTo(RefusedTarget.ADDRESS_REFUSED);
      assertThat(refused.getMessage()).contains("none of the ranges");
    }
  }

  @Test
  void token_isAskedForByTheStandard_keptUntilShortlyBeforeItsEnd_andNeverShown() throws Exception {
    group();
    HttpResult result = deliver();
    deliver();

    Receiver.Request asked = issuer.only();
    assertThat(asked.method()).isEqualTo("POST");
    assertThat(asked.target()).isEqualTo("/token?tenant=t");
    assertThat(asked.body()).isEqualTo("grant_type=client_credentials&scope=a+b");
    assertThat(asked.header("authorization"))
        .isEqualTo(basic("the+client:s3cr3t%2Bof%2Fthe%3Dclient"));
    assertThat(target.requests().get(1).header("authorization")).isEqualTo("Bearer token-1");
    assertThat(result.body()).isEqualTo("hello Bearer ***");

    later(Duration.ofMinutes(59));
    deliver();
    assertThat(calls).hasValue(1);
    later(Duration.ofSeconds(45));
    deliver();
    assertThat(calls).hasValue(2);
  }

  @Test
  void endpoint_thatReadsTheFormOnly_isServed() throws Exception {
    endpoint = request -> request.body().contains("client_secret=s3cr3t%2Bof%2Fthe%3Dclient")
        ? token(7, 10)
        : Receiver.answer(400, "", "{\"error\":\"invalid_request\"}");
    group();
    deliver();
    later(Duration.ofSeconds(9));
    deliver();
    assertThat(target.requests().getFirst().header("authorization")).isEqualTo("Bearer token-7");
    // Once by the header and once by the form; from then on by the form.
    assertThat(calls).hasValue(3);
    assertThat(issuer.requests().get(2).header("authorization")).isNull();
  }

  @Test
  void tokenWithoutAnEnd_isKeptForAWhile() throws Exception {
    endpoint = request -> Receiver.ok("{\"access_token\":\"t" + calls.get() + "\"}");
    group();
    deliver();
    later(Duration.ofMinutes(4));
    deliver();
    assertThat(calls).hasValue(1);
    later(Duration.ofMinutes(1));
    deliver();
    assertThat(calls).hasValue(2);
  }

  @Test
  void changedAuth_dropsTheToken() throws Exception {
    Group group = group();
    deliver();
    desk.with(group.withAuth(new Auth.OAuth2(auth().tokenUrl(), "other", SECRET, null)));
    deliver();
    desk.with(group);
    deliver();
    assertThat(calls).hasValue(3);
  }

  /** Starts deliveries and waits until each of them waits. */
  private List<Thread> rush(List<Throwable> failures) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      threads.add(Thread.ofVirtual().start(() -> {
        try {
          desk.done(HttpCall.toPath("/x"), "shop");
        } catch (Throwable e) {
          failures.add(e);
        }
      }));
    }
    Eventually.await(
        "all wait",
        () -> threads.stream().allMatch(t -> t.getState() == Thread.State.TIMED_WAITING));
    return threads;
  }

  private static void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join(Duration.ofSeconds(20));
    }
  }

  @Test
  void thousandDeliveries_withAnExpiredToken_makeOneCall() throws Exception {
    group();
    deliver();
    later(Duration.ofHours(1));
    CountDownLatch answer = new CountDownLatch(1);
    endpoint = request -> {
      awaitLatch(answer);
      return token(calls.get(), 3600);
    };
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    List<Thread> threads = rush(failures);
    answer.countDown();
    join(threads);

    System.out.printf(
        "oauth2: %d deliveries at once with an expired token: %d token call(s), %d delivered, %d failed%n",
        MANY, calls.get() - 1, target.requests().size() - 1, failures.size());
    assertThat(failures).isEmpty();
    assertThat(calls).hasValue(2);
    assertThat(target.requests()).hasSize(MANY + 1);
    assertThat(target.requests().subList(1, MANY + 1))
        .allMatch(request -> request.header("authorization").equals("Bearer token-2"));
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void endpointThatIsDown_failsAsNetwork_isLeftAlone_andIsAskedOnceWhenItIsBack() throws Exception {
    group();
    endpoint = request -> Receiver.answer(503, "", "busy with " + SECRET);
    AttemptFailure first = failed();
    assertThat(first.errorClass()).isEqualTo(ErrorClass.NETWORK);
    assertThat(first.code()).isEqualTo("TOKEN_FAILED");
    assertThat(first.getMessage())
        .contains("token endpoint", issuer.url("/token"), "answered 503")
        .doesNotContain(SECRET, "tenant=t");
    for (int i = 0; i < MANY; i++) {
      assertThat(failed().errorClass()).isEqualTo(ErrorClass.NETWORK);
    }
    assertThat(calls).hasValue(1);
    // Each time it is left alone for longer.
    for (int seconds : new int[] {2, 3, 6, 11, 21, 38, 38}) {
      later(Duration.ofSeconds(seconds));
      failed();
      failed();
    }
    int down = calls.get();
    assertThat(down).isEqualTo(8);
    assertThat(target.requests()).isEmpty();

    CountDownLatch answer = new CountDownLatch(1);
    endpoint = request -> {
      awaitLatch(answer);
      return token(1, 3600);
    };
    later(Duration.ofSeconds(38));
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    List<Thread> threads = rush(failures);
    answer.countDown();
    join(threads);
    System.out.printf(
        "oauth2: endpoint down for %d attempts: %d calls; back for %d deliveries at once: %d call(s), %d failed%n",
        MANY + 15, down, MANY, calls.get() - down, failures.size());
    assertThat(failures).isEmpty();
    assertThat(calls.get() - down).isEqualTo(1);
    assertThat(target.requests()).hasSize(MANY);
  }

  @Test
  void refusedToken_isReplacedOnce_forAllWhoHadIt() throws Exception {
    group();
    deliver();
    revoked.put("Bearer token-1", true);
    assertThat(deliver().status()).isEqualTo(200);
    assertThat(calls).hasValue(2);
    // Whoever still had the old one takes the new one, without a call.
    Group old = group().withAuth(new Auth.Bearer("token-1"));
    assertThat(desk.tokens.instead("acme", group(), old, Duration.ofSeconds(5)))
        .hasValueSatisfying(
            group -> assertThat(group.auth()).isEqualTo(new Auth.Bearer("token-2")));
    assertThat(calls).hasValue(2);
  }

  @Test
  void receiverThatRefusesEveryToken_doesNotHaveThemAskedForWithoutEnd() throws Exception {
    group();
    for (int i = 0; i < 50; i++) {
      revoked.put("Bearer token-" + i, true);
    }
    AttemptFailure failure = failed();
    assertThat(failure.errorClass()).isEqualTo(ErrorClass.AUTH);
    assertThat(failure.responseBody()).contains("not Bearer ***");
    assertThat(calls).hasValue(2);
    assertThat(target.requests()).hasSize(2);
    for (int i = 0; i < 20; i++) {
      failed();
    }
    assertThat(calls).hasValue(2);
    later(Duration.ofSeconds(11));
    failed();
    assertThat(calls).hasValue(3);
  }

  @Test
  void wrongCredentials_areToldAsSuch() {
    endpoint = request -> Receiver.answer(
        401,
        "",
        "{\"error\":\"invalid_client\",\"error_description\":\"no such secret: "
            + SECRET
            + "\\nand token\"}");
    group();
    AttemptFailure failure = failed();
    assertThat(failure.errorClass()).isEqualTo(ErrorClass.NETWORK);
    assertThat(failure.code()).isEqualTo("TOKEN_REFUSED");
    assertThat(failure.getMessage())
        .contains("does not accept the client id and secret", "answered 401: invalid_client")
        .contains("no such secret: ***")
        .doesNotContain(SECRET);
  }

  @Test
  void nonsense_isNoToken() {
    group();
    Map<String, String> nonsense = Map.of(
        "hello", "without a usable access_token",
        "{\"access_token\":5", "without a usable access_token",
        "{\"access_token\":\"a b\"}", "without a usable access_token",
        "[]", "without a usable access_token",
        "{\"access_token\":\"t\",\"token_type\":\"mac\"}", "no bearer token");
    nonsense.forEach((body, message) -> {
      endpoint = request -> Receiver.ok(body);
      later(Duration.ofSeconds(60));
      AttemptFailure failure = failed();
      assertThat(failure.errorClass()).as(body).isEqualTo(ErrorClass.NETWORK);
      assertThat(failure.getMessage()).contains(message);
    });
    endpoint = request -> Receiver.answer(302, "Location: " + target.url("/t") + "\r\n", "");
    later(Duration.ofSeconds(60));
    assertThat(failed().getMessage()).contains("answered 302");
    endpoint = request -> Receiver.ok("{\"access_token\":\"" + "x".repeat(70_000) + "\"}");
    later(Duration.ofSeconds(60));
    assertThat(failed().getMessage()).contains("without a usable");
    assertThat(target.requests()).isEmpty();
  }

  @Test
  void slowEndpoint_costsAnAttemptItsTimeOnly_andServesTheNextOne() throws Exception {
    group();
    CountDownLatch answer = new CountDownLatch(1);
    endpoint = request -> {
      awaitLatch(answer);
      return token(1, 3600);
    };
    AttemptFailure failure =
        desk.failed(Desk.job(HttpCall.toPath("/x"), "shop"), Duration.ofMillis(200));
    assertThat(failure.errorClass()).isEqualTo(ErrorClass.NETWORK);
    assertThat(failure.getMessage()).contains("did not answer in time", "/token");
    answer.countDown();
    deliver();
    assertThat(calls).hasValue(1);
  }

  @Test
  void closedEndpoint_isNamed() {
    try (ClosedPort closed = TestPorts.closed()) {
      String url = "http://127.0.0.1:" + closed.number() + "/token";
      desk.with(group().withAuth(new Auth.OAuth2(url, "the client", SECRET, null)));
      assertThat(failed().getMessage())
          .contains("the token endpoint gave no token: no connection to", url);
    }
  }

  @Test
  void tokenUrl_isGuarded_andHttpsUnlessOpened() {
    AddressGuard closed = Desk.guard();
    AddressGuard open = Desk.guard("127.0.0.0/8");
    Auth.OAuth2 loopback = new Auth.OAuth2("http://127.0.0.1:1/t", "c", "s", null);
    loopback.check(open);
    refused(loopback, closed, "loopback");
    refused(new Auth.OAuth2("http://a.example/t", "c", "s", null), closed, "https://");
    refused(new Auth.OAuth2("http://9.9.9.9/t", "c", "s", null), open, "https://");
    new Auth.OAuth2("https://a.example/t", "c", "s", null).check(closed);
  }

  private static void refused(Auth.OAuth2 auth, AddressGuard guard, String why) {
    SluiceException refused = catchThrowableOfType(SluiceException.class, () -> auth.check(guard));
    assertThat(refused.field()).hasValue("auth.tokenUrl");
    assertThat(refused).hasMessageContaining(why);
  }

  @Test
  void trial_asksAtOnce_andWhatItGetsIsKept() throws Exception {
    group();
    endpoint = request -> Receiver.answer(500, "", "");
    failed();
    endpoint = request -> token(5, 100);
    Tokens.Trial trial = desk.tokens.trial("acme", "shop", auth());
    assertThat(trial.lifetime()).isEqualTo(Duration.ofSeconds(100));
    deliver();
    assertThat(target.requests().getFirst().header("authorization")).isEqualTo("Bearer token-5");
    assertThat(calls).hasValue(2);
  }
}
