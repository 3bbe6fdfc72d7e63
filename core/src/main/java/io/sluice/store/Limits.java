package io.sluice.store;

import io.sluice.Limit;
import io.sluice.LimitState;
import io.sluice.Scope;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a store, which every claim keeps to, whichever instance makes it. What a queue's settings
 * say is the limit of its scope, the same from both sides: a change here is one of the queue.
 */
public interface Limits {
  /**
   * Sets a limit, in force from the next claim on. What runs already counts, exactly; what was used of a
   * rate stays used. A limit on a queue that is not there is NOT_FOUND.
   */
  void save(Limit limit);

  /** Lifts a limit; false when there is none. */
  boolean delete(Scope scope);

  /** The limits of one tenant, or of all with the global one; by tenant, kind and name. */
  List<Limit> list(@Nullable String tenant);

  /**
   * How far the limit of a scope is used. For a limit key without one of its own, that of the pattern
   * that it falls under, as used by this key; for a pattern, what all its keys use together. To be read by
   * people: it may look at all that runs and, up to 100,000, at what waits.
   */
  default Optional<LimitState> state(Scope scope) {
    return Optional.ofNullable(states(List.of(scope)).get(scope));
  }

  /**
   * The same for many scopes, in their order; those without a limit are left out. What runs is looked at once for all
   * of them.
   */
  Map<Scope, LimitState> states(Collection<Scope> scopes);
}
