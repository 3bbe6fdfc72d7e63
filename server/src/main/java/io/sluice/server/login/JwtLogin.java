package io.sluice.server.login;

import com.nimbusds.jose.jwk.JWK;
import io.sluice.Defaults;
import io.sluice.server.access.Access;
import io.sluice.server.access.Caller;
import io.sluice.server.access.Role;
import io.sluice.server.tenants.Tenant;
import io.sluice.server.tenants.Tenants;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Tells who a signed token belongs to, believing only what the settings let it. */
public final class JwtLogin {
  private static final Logger LOG = LoggerFactory.getLogger(JwtLogin.class);
  private static final long SKEW = Duration.ofSeconds(30).toSeconds();
  /** A token for longer is a mistake: most likely its times are in milliseconds. */
  private static final long LONGEST = Duration.ofDays(3_660).toSeconds();

  private static final int LONGEST_SUBJECT = 100;

  private final JwtSettings settings;
  /** From the id or name of a tenant to the tenant. */
  private final Function<String, Optional<Tenant>> tenants;

  private final InstantSource clock;
  private final @Nullable Jwks published;

  public JwtLogin(
      JwtSettings settings,
      Function<String, Optional<Tenant>> tenants,
      Fetch fetch,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.settings = settings;
    this.tenants = tenants;
    this.clock = clock;
    this.published = settings.keys() instanceof JwtKeys.Published keys
        ? new Jwks(keys.url(), fetch, nanoTime)
        : null;
  }

  /** Whom a token belongs to; nobody when it is not good. Throws FORBIDDEN when its tenant is disabled. */
  public Optional<Caller> caller(String text) {
    try {
      JwtToken token = JwtToken.parse(text);
      requireSigned(token);
      requireForUs(token.claims());
      requireInTime(token.claims());
      return Optional.of(owner(token.claims()));
    } catch (JwtToken.Doubt e) {
      LOG.debug("a token was refused: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private static void require(boolean holds, String otherwise) throws JwtToken.Doubt {
    if (!holds) {
      throw new JwtToken.Doubt(otherwise);
    }
  }

  private void requireSigned(JwtToken token) throws JwtToken.Doubt {
    // Before any key is looked at: the token does not choose the algorithm, it may only name ours.
    require(
        settings.algorithms().contains(token.header().getAlgorithm().getName()),
        "it is signed by another algorithm");
    boolean signed = switch (settings.keys()) {
      case JwtKeys.Shared shared -> Signatures.isBy(shared.bytes(), token);
      case JwtKeys.Published any -> Signatures.isBy(signer(token), token);
    };
    require(signed, "no key of ours has signed it");
  }

  /**
   * The only key that the token may be signed with. A token without a key id must leave no choice, as
   * OpenID Connect asks of issuers: nobody may have us check one token against many keys.
   */
  private JWK signer(JwtToken token) throws JwtToken.Doubt {
    List<JWK> fit =
        published == null ? List.of() : published.find(key -> Signatures.fits(key, token.header()));
    require(!fit.isEmpty(), "no key of ours fits it");
    require(
        fit.size() == 1 || token.header().getKeyID() != null, "it names no key, and several fit");
    return fit.getFirst();
  }

  private void requireForUs(JsonNode claims) throws JwtToken.Doubt {
    require(isText(claims.path("iss"), settings.issuer()::equals), "it is by another issuer");
    JsonNode audience = claims.path("aud");
    boolean ours = audience.isArray()
        ? audience.valueStream().anyMatch(one -> isText(one, settings.audience()::equals))
        : isText(audience, settings.audience()::equals);
    require(ours, "it is for another audience");
  }

  private static boolean isText(JsonNode node, Predicate<String> which) {
    return node.isString() && which.test(node.asString());
  }

  private void requireInTime(JsonNode claims) throws JwtToken.Doubt {
    double now = clock.instant().toEpochMilli() / 1000.0;
    double end = seconds(claims, "exp");
    require(end + SKEW > now, "it has expired");
    require(end < now + LONGEST, "it expires in too many years");
    for (String start : List.of("nbf", "iat")) {
      require(!claims.has(start) || seconds(claims, start) - SKEW <= now, "it is not in force yet");
    }
  }

  private static double seconds(JsonNode claims, String name) throws JwtToken.Doubt {
    require(claims.path(name).isNumber(), name + " is not a number");
    return claims.path(name).doubleValue();
  }

  private Caller owner(JsonNode claims) throws JwtToken.Doubt {
    Role role = Optional.of(claims.path(settings.claims().role()))
        .filter(JsonNode::isString)
        .flatMap(claim -> Role.labelled(claim.asString()))
        .orElseThrow(() -> new JwtToken.Doubt("it has no role of ours"));
    // The figures are those of all tenants: a tenant's issuer does not give them away either.
    boolean overall = role.may(Access.MONITOR);
    require(!overall || settings.allowAdmin(), "it may not make an admin or a monitor");
    Tenant tenant = Optional.of(claims.path(settings.claims().tenant()))
        .filter(JsonNode::isString)
        .flatMap(claim -> tenants.apply(claim.asString()))
        .orElseThrow(() -> new JwtToken.Doubt("it has no tenant of ours"));
    requireMeant(tenant, claims);
    Tenants.requireEnabled(tenant);
    return new Caller(tenant.name(), role, "jwt:" + subject(claims));
  }

  /**
   * A token that names its tenant, instead of giving its id, and is older than that tenant was made for
   * another one, which had the name before and was deleted. The tenant {@code default} cannot be.
   */
  private void requireMeant(Tenant tenant, JsonNode claims) throws JwtToken.Doubt {
    String claim = claims.path(settings.claims().tenant()).asString();
    boolean certain =
        claim.equalsIgnoreCase(tenant.id().toString()) || claim.equals(Defaults.TENANT);
    if (certain) {
      return;
    }
    double made = tenant.createdAt().toEpochMilli() / 1000.0;
    for (String start : List.of("iat", "nbf")) {
      require(
          !claims.has(start) || seconds(claims, start) + SKEW >= made,
          "it is older than the tenant that has this name now");
    }
  }

  /** Who the token says it is about, as far as fits into the audit log. */
  private static String subject(JsonNode claims) {
    String subject = claims.path("sub").isString() ? claims.path("sub").asString() : "";
    String clean = subject.replaceAll("\\p{Cntrl}", "?");
    return clean.length() <= LONGEST_SUBJECT ? clean : clean.substring(0, LONGEST_SUBJECT);
  }
}
