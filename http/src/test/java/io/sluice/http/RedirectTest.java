package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.AttemptFailure;
import io.sluice.ErrorClass;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedirectTest {
  private final Desk desk = new Desk();
  private final Receiver other =
      desk.closing(Receiver.answering(request -> request.target().equals("/back")
          ? redirect(307, this.home().url("/status/307"))
          : Receiver.ok("other")));
  private final Receiver receiver = desk.closing(Receiver.answering(this::answer));

  @AfterEach
  void close() {
    desk.close();
  }

  private Receiver home() {
    return receiver;
  }

  private static String redirect(int status, String location) {
    return Receiver.answer(status, "Location: " + location + "\r\n", "moved");
  }

  private String answer(Receiver.Request request) {
    String target = request.target();
    if (target.matches("/status/\\d+")) {
      return redirect(Integer.parseInt(target.substring(8)), "/home");
    }
    return switch (target) {
      case "/loop" -> redirect(302, "/loop");
      case "/five" -> redirect(307, "/4");
      case "/4", "/3", "/2", "/1" -> redirect(307, "/" + (target.charAt(1) - '1'));
      case "/away" -> redirect(307, other.url("/x"));
      case "/away-and-back" -> redirect(307, other.url("/back"));
      case "/inside" -> redirect(302, "http://169.254.169.254/latest/meta-data/?token=geheim");
      case "/named" -> redirect(302, "http://metadata.google.internal:9999/");
      case "/file" -> redirect(302, "file:///etc/passwd");
      case "/nowhere" -> Receiver.answer(302, "", "");
      default -> Receiver.ok("here");
    };
  }

  private HttpCall following(String path) {
    return HttpCall.to(receiver.url(path)).withRedirects(true);
  }

  @Test
  void redirect_isAFailure_unlessItIsWanted() {
    AttemptFailure failure = desk.failed(HttpCall.to(receiver.url("/status/302")));

    assertThat(failure.code()).isEqualTo("HTTP_302");
    assertThat(failure.errorClass()).isEqualTo(ErrorClass.REJECTED);
    assertThat(receiver.requests()).hasSize(1);
  }

  @Test
  void wantedRedirect_isFollowed_withTheMethodThatItsStatusMeans() throws Exception {
    Map<Integer, String> methods =
        Map.of(301, "GET", 302, "GET", 303, "GET", 307, "POST", 308, "POST");
    for (Map.Entry<Integer, String> each : methods.entrySet()) {
      HttpCall call = following("/status/" + each.getKey())
          .withHeaders(Map.of("x-a", "1"))
          .withBody(JsonValue.ofText("hi"));

      assertThat(desk.done(call).body()).isEqualTo("here");

      Receiver.Request last = receiver.requests().getLast();
      assertThat(last.method()).as("" + each.getKey()).isEqualTo(each.getValue());
      boolean kept = each.getValue().equals("POST");
      assertThat(last.body()).isEqualTo(kept ? "hi" : "");
      assertThat(last.header("content-type")).isEqualTo(kept ? "text/plain; charset=utf-8" : null);
      assertThat(last.header("x-a")).isEqualTo("1");
    }
  }

  @Test
  void onAnotherOrigin_nothingGoesAlong_thatCouldBeACredential() throws Exception {
    desk.with(Group.of("shop", receiver.url(""))
        .withHeaders(Map.of("x-group", "geheim"))
        .withAuth(new Auth.Header("x-key", "geheim"))
        .withSigning(new Signing(Signing.Scheme.STANDARD_WEBHOOKS, List.of(SigningTest.OLD)))
        .withRedirects(true));
    HttpCall call = HttpCall.toPath("/away")
        .withHeaders(Map.of(
            "authorization",
            "Bearer geheim",
            "cookie",
            "geheim",
            "x-own",
            "geheim",
            "accept",
            "text/csv",
            "content-type",
            "text/csv"))
        .withBody(JsonValue.ofText("a,b"));

    assertThat(desk.done(call, "shop").body()).isEqualTo("other");

    assertThat(receiver.only().headers())
        .containsKeys("x-group", "x-key", "authorization", "cookie", "x-own", "webhook-signature");
    Receiver.Request away = other.only();
    assertThat(away.body()).isEqualTo("a,b");
    assertThat(away.headers().keySet())
        .containsExactlyInAnyOrder(
            "host",
            "content-length",
            "content-type",
            "accept",
            "accept-encoding",
            "user-agent",
            "sluice-job-id",
            "sluice-attempt",
            "sluice-queue",
            "traceparent");
  }

  @Test
  void wayBackFromAnotherOrigin_bringsNoCredentialsBack() throws Exception {
    HttpCall call = following("/away-and-back").withHeaders(Map.of("authorization", "geheim"));

    assertThat(desk.done(call).body()).isEqualTo("here");

    assertThat(receiver.requests().stream().map(Receiver.Request::target))
        .containsExactly("/away-and-back", "/status/307", "/home");
    assertThat(receiver.requests().stream().map(request -> request.header("authorization")))
        .containsExactly("geheim", null, null);
  }

  @Test
  void sameOrigin_isSignedAgain_forTheNewUrl() throws Exception {
    Signing signing = new Signing(Signing.Scheme.WSTASH, List.of("key"));
    desk.with(Group.of("shop", receiver.url("")).withSigning(signing).withRedirects(true));

    desk.done(HttpCall.toPath("/status/303"), "shop");

    WebhookVerifier verifier = new WebhookVerifier(desk.clock, List.of("key"));
    String signature = receiver.requests().getLast().header("sluice-signature");
    assertThat(verifier.verifyWstash("GET", receiver.url("/home"), signature, new byte[0]))
        .isTrue();
  }

  @Test
  void redirectToABlockedPlace_isNotFollowed() {
    for (String path : List.of("/inside", "/file")) {
      AttemptFailure failure = desk.failed(following(path));
      assertThat(failure.errorClass()).isEqualTo(ErrorClass.REJECTED);
      assertThat(failure.status()).hasValue(302);
      assertThat(failure).hasMessageContaining("is not followed").hasMessageNotContaining("geheim");
    }
    assertThat(desk.failed(following("/inside")).code()).isEqualTo("ADDRESS_REFUSED");
  }

  @Test
  void redirectToANameWithABlockedAddress_isNotFollowed() throws Exception {
    byte[] metadata = {(byte) 169, (byte) 254, (byte) 169, (byte) 254};
    try (Desk rebound = new Desk(
        host -> new InetAddress[] {InetAddress.getByAddress(host, metadata)}, "127.0.0.0/8")) {
      AttemptFailure failure = rebound.failed(following("/named"));

      assertThat(failure.code()).isEqualTo("ADDRESS_REFUSED");
      assertThat(failure)
          .hasMessageContaining("whose address is a link-local address")
          .hasMessageNotContaining("169.254");
    }
  }

  @Test
  void fiveRedirects_areFollowed_andNoMore() throws Exception {
    assertThat(desk.done(following("/five")).body()).isEqualTo("here");
    int before = receiver.requests().size();

    AttemptFailure failure = desk.failed(following("/loop"));

    assertThat(failure.code()).isEqualTo("TOO_MANY_REDIRECTS");
    assertThat(failure.errorClass()).isEqualTo(ErrorClass.REJECTED);
    assertThat(receiver.requests()).hasSize(before + 6);
  }

  @Test
  void redirectWithoutALocation_isAFailure() {
    assertThat(desk.failed(following("/nowhere")).code()).isEqualTo("HTTP_302");
  }

  @Test
  void redirectFromHttpsToHttp_isNotFollowed() throws Exception {
    AddressGuard guard = new AddressGuard(List.of());
    Hop secure = Hop.first(TargetUrl.parse("https://example.com/", guard), "POST", Bytes.NONE);
    Answer answer =
        new Answer(307, Map.of("location", "http://example.com/"), Bytes.NONE, true, Duration.ZERO);

    assertThatThrownBy(() -> secure.next(answer, guard))
        .isInstanceOf(RefusedTarget.class)
        .hasMessageContaining("leave https");
  }
}
