package io.sluice.server.login;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A token is checked against one key, however many there are. */
class SignerTest {
  private static final Forge FORGE = new Forge();

  /** How many tokens were found to be signed. */
  private final AtomicInteger signed = new AtomicInteger();

  private void show(String header, JWK... published) {
    byte[] keys = new JWKSet(List.of(published)).toString().getBytes(StandardCharsets.UTF_8);
    JwtSettings settings = new JwtSettings(
        Forge.ISSUER,
        Forge.AUDIENCE,
        Set.of("RS256"),
        new JwtKeys.Published(URI.create("https://issuer.example.com/keys")),
        JwtSettings.Claims.DEFAULT,
        false);
    JwtLogin login = new JwtLogin(
        settings,
        tenant -> {
          signed.incrementAndGet();
          return Optional.empty();
        },
        address -> keys,
        InstantSource.system(),
        System::nanoTime);
    assertThat(login.caller(FORGE.headed(header))).isEmpty();
  }

  private static RSAKey named(RSAKey key, String id) {
    return new RSAKey.Builder(key.toPublicJWK()).keyID(id).build();
  }

  @Test
  void tokenWithoutAKeyId_isRefused_whereSeveralKeysFit() {
    show("{\"alg\":\"RS256\"}", named(FORGE.stranger, "a"), named(FORGE.rsa, "b"));
    assertThat(signed.get()).isZero();
    show("{\"alg\":\"RS256\",\"kid\":\"b\"}", named(FORGE.stranger, "a"), named(FORGE.rsa, "b"));
    assertThat(signed.get()).isEqualTo(1);
    show("{\"alg\":\"RS256\"}", named(FORGE.rsa, "b"));
    assertThat(signed.get()).isEqualTo(2);
  }
}
