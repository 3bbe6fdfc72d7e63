package io.sluice.server.login;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.config.Jwt;
import java.net.URI;
import java.util.Set;

/**
 * Which tokens to believe: by whom, for whom, signed how and with what, and what their claims mean.
 * One that makes an admin is believed only where {@code allowAdmin} says so.
 */
public record JwtSettings(
    String issuer,
    String audience,
    Set<String> algorithms,
    JwtKeys keys,
    Claims claims,
    boolean allowAdmin) {

  /** The names of the claims that hold the tenant (its id or name) and the role. */
  public record Claims(String tenant, String role) {
    public static final Claims DEFAULT = new Claims("tenant", "role");
  }

  public JwtSettings {
    algorithms = Set.copyOf(algorithms);
    require(issuer, "jwt-issuer");
    require(audience, "jwt-audience");
    require(claims.tenant, "jwt-tenant-claim");
    require(claims.role, "jwt-role-claim");
    keys.check(algorithms);
  }

  /** What the configuration says. */
  public static JwtSettings of(Jwt jwt) {
    return new JwtSettings(
        jwt.issuer().issuer(),
        jwt.issuer().audience(),
        Set.copyOf(jwt.algorithms()),
        jwt.secret() != null
            ? new JwtKeys.Shared(jwt.secret())
            : new JwtKeys.Published(URI.create(String.valueOf(jwt.jwksUrl()))),
        new Claims(jwt.claims().tenant(), jwt.claims().role()),
        jwt.claims().admin());
  }

  private static void require(String value, String setting) {
    if (value.isBlank()) {
      throw new SluiceException(ErrorCode.BAD_CONFIGURATION, setting + " must not be empty");
    }
  }
}
