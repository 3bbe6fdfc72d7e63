package io.sluice.server.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.quota.Quotas;
import io.sluice.server.tenants.Tenant;
import io.sluice.testkit.ManualClock;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The span in which a token is good, to the second. */
class TokenTimesTest {
  private final ManualClock clock = new ManualClock();
  private final Forge forge = new Forge(clock);
  private final Tenant acme = new Tenant(
      new UUID(0, 1),
      "acme",
      true,
      null,
      null,
      null,
      null,
      Quotas.DEFAULT,
      ManualClock.START.minus(Duration.ofDays(1)),
      ManualClock.START);
  private final JwtLogin login = new JwtLogin(
      new JwtSettings(
          Forge.ISSUER,
          Forge.AUDIENCE,
          Set.of("RS256"),
          new JwtKeys.Published(URI.create("https://issuer.example.com/")),
          JwtSettings.Claims.DEFAULT,
          false),
      reference -> Optional.of(acme)
          .filter(tenant -> Set.of(tenant.name(), tenant.id().toString()).contains(reference)),
      address -> forge.published(),
      clock,
      () -> 1);

  private boolean isGood(String claim, long seconds) {
    return login.caller(forge.token(claim, forge.in(seconds))).isPresent();
  }

  @Test
  void token_isGood_untilHalfAMinuteAfterItsEnd() {
    assertThat(isGood("exp", 1)).isTrue();
    assertThat(isGood("exp", -29)).isTrue();
    assertThat(isGood("exp", -30)).isFalse();
    assertThat(isGood("exp", 3_660L * 86_400 - 1)).isTrue();
    assertThat(isGood("exp", 3_660L * 86_400)).isFalse();
  }

  @Test
  void token_isGood_fromHalfAMinuteBeforeItsStart() {
    for (String start : new String[] {"nbf", "iat"}) {
      assertThat(isGood(start, -1_000)).isTrue();
      assertThat(isGood(start, 30)).isTrue();
      assertThat(isGood(start, 31)).isFalse();
    }
  }

  @Test
  void tokenOlderThanItsTenant_wasMadeForAnotherOfThatName() {
    long made = -Duration.ofDays(1).toSeconds();
    for (String start : new String[] {"iat", "nbf"}) {
      assertThat(isGood(start, made - 30)).isTrue();
      assertThat(isGood(start, made - 31)).isFalse();
    }
    String byId =
        forge.token("iat", forge.in(made - 31), "tenant", Forge.quoted(acme.id().toString()));
    assertThat(login.caller(byId)).isPresent();
  }

  @Test
  void caller_isWhoTheTokenSays_withNothingOddInItsName() {
    String token = forge.token("sub", "\"a\\nb" + "c".repeat(200) + "\"");
    assertThat(login.caller(token)).hasValueSatisfying(caller -> {
      assertThat(caller.tenant()).isEqualTo("acme");
      assertThat(caller.id()).startsWith("jwt:a?b").hasSize(104);
    });
  }
}
