package io.sluice.server.pull;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.seal.Seal;
import io.sluice.store.ClaimRef;
import java.time.Duration;
import java.util.UUID;

/** Names of leases, as workers carry them: opaque, and good for the tenant they were given to alone. */
public final class Leases {
  private final Seal seal;

  public Leases(Seal seal) {
    this.seal = seal;
  }

  /** A lease, and for how long it was first given. */
  public record Lease(ClaimRef ref, Duration length) {}

  String name(String tenant, Lease lease) {
    ClaimRef ref = lease.ref;
    return seal.seal(
        purpose(tenant),
        ref.job() + " " + ref.turn() + " " + ref.worker() + " " + lease.length.toMillis());
  }

  /**
   * The lease of that name.
   *
   * @throws SluiceException NOT_FOUND for what this server never gave to this tenant
   */
  public Lease find(String tenant, String name) {
    String[] parts = seal.open(purpose(tenant), name)
        .orElseThrow(() -> new SluiceException(ErrorCode.NOT_FOUND, "there is no such lease"))
        .split(" ", -1);
    return new Lease(
        new ClaimRef(
            UUID.fromString(parts[0]), Integer.parseInt(parts[1]), Long.parseLong(parts[2])),
        Duration.ofMillis(Long.parseLong(parts[3])));
  }

  private static String purpose(String tenant) {
    return "lease of " + tenant;
  }
}
