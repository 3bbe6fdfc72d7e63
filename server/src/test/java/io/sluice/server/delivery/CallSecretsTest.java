package io.sluice.server.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.http.HttpCall;
import io.sluice.server.TestDatabase;
import io.sluice.server.TestServer;
import io.sluice.server.secret.MasterKey;
import io.sluice.server.secret.Vault;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which parts of a call are sealed, and for whom. */
class CallSecretsTest {
  private static TestDatabase tables;
  private static CallSecrets secrets;

  @BeforeAll
  static void open() {
    tables = TestDatabase.create();
    MasterKey key = MasterKey.parse("test", TestServer.MASTER_KEY);
    secrets = new CallSecrets(new Vault(tables.database(), key).start());
  }

  @AfterAll
  static void close() {
    tables.close();
  }

  @Test
  void seal_hidesCredentials_andOpensToTheLetter() {
    HttpCall call = HttpCall.to(
            "https://a.example/p?token=a%20b&x=1&%74oken=c&empty=&api-key=d&flag")
        .withHeaders(Map.of("X-Api-Key", "k", "accept", "text/plain"))
        .withCallbacks("https://b.example/?sig=s", "https://c.example/?password=p");
    HttpCall sealed = secrets.seal("acme", call);
    assertThat(sealed.toString()).doesNotContain("a%20b", "=c", "=d", "=s", "=p", "Key=k");
    assertThat(sealed.url())
        .startsWith("https://a.example/p?token=sluice-sealed:")
        .contains("x=1");
    assertThat(sealed.headers().get("accept")).isEqualTo("text/plain");
    assertThat(secrets.open("acme", sealed)).isEqualTo(call);
    assertThat(CallSecrets.masked(sealed)).isEqualTo(CallSecrets.masked(call));
    assertThat(CallSecrets.masked(call).url())
        .isEqualTo("https://a.example/p?token=***&x=1&%74oken=***&empty=&api-key=***&flag");
  }

  @Test
  void callWithoutCredentials_isLeftAsItIs() {
    HttpCall call = HttpCall.toPath("/p?x=1#no").withHeaders(Map.of("x-a", "b"));
    assertThat(secrets.seal("acme", call)).isEqualTo(call);
  }

  @Test
  void sealedCredential_doesNotOpen_forAnotherTenantOrPlace() {
    HttpCall sealed = secrets.seal(
        "acme",
        HttpCall.to("https://a.example/?token=t").withHeaders(Map.of("authorization", "Bearer b")));
    secrets.seal("other", HttpCall.to("https://a.example/?token=t"));
    assertThatThrownBy(() -> secrets.open("other", sealed)).hasMessageContaining("does not open");
    String moved = String.valueOf(sealed.url()).replace("a.example", "thief.example");
    assertThatThrownBy(() -> secrets.open("acme", HttpCall.to(moved)))
        .hasMessageContaining("does not open");
    assertThatThrownBy(() -> secrets.open(
            "acme", HttpCall.to("https://thief.example/").withHeaders(sealed.headers())))
        .hasMessageContaining("does not open");
  }

  @Test
  void failureCallback_opensAsTheUrlOfItsOwnJob() {
    HttpCall sealed = secrets.seal(
        "acme",
        HttpCall.to("https://a.example/").withCallbacks(null, "https://b.example/?token=t"));
    HttpCall callback = HttpCall.to(String.valueOf(sealed.failureCallbackUrl()));
    assertThat(secrets.open("acme", callback).url()).isEqualTo("https://b.example/?token=t");
  }
}
