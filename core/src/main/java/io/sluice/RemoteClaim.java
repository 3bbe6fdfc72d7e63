package io.sluice;

import java.time.Duration;
import java.util.Set;

/**
 * What a remote worker asks for: at most {@code max} jobs of a queue, of these types or, when it names
 * none, of every type but {@code http}. It holds each for {@code leaseFor} and waits for the first at
 * most for {@code waitFor}.
 */
public record RemoteClaim(
    String tenant,
    String queue,
    String worker,
    Set<String> types,
    int max,
    Duration leaseFor,
    Duration waitFor) {
  private static final int LONGEST_NAME = 128;

  public RemoteClaim {
    types = Set.copyOf(types);
    Names.check("tenant", tenant);
    Names.check("queue", queue);
    types.forEach(Names::checkType);
    if (worker.isBlank()
        || worker.length() > LONGEST_NAME
        || worker.chars().anyMatch(Character::isISOControl)) {
      throw SluiceException.invalid(
          "worker", "must be 1 to " + LONGEST_NAME + " characters that can be read");
    }
    if (max < 1 || max > Defaults.LARGEST_REMOTE_CLAIM) {
      throw SluiceException.invalid(
          "max", "must be 1 to " + Defaults.LARGEST_REMOTE_CLAIM + ", was " + max);
    }
    checkLease("leaseFor", leaseFor);
    if (waitFor.isNegative() || waitFor.compareTo(Defaults.LONGEST_REMOTE_WAIT) > 0) {
      throw SluiceException.invalid(
          "wait", "must be 0s to " + Defaults.LONGEST_REMOTE_WAIT.toSeconds() + "s");
    }
  }

  /** Refuses what is not the length of a remote worker's lease. */
  public static Duration checkLease(String field, Duration lease) {
    if (lease.compareTo(Defaults.SHORTEST_LEASE) < 0
        || lease.compareTo(Defaults.LONGEST_REMOTE_LEASE) > 0) {
      throw SluiceException.invalid(
          field,
          "must be %ds to %dh"
              .formatted(
                  Defaults.SHORTEST_LEASE.toSeconds(), Defaults.LONGEST_REMOTE_LEASE.toHours()));
    }
    return lease;
  }
}
