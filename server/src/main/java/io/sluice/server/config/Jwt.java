package io.sluice.server.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which tokens are taken beside API keys; exactly one of {@code jwksUrl} and {@code secret} is there. */
public record Jwt(
    Issuer issuer,
    List<String> algorithms,
    @Nullable String jwksUrl,
    @Nullable String secret,
    Claims claims) {
  public Jwt {
    algorithms = List.copyOf(algorithms);
  }

  /** Who must have made a token, and for whom. */
  public record Issuer(String issuer, String audience) {}

  /** Where a token names its tenant and role, and whether that role may be admin. */
  public record Claims(String tenant, String role, boolean admin) {}

  @Override
  public String toString() {
    return "Jwt[issuer=" + issuer + "]"; // the secret stays inside
  }
}
