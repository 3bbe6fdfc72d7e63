package io.sluice.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a URL group proves who calls. Secrets are best given as {@code @FILE} or {@code -}: others on the
 * machine can read command lines.
 */
final class AuthOptions {
  @Option(
      names = "--bearer",
      order = 30,
      paramLabel = "TOKEN|@FILE|-",
      description = "Authorization: Bearer")
  private @Nullable String bearer;

  @Option(
      names = "--basic",
      order = 31,
      paramLabel = "USER:PASSWORD|@FILE|-",
      description = "Authorization: Basic")
  private @Nullable String basic;

  @Option(
      names = "--auth-header",
      order = 32,
      paramLabel = "'NAME: VALUE'|@FILE|-",
      description = "a header with a secret")
  private @Nullable String header;

  @Option(
      names = "--hmac",
      order = 33,
      paramLabel = "'HEADER: SECRET'|@FILE|-",
      description = "a header with an HMAC of the body")
  private @Nullable String hmac;

  @Option(
      names = "--oauth2",
      order = 34,
      paramLabel = "TOKEN-URL",
      description = "OAuth2 client credentials")
  private @Nullable String oauth2;

  @Option(names = "--client-id", order = 35, paramLabel = "ID", description = "with --oauth2")
  private @Nullable String clientId;

  @Option(
      names = "--client-secret",
      order = 36,
      paramLabel = "SECRET|@FILE|-",
      description = "with --oauth2")
  private @Nullable String clientSecret;

  @Option(names = "--scope", order = 37, paramLabel = "SCOPE", description = "with --oauth2")
  private @Nullable String scope;

  @Option(names = "--no-auth", order = 38, description = "nothing at all")
  private boolean none;

  /** What was chosen, as the API wants it; null where nothing was. */
  @Nullable
  JsonNode auth(Console console) {
    ObjectNode auth = Json.object();
    int ways = 0;
    if (bearer != null) {
      auth.put("type", "bearer").put("token", Source.text(console, "--bearer", bearer));
      ways++;
    }
    if (basic != null) {
      pair(
          auth, "basic", Source.text(console, "--basic", basic), "--basic", "username", "password");
      ways++;
    }
    if (header != null) {
      pair(
          auth,
          "header",
          Source.text(console, "--auth-header", header),
          "--auth-header",
          "name",
          "value");
      ways++;
    }
    if (hmac != null) {
      pair(auth, "hmac", Source.text(console, "--hmac", hmac), "--hmac", "header", "secret");
      ways++;
    }
    if (oauth2 != null) {
      oauth2(auth, console);
      ways++;
    }
    if (none) {
      auth.put("type", "none");
      ways++;
    }
    if (ways > 1) {
      throw new CommandException(
          Exit.MISUSED, "a URL group has one way to prove who calls: give one");
    }
    return ways == 0 ? null : auth;
  }

  private void oauth2(ObjectNode auth, Console console) {
    auth.put("type", "oauth2").put("tokenUrl", oauth2).put("clientId", clientId);
    auth.put(
        "clientSecret",
        clientSecret == null ? null : Source.text(console, "--client-secret", clientSecret));
    if (scope != null) {
      auth.put("scope", scope);
    }
  }

  private static void pair(
      ObjectNode auth, String type, String given, String option, String first, String second) {
    int colon = given.indexOf(':');
    if (colon < 1) {
      throw new CommandException(Exit.MISUSED, option + " must be two words with a colon between");
    }
    auth.put("type", type)
        .put(first, given.substring(0, colon).strip())
        .put(second, given.substring(colon + 1).strip());
  }
}
