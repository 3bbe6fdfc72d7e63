package io.sluice.server.login;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWK;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When published keys are fetched, and when not. */
class JwksTest {
  private static final Forge FORGE = new Forge();

  private long now = 1;
  private int fetches;
  private byte[] answer = FORGE.published();
  private boolean down;
  private final Jwks jwks =
      new Jwks(URI.create("https://issuer.example.com/keys"), this::fetch, () -> now);

  private byte[] fetch(URI address) throws IOException {
    fetches++;
    if (down) {
      throw new IOException("down");
    }
    return answer;
  }

  private List<JWK> find(String id) {
    return jwks.find(key -> id.equals(key.getKeyID()));
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void keys_areFetchedOnce_andKept() {
    for (int i = 0; i < 100; i++) {
      assertThat(find("r1")).hasSize(1);
    }
    assertThat(fetches).isEqualTo(1);
    pass(Duration.ofMinutes(11));
    assertThat(find("r1")).hasSize(1);
    assertThat(fetches).isEqualTo(2);
  }

  @Test
  void unknownKey_isFetchedFor_atMostOnceAMinute() {
    find("r1");
    for (int second = 0; second < 120; second++) {
      pass(Duration.ofSeconds(1));
      for (int i = 0; i < 10; i++) {
        assertThat(find("unknown-" + i)).isEmpty();
      }
    }
    assertThat(fetches).isEqualTo(1 + 2);
  }

  @Test
  void newKey_isFound_afterTheIssuerRotated() {
    answer = "{\"keys\":[]}".getBytes(StandardCharsets.UTF_8);
    assertThat(find("r1")).isEmpty();
    answer = FORGE.published();
    assertThat(find("r1")).isEmpty();
    pass(Duration.ofMinutes(1));
    assertThat(find("r1")).hasSize(1);
  }

  @Test
  void issuerThatIsDown_costsNoKeys_forADay() {
    find("r1");
    down = true;
    pass(Duration.ofHours(23));
    assertThat(find("r1")).hasSize(1);
    pass(Duration.ofHours(2));
    assertThat(find("r1")).isEmpty();
    down = false;
    pass(Duration.ofMinutes(1));
    assertThat(find("r1")).hasSize(1);
  }

  @Test
  void tooLargeOrBrokenKeys_areNotTaken() {
    answer = new byte[300 << 10];
    assertThat(find("r1")).isEmpty();
    answer = "<html>".getBytes(StandardCharsets.UTF_8);
    pass(Duration.ofSeconds(5));
    assertThat(find("r1")).isEmpty();
    answer = FORGE.published();
    pass(Duration.ofSeconds(5));
    assertThat(find("r1")).hasSize(1);
  }
}
