package io.sluice.server;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.login.JwtSettings;
import org.jspecify.annotations.Nullable;

/**
 * Who may come in: the admin's key, tokens of another issuer if any are to be believed, and how many
 * log-ins from one address may fail in a row.
 */
public record AccessSettings(String adminKey, @Nullable JwtSettings jwt, int loginFailures) {
  private static final int FAILURES = 10;
  private static final int MOST_FAILURES = 1_000_000;

  public AccessSettings {
    if (loginFailures < 1 || loginFailures > MOST_FAILURES) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION, "login-failures must be 1 to " + MOST_FAILURES);
    }
  }

  /** The admin's key and API keys only. */
  public static AccessSettings of(String adminKey) {
    return new AccessSettings(adminKey, null, FAILURES);
  }

  public AccessSettings withJwt(JwtSettings settings) {
    return new AccessSettings(adminKey, settings, loginFailures);
  }

  public AccessSettings withLoginFailures(int failures) {
    return new AccessSettings(adminKey, jwt, failures);
  }

  /** Not the key, wherever this ends up. */
  @Override
  public String toString() {
    return "AccessSettings[***]";
  }
}
