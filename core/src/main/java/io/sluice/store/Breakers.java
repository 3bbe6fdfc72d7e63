package io.sluice.store;

import io.sluice.Breaker;
import io.sluice.BreakerSettings;
import io.sluice.BreakerState;
import io.sluice.ErrorCode;
import io.sluice.Scope;
import io.sluice.SluiceException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The breakers of a store, on URL groups and job types, shared by all instances. A store keeps their state
 * and grants probes; engines count calls and decide. A move names the version that it saw, and one that
 * comes too late changes nothing.
 */
public interface Breakers {
  /**
   * Gives a scope these settings, or none, and answers its breaker, made if there was none. A breaker
   * that was open or half-open and has no settings any more is closed; otherwise its state stays.
   */
  Breaker save(Scope scope, @Nullable BreakerSettings settings);

  /** Removes a breaker with its state; false when there is none. */
  boolean delete(Scope scope);

  Optional<Breaker> find(Scope scope);

  /** The breakers of one tenant or of all, by tenant, kind and name. */
  List<Breaker> list(@Nullable String tenant);

  /**
   * Changes the state, if the version is still this one; false otherwise. OPEN lasts for the trip duration
   * and needs settings. Whatever was counted before is forgotten. Half-open it becomes by {@link #probe}.
   */
  boolean move(Scope scope, long version, BreakerState to);

  /**
   * Grants at most so many probes, together with those granted to others never more than
   * {@code halfOpenMaxRequests}. A breaker that was open for its time becomes half-open by the first; a
   * half-open period whose probes did not report within the trip duration gives way to another one, for
   * as many as have not passed yet. Nothing is granted in any other state.
   */
  ProbeGrant probe(Scope scope, int wanted);

  /** Reports probes that were well, and gives back unused ones; false when their period is over. */
  boolean probed(Scope scope, long version, int passed, int unused);

  /**
   * Puts down what an instance has counted, in place of what it put down before, and answers what the
   * others have in these windows. Counts of an older version are left out.
   */
  List<Tally> count(UUID instance, List<Tally> own);

  /** Holds a scope from now on for so long, unless it is held for longer already. */
  void hold(Scope scope, Duration time);

  /** Ends the hold of a scope; false when it is not held. */
  boolean release(Scope scope);

  /** Closes a breaker by a person's hand, ends its hold, and answers what it is now. */
  default Breaker reset(Scope scope) {
    release(scope);
    return force(scope, BreakerState.CLOSED);
  }

  /** Opens a breaker by a person's hand, until it is reset; it is made if there was none. */
  default Breaker forceOpen(Scope scope) {
    if (find(scope).isEmpty()) {
      save(scope, null);
    }
    return force(scope, BreakerState.FORCED_OPEN);
  }

  private Breaker force(Scope scope, BreakerState to) {
    while (true) {
      Breaker seen = find(scope)
          .orElseThrow(() ->
              new SluiceException(ErrorCode.NOT_FOUND, "there is no breaker on " + scope.key()));
      if (move(scope, seen.version(), to)) {
        return find(scope).orElse(seen);
      }
    }
  }

  /** Refuses scopes that cannot have a breaker. */
  static void check(Scope scope) {
    if (scope.kind() != Scope.Kind.URL_GROUP && scope.kind() != Scope.Kind.TYPE) {
      throw SluiceException.invalid(
          "scope", "must be a URL group or a job type, was " + scope.key());
    }
  }
}
