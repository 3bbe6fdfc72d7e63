package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import io.sluice.testkit.ManualClock;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SigningTest {
  static final String OLD = secret(24, 'o');
  static final String NEW = secret(64, 'n');
  private static final String BODY = "{\"amount\":1.10,\"name\":\"Zoë\"}";
  private static final byte[] BYTES = BODY.getBytes(StandardCharsets.UTF_8);

  private final Desk desk = new Desk();
  private final Receiver receiver = desk.closing(Receiver.answering(request -> Receiver.ok("")));

  @AfterEach
  void close() {
    desk.close();
  }

  private static String secret(int length, char filling) {
    byte[] bytes = String.valueOf(filling).repeat(length).getBytes(StandardCharsets.US_ASCII);
    return "whsec_" + Base64.getEncoder().encodeToString(bytes);
  }

  private Receiver.Request signed(Signing signing) throws Exception {
    desk.with(Group.of("shop", receiver.url("/in")).withSigning(signing));
    desk.done(HttpCall.toPath("/order?x=1").withBody(JsonValue.of(BODY)), "shop");
    return receiver.only();
  }

  private static Map<String, List<String>> asLists(Receiver.Request request) {
    return request.headers().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, e -> List.of(e.getValue())));
  }

  private static boolean isGood(WebhookVerifier verifier, Receiver.Request request) {
    return verifier.verify(
        request.header("webhook-id"),
        request.header("webhook-timestamp"),
        request.header("webhook-signature"),
        BYTES);
  }

  private static WebhookVerifier verifier(String... secrets) {
    return new WebhookVerifier(InstantSource.system(), List.of(secrets));
  }

  @Test
  void standardSignature_isGood_toTheStandardsOwnLibrary_andToOurVerifier() throws Exception {
    Receiver.Request request = signed(new Signing(Signing.Scheme.STANDARD_WEBHOOKS, List.of(NEW)));

    assertThat(request.header("webhook-id")).isEqualTo(Desk.ID.toString());
    new Webhook(NEW).verify(BODY, asLists(request));
    assertThat(isGood(verifier(NEW), request)).isTrue();
    assertThat(isGood(verifier(OLD), request)).isFalse();
  }

  @Test
  void whileASecretIsReplaced_bothAreGood() throws Exception {
    Receiver.Request request =
        signed(new Signing(Signing.Scheme.STANDARD_WEBHOOKS, List.of(NEW, OLD)));

    assertThat(request.header("webhook-signature")).matches("v1,\\S{44} v1,\\S{44}");
    new Webhook(NEW).verify(BODY, asLists(request));
    new Webhook(OLD).verify(BODY, asLists(request));
    assertThat(isGood(verifier(NEW), request)).isTrue();
    assertThat(isGood(verifier(OLD), request)).isTrue();
    assertThat(isGood(verifier(secret(32, 'x')), request)).isFalse();
    assertThatThrownBy(() -> new Webhook(secret(32, 'x')).verify(BODY, asLists(request)))
        .isInstanceOf(WebhookVerificationException.class);
  }

  @Test
  void verifier_takesWhatTheStandardsOwnLibrarySigned() throws Exception {
    ManualClock clock = new ManualClock();
    long second = clock.instant().getEpochSecond();
    String signature = new Webhook(OLD).sign("msg_1", second, BODY);

    assertThat(new WebhookVerifier(clock, List.of(NEW, OLD))
            .verify("msg_1", Long.toString(second), signature, BYTES))
        .isTrue();
  }

  @Test
  void verifier_refusesEveryPrefix_andEveryOtherChange() throws Exception {
    ManualClock clock = new ManualClock();
    String second = Long.toString(clock.instant().getEpochSecond());
    String good = new Webhook(OLD).sign("msg_1", clock.instant().getEpochSecond(), BODY);
    WebhookVerifier verifier = new WebhookVerifier(clock, List.of(OLD));

    assertThat(verifier.verify("msg_1", second, good, BYTES)).isTrue();
    for (int length = 0; length < good.length(); length++) {
      String prefix = good.substring(0, length);
      // Base64 without its padding is the same signature, whole.
      boolean whole = length == good.length() - 1 && good.endsWith("=");
      assertThat(verifier.verify("msg_1", second, prefix, BYTES)).as(prefix).isEqualTo(whole);
    }
    for (String bad : List.of(
        good.replace("v1,", "v2,"),
        good + "AA==",
        "v1, " + good.substring(3),
        "v1," + "A".repeat(43) + "=",
        "v1,%%%",
        "x".repeat(5000))) {
      assertThat(verifier.verify("msg_1", second, bad, BYTES)).as(bad).isFalse();
    }
    assertThat(verifier.verify("msg_2", second, good, BYTES)).isFalse();
    assertThat(verifier.verify(null, second, good, BYTES)).isFalse();
    assertThat(verifier.verify("msg_1", null, good, BYTES)).isFalse();
    assertThat(verifier.verify("msg_1", second, null, BYTES)).isFalse();
    assertThat(verifier.verify("msg_1", second, good, new byte[0])).isFalse();
  }

  @Test
  void verifier_refusesWhatIsOlderOrNewerThanFiveMinutes() throws Exception {
    ManualClock clock = new ManualClock();
    long second = clock.instant().getEpochSecond();
    String good = new Webhook(OLD).sign("msg_1", second, BODY);
    WebhookVerifier verifier = new WebhookVerifier(clock, List.of(OLD));

    clock.advance(Duration.ofMinutes(5));
    assertThat(verifier.verify("msg_1", Long.toString(second), good, BYTES)).isTrue();
    clock.advance(Duration.ofSeconds(1));
    assertThat(verifier.verify("msg_1", Long.toString(second), good, BYTES)).isFalse();
    clock.advance(Duration.ofMinutes(-10).minusSeconds(2));
    assertThat(verifier.verify("msg_1", Long.toString(second), good, BYTES)).isFalse();
    assertThat(verifier.verify("msg_1", "+" + second, good, BYTES)).isFalse();
    assertThat(verifier.verify("msg_1", "99999999999999999999", good, BYTES)).isFalse();
  }

  @Test
  void wstashSignature_coversMethodUrlAndBody() throws Exception {
    Receiver.Request request = signed(new Signing(Signing.Scheme.WSTASH, List.of("neu", "alt")));
    String signature = request.header("sluice-signature");
    String url = receiver.url("/in/order?x=1");

    assertThat(signature).matches("\\S{44} \\S{44}");
    for (String secret : List.of("neu", "alt")) {
      assertThat(verifier(secret).verifyWstash("POST", url, signature, BYTES)).isTrue();
    }
    assertThat(verifier("neu").verifyWstash("PUT", url, signature, BYTES)).isFalse();
    assertThat(verifier("neu").verifyWstash("POST", url + "2", signature, BYTES))
        .isFalse();
    assertThat(verifier("neu").verifyWstash("POST", url, signature, new byte[1]))
        .isFalse();
    assertThat(verifier("neu").verifyWstash("POST", url, "", BYTES)).isFalse();
    assertThat(verifier("neu").verifyWstash("POST", url, null, BYTES)).isFalse();
    assertThat(verifier("other").verifyWstash("POST", url, signature, BYTES)).isFalse();
  }

  @Test
  void wstashSignature_withOneSecret_isOneBase64Hmac() throws Exception {
    Receiver.Request request = signed(new Signing(Signing.Scheme.WSTASH, List.of("key")));
    byte[] all = ("POST" + receiver.url("/in/order?x=1") + BODY).getBytes(StandardCharsets.UTF_8);

    assertThat(request.header("sluice-signature"))
        .isEqualTo(Signatures.base64(Signatures.hmac("key".getBytes(StandardCharsets.UTF_8), all)));
  }

  @Test
  void rotatedSigning_livesOnTheNewestTwo() {
    String made = Signing.newSecret(new SecureRandom());
    Signing signing = new Signing(Signing.Scheme.STANDARD_WEBHOOKS, List.of(NEW, OLD));

    assertThat(Signatures.standardKey("secret", made)).hasSize(32);
    assertThat(Signing.newSecret(new SecureRandom())).isNotEqualTo(made);
    assertThat(signing.rotated(made).secrets()).containsExactly(made, NEW);
  }

  @Test
  void badSecrets_areRefused_withoutBeingShown() {
    for (String bad :
        List.of("", "geheim", "whsec_", "whsec_%%%", secret(23, 'x'), secret(65, 'x'))) {
      assertThatThrownBy(() -> new Signing(Signing.Scheme.STANDARD_WEBHOOKS, List.of(bad)))
          .hasMessageContaining("signing.secrets must be whsec_ and the base64 of 24 to 64")
          .hasMessageNotContaining("geheim");
    }
    assertThatThrownBy(() -> new Signing(Signing.Scheme.WSTASH, List.of()))
        .hasMessageContaining("signing.secrets must be one, or two");
    assertThatThrownBy(() -> new Signing(Signing.Scheme.WSTASH, List.of("a", "b", "c")))
        .hasMessageContaining("were 3");
  }
}
