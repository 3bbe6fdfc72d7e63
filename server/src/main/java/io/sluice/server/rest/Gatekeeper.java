package io.sluice.server.rest;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.access.Access;
import io.sluice.server.access.Caller;
import io.sluice.server.access.Credentials;
import io.sluice.server.access.Role;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Lets callers through to a route, or not, and tells for which tenant they act. */
public final class Gatekeeper {
  private static final String BEARER = "bearer ";

  private final Credentials credentials;
  /** From the id or name of a tenant to its name; throws NOT_FOUND for one that is not there. */
  private final UnaryOperator<String> tenants;
  /** Is told the tenant of every request that was let through. */
  private final Consumer<String> admitted;

  public Gatekeeper(
      Credentials credentials, UnaryOperator<String> tenants, Consumer<String> admitted) {
    this.credentials = credentials;
    this.tenants = tenants;
    this.admitted = admitted;
  }

  public Gatekeeper(Credentials credentials, UnaryOperator<String> tenants) {
    this(credentials, tenants, tenant -> {});
  }

  Caller caller(Optional<String> authorization, String address) {
    String header = authorization.orElse("");
    if (!header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      throw new SluiceException(
          ErrorCode.UNAUTHORIZED, "send an API key or token as 'Authorization: Bearer ...'");
    }
    return credentials.authenticate(header.substring(BEARER.length()).strip(), address);
  }

  void admit(Caller caller, Access access) {
    if (!caller.role().may(access)) {
      throw new SluiceException(
          ErrorCode.FORBIDDEN,
          "the role " + caller.role().label() + " may not do this; " + Role.thatMay(access)
              + " may");
    }
  }

  /** The tenant that a caller acts for: its own, or for an admin the one that is asked for. */
  String tenant(Caller caller, @Nullable String asked) {
    String tenant = actingFor(caller, asked);
    admitted.accept(tenant);
    return tenant;
  }

  private String actingFor(Caller caller, @Nullable String asked) {
    if (asked == null || asked.equals(caller.tenant())) {
      return caller.tenant();
    }
    if (caller.role() != Role.ADMIN) {
      throw new SluiceException(
          ErrorCode.FORBIDDEN, "only an admin may act for another tenant with Sluice-Tenant");
    }
    return tenants.apply(asked);
  }
}
