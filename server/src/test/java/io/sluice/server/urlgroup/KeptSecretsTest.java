package io.sluice.server.urlgroup;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.Expect;
import io.sluice.server.Receiver;
import io.sluice.server.Rig;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kept secrets of a group whose target moves: refused unless they are given again. */
@Tag("slow")
class KeptSecretsTest {
  private static final String WHSEC = "whsec_" + "A".repeat(44);

  private static Rig rig;
  private static Receiver other;

  @BeforeAll
  static void start() {
    rig = new Rig();
    other = new Receiver();
  }

  @AfterAll
  static void stop() {
    rig.close();
    other.close();
  }

  private static Client.Reply change(String group, String json) {
    return rig.admin.put("/v1/url-groups/" + group, json);
  }

  private static List<String> fields(Client.Reply refused) {
    assertThat(refused.status()).as(refused.raw().body()).isEqualTo(422);
    return refused
        .body()
        .path("errors")
        .valueStream()
        .map(error -> error.path("field").asString())
        .toList();
  }

  private static String auth(String fields) {
    return ",\"auth\":{" + fields + "}";
  }

  @Test
  void anotherOrigin_isRefused_namingEverySecretThatWouldGoThere() {
    rig.group(
        "pay",
        auth("\"type\":\"bearer\",\"token\":\"first-token\"")
            + ",\"defaultHeaders\":{\"x-api-key\":\"first-key\",\"x-plain\":\"1\"},\"signing\":{\"secrets\":[\"%s\"]}"
                .formatted(WHSEC));
    assertThat(fields(change("pay", "{\"baseUrl\":\"%s\"}".formatted(other.url()))))
        .containsExactlyInAnyOrder("auth.token", "defaultHeaders.x-api-key", "signing.secrets[0]");
    assertThat(fields(change(
            "pay",
            "{\"baseUrl\":\"%s\",\"auth\":{\"type\":\"bearer\",\"token\":\"second\"},\"signing\":{\"scheme\":\"wstash\"}}"
                .formatted(other.url()))))
        .containsExactlyInAnyOrder("defaultHeaders.x-api-key", "signing.secrets[0]");
    String job = rig.enqueue("pay", "/kept", "");
    rig.await(job, "COMPLETED");
    assertThat(rig.receiver.await("/kept", 1).header("x-api-key")).isEqualTo("first-key");
    assertThat(other.got("/kept")).isEmpty();
  }

  @Test
  void anotherPath_keepsSecrets_andTheyMoveWhenTheyAreGivenAgain() {
    rig.group("path", auth("\"type\":\"bearer\",\"token\":\"first-token\""));
    Expect.ok(200, change("path", "{\"baseUrl\":\"%s/below\"}".formatted(rig.receiver.url())));
    Expect.ok(
        200,
        change(
            "path",
            "{\"baseUrl\":\"%s\",\"auth\":{\"type\":\"bearer\",\"token\":\"second\"}}"
                .formatted(other.url())));
    rig.await(rig.enqueue("path", "/moved", ""), "COMPLETED");
    assertThat(other.await("/moved", 1).header("authorization")).isEqualTo("Bearer second");
  }

  @Test
  void anotherScheme_isAnotherOrigin() {
    rig.group("scheme", auth("\"type\":\"basic\",\"username\":\"u\",\"password\":\"p\""));
    String secure = rig.receiver.url().replace("http://", "https://");
    assertThat(fields(change("scheme", "{\"baseUrl\":\"%s\"}".formatted(secure))))
        .containsExactly("auth.password");
  }

  @Test
  void tokenUrl_doesNotMoveWithAKeptClientSecret_norDoesItsTokenToAnotherBaseUrl() {
    String asked =
        "{\"type\":\"oauth2\",\"tokenUrl\":\"%s/token\",\"clientId\":\"c\",\"clientSecret\":\"%s\"}";
    rig.group("oauth", ",\"auth\":" + asked.formatted(rig.receiver.url(), "hush-hush"));
    Client.Reply moved =
        rig.admin.post("/v1/url-groups/oauth/auth", asked.formatted(other.url(), "***"));
    assertThat(fields(moved)).containsExactly("auth.clientSecret");
    assertThat(moved.text("/errors/0/message")).contains("must be given again", other.url());
    assertThat(fields(change("oauth", "{\"baseUrl\":\"%s\"}".formatted(other.url()))))
        .containsExactly("auth.clientSecret");
    assertThat(other.got("/token")).isEmpty();
    Expect.ok(
        200,
        rig.admin.post(
            "/v1/url-groups/oauth/auth", asked.formatted(rig.receiver.url() + "/v2", "***")));
  }

  @Test
  void authHeader_isNotRenamedWithAKeptSecret() {
    rig.group("header", auth("\"type\":\"header\",\"name\":\"x-key\",\"value\":\"v\""));
    String header = "{\"type\":\"header\",\"name\":\"%s\",\"value\":\"***\"}";
    assertThat(fields(rig.admin.post("/v1/url-groups/header/auth", header.formatted("x-echo"))))
        .containsExactly("auth.value");
    Expect.ok(200, rig.admin.post("/v1/url-groups/header/auth", header.formatted("X-Key")));
    rig.group(
        "hmac", auth("\"type\":\"hmac\",\"header\":\"x-sig\",\"secret\":\"0123456789abcdef0123\""));
    assertThat(fields(rig.admin.post(
            "/v1/url-groups/hmac/auth",
            "{\"type\":\"hmac\",\"header\":\"x-other\",\"secret\":\"***\"}")))
        .containsExactly("auth.secret");
  }
}
