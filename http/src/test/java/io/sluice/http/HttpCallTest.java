package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.JacksonCodec;
import io.sluice.Lane;
import io.sluice.SluiceException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HttpCallTest {
  private static final AddressGuard GUARD = new AddressGuard(List.of());
  private static final HttpCall CALL = HttpCall.to("https://example.com/x");

  private static String refusal(HttpCall call) {
    try {
      call.check(GUARD);
    } catch (SluiceException e) {
      return e.getMessage();
    }
    throw new AssertionError("not refused: " + call);
  }

  private static String refusal(Map<String, String> headers) {
    return refusal(CALL.withHeaders(headers));
  }

  @Test
  void goodCall_isNotRefused() {
    CALL.withMethod("patch")
        .withHeaders(Map.of("X-A", "1", "authorization", "Bearer x", "content-type", "text/csv"))
        .withBody(JsonValue.ofText("a,b"))
        .withCallbacks("https://example.com/ok", "https://example.com/failed")
        .check(GUARD);
  }

  @Test
  void payload_isReadFromJson_withTheVeryNumbersItHas_andWrittenBack() {
    String json = "{\"url\":\"https://example.com/\",\"headers\":{\"a\":\"b\"},"
        + "\"body\":{\"amount\":12345678901234567890.1234567890,\"n\":1.10,\"e\":\"ä\"}}";
    HttpCall call = new JacksonCodec().decode(json, HttpCall.class);

    assertThat(new String(call.bytes(), StandardCharsets.UTF_8))
        .isEqualTo("{\"amount\":12345678901234567890.1234567890,\"n\":1.10,\"e\":\"ä\"}");
    assertThat(new JacksonCodec().encode(call)).isEqualTo(json);
  }

  @Test
  void body_isJsonTextOrBytes() {
    JacksonCodec codec = new JacksonCodec();
    HttpCall text = codec.decode("{\"body\":\"say \\\"hi\\\"\"}", HttpCall.class);
    HttpCall list = codec.decode("{\"body\":[1, 2]}", HttpCall.class);
    HttpCall none = codec.decode("{\"body\":null}", HttpCall.class);
    HttpCall bytes = codec.decode("{\"bodyBase64\":\"AAH/\"}", HttpCall.class);

    assertThat(text.bytes()).asString().isEqualTo("say \"hi\"");
    assertThat(text.contentType()).hasValue("text/plain; charset=utf-8");
    assertThat(list.bytes()).asString().isEqualTo("[1,2]");
    assertThat(list.contentType()).hasValue("application/json");
    assertThat(none.bytes()).isEmpty();
    assertThat(none.contentType()).isEmpty();
    assertThat(bytes.bytes()).containsExactly(0, 1, 0xff);
    assertThat(bytes.contentType()).hasValue("application/octet-stream");
  }

  @Test
  void badFields_areRefused_byName() {
    assertThat(refusal(CALL.withMethod("TRACE"))).contains("method must be GET");
    assertThat(refusal(CALL.withMethod("POST / HTTP/1.1\r\n"))).contains("method must be GET");
    assertThat(refusal(HttpCall.to("http://localhost/"))).contains("url has a host that means");
    assertThat(refusal(HttpCall.toPath("/x"))).contains("url must be given");
    assertThat(refusal(CALL.withCallbacks("http://10.0.0.1/", null))).contains("callbackUrl has");
    assertThat(refusal(CALL.withCallbacks(null, "ftp://x/"))).contains("failureCallbackUrl must");
    assertThat(refusal(CALL.withBytes(new byte[1]).withBody(JsonValue.of("1"))))
        .contains("bodyBase64 must not be given with a body");
    HttpCall bad = new HttpCall(
        "https://example.com/", null, null, Map.of(), null, "not base64", null, null, null);
    assertThat(refusal(bad)).contains("bodyBase64 must be base64");
  }

  @Test
  void headersThatAreNotTheJobs_areRefused() {
    for (String name : List.of(
        "Connection",
        "keep-alive",
        "Proxy-Authorization",
        "proxy-connection",
        "TE",
        "trailer",
        "Transfer-Encoding",
        "upgrade",
        "HTTP2-Settings",
        "Host",
        "content-length",
        "Expect",
        "webhook-id",
        "Webhook-Signature",
        "sluice-job-id",
        "SLUICE-anything")) {
      assertThat(refusal(Map.of(name, "x")))
          .as(name)
          .containsIgnoringCase("headers must not set '" + name + "'");
    }
  }

  @Test
  void headersThatBreakTheMessage_areRefused() {
    for (String name : List.of("", "a b", "a:b", "a\r\nb", "ä", "a\u0000", "(a)")) {
      assertThat(refusal(Map.of(name, "x"))).as(name).contains("headers must have names of");
    }
    for (String value : List.of("a\r\nx: y", "a\nb", "a\rb", "a\u0000", "\u0085", "snow \u2603")) {
      assertThat(refusal(Map.of("x-a", value)))
          .as(value)
          .contains("headers must give 'x-a' a value without line breaks");
    }
    Map<String, String> missing = new HashMap<>();
    missing.put("x-a", null);
    assertThat(refusal(missing)).contains("'x-a' a text, was null");
    assertThat(refusal(Map.of("X-A", "1", "x-a", "2"))).contains("'x-a' once only");
    CALL.withHeaders(Map.of("x-a", "caf\u00e9\tau lait")).check(GUARD);
  }

  @Test
  void tooManyOrTooLongHeaders_areRefused() {
    Map<String, String> many = new LinkedHashMap<>();
    for (int i = 0; i < 100; i++) {
      many.put("x-" + i, "v");
    }
    CALL.withHeaders(many).check(GUARD);
    many.put("x-100", "v");
    assertThat(refusal(many)).contains("headers must be at most 100, were 101");
    assertThat(refusal(Map.of("x-a", "v".repeat(33_000)))).contains("32768 characters together");
  }

  @Test
  void pathOfAGroup_staysBelowItsBase() throws Exception {
    Group group = Group.of("shop", "https://api.example.com/v1");
    for (Map.Entry<String, String> good : Map.of(
            "", "https://api.example.com/v1",
            "/", "https://api.example.com/v1/",
            "/charges?x=..%2F..", "https://api.example.com/v1/charges?x=..%2F..",
            "?x=1", "https://api.example.com/v1?x=1",
            "/users/@me", "https://api.example.com/v1/users/@me",
            "/a//b/...", "https://api.example.com/v1/a//b/...")
        .entrySet()) {
      HttpCall.toPath(good.getKey()).check(GUARD, group);
      assertThat(group.url(good.getKey(), GUARD).text()).isEqualTo(good.getValue());
    }
    for (String bad : List.of(
        "//evil.example/",
        "@evil.example/",
        ".evil.example/",
        ":8443/",
        "x",
        "https://evil.example/",
        "/..",
        "/../x",
        "/a/../../x",
        "/%2e%2E/x",
        "/.%2e/x",
        "/a/..;x/b",
        "/..%2fx",
        "/..%5cx",
        "/a\\..\\b",
        "/a b",
        "/a#b",
        "/\r\nx")) {
      assertThatThrownBy(() -> HttpCall.toPath(bad).check(GUARD, group))
          .as(bad)
          .isInstanceOf(SluiceException.class)
          .hasMessageContaining("path ");
    }
    assertThatThrownBy(() -> CALL.check(GUARD, group)).hasMessageContaining("instead of a url");
    HttpCall both =
        new HttpCall("https://a.example/", "/x", null, null, null, null, null, null, null);
    assertThatThrownBy(() -> both.check(GUARD)).hasMessageContaining("path goes with a urlGroup");
  }

  @Test
  void baseUrlWithoutAPath_takesPathsToo() throws Exception {
    assertThat(Group.of("a", "https://api.example.com").url("/x", GUARD).text())
        .isEqualTo("https://api.example.com/x");
    assertThat(Group.of("a", "https://api.example.com/").url("/x", GUARD).text())
        .isEqualTo("https://api.example.com/x");
    assertThat(Group.of("a", "https://api.example.com").url("?x=1", GUARD).text())
        .isEqualTo("https://api.example.com/?x=1");
  }

  @Test
  void badGroup_isRefused_byField() {
    Group good = Group.of("shop", "https://api.example.com/v1");
    good.withAuth(new Auth.Hmac("x-signature", "s")).check(GUARD);

    assertThatThrownBy(() -> Group.of("Shop!", "https://a.example")).hasMessageContaining("name ");
    for (Map.Entry<Group, String> bad : Map.of(
            Group.of("a", "http://10.0.0.1/"), "baseUrl has a host that is a private",
            Group.of("a", "https://a.example/?x"), "baseUrl must not have a query",
            good.withHeaders(Map.of("host", "x")), "defaultHeaders must not set 'host'",
            good.withAuth(new Auth.Header("webhook-id", "x")), "auth.name must not set",
            good.withAuth(new Auth.Bearer("a\r\nb")), "auth.token must give",
            good.withAuth(new Auth.Basic("a:b", "c")), "auth.username must not contain a colon",
            good.withAuth(new Auth.Hmac("x-sig", "")), "auth.secret must not be empty")
        .entrySet()) {
      assertThatThrownBy(() -> bad.getKey().check(GUARD)).hasMessageContaining(bad.getValue());
    }
  }

  @Test
  void textThatIsNotOneJsonValue_isNoBody() {
    for (String bad : List.of("", " ", "{", "1 2", "1,\"url\":\"https://evil.example/\"", "nope")) {
      assertThatThrownBy(() -> JsonValue.of(bad))
          .as(bad)
          .isInstanceOf(SluiceException.class)
          .hasMessageContaining("body ");
    }
    assertThat(JsonValue.of(" [1] ").json()).isEqualTo("[1]");
  }

  @Test
  void requestOfAnyPart_keepsToTheFormOfHttp() {
    TargetUrl url = TargetUrl.check("url", "https://example.com/?geheim", GUARD);
    for (Map<String, String> bad :
        List.of(Map.of("a", "b\r\nc: d"), Map.of("a b", "c"), Map.of("Content-Length", "5"))) {
      assertThatThrownBy(() -> Outgoing.bare("GET", Party.of("acme"), url, bad))
          .isInstanceOf(SluiceException.class);
    }
    assertThat(Outgoing.bare("GET", Party.of("acme"), url, Map.of("authorization", "geheim"))
            .toString())
        .doesNotContain("geheim");
  }

  @Test
  void nothingPrinted_showsASecret() {
    assertThat(HttpCall.to("https://example.com/a?geheim")
            .withHeaders(Map.of("authorization", "geheim"))
            .withBody(JsonValue.ofText("geheim"))
            .toString())
        .contains("https://example.com/a")
        .doesNotContain("geheim");
    Group group = Group.of("shop", "https://api.example.com/")
        .withHeaders(Map.of("x-key", "geheim"))
        .withSigning(new Signing(Signing.Scheme.WSTASH, List.of("geheim")));
    for (Auth auth : List.of(
        new Auth.Basic("me", "geheim"),
        new Auth.Bearer("geheim"),
        new Auth.Header("x", "geheim"),
        new Auth.Hmac("x", "geheim"))) {
      assertThat(group.withAuth(auth).toString()).doesNotContain("geheim").contains("***");
      assertThat(Party.of("acme", group.withAuth(auth)).toString()).doesNotContain("geheim");
    }
  }

  @Test
  void bucketOf_goesByTheHostAlone() {
    String bucket = Lane.bucketOf("api.example.com");
    assertThat(List.of(
            "https://api.example.com",
            "http://API.example.com:8080/x?y=https://other.example.com/",
            "https://me:pw@api.example.com/x",
            "https://api.example.com?x",
            "https://api.example.com#x"))
        .allSatisfy(url -> assertThat(HttpCall.bucketOf(url)).as(url).isEqualTo(bucket));
    assertThat(HttpCall.bucketOf("http://[2001:db8::1]:80/x"))
        .isEqualTo(Lane.bucketOf("[2001:db8::1]"));
    assertThat(HttpCall.bucketOf("/path")).isEmpty();
    assertThat(HttpCall.bucketOf(null)).isEmpty();
  }
}
