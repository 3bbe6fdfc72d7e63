package io.sluice.server.limit;

import io.sluice.Limit;
import io.sluice.RateLimit;
import io.sluice.Scope;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is said of a limit, apart from what it is on; with both null there is none. */
public record Terms(@Nullable RateLimit rate, @Nullable Integer concurrency) {
  public static final Terms NONE = new Terms(null, null);

  static Terms of(Limit limit) {
    return new Terms(limit.rate(), limit.concurrency());
  }

  /** The limit of these terms on a scope, if they are any. */
  Optional<Limit> on(Scope scope) {
    return equals(NONE) ? Optional.empty() : Optional.of(new Limit(scope, rate, concurrency));
  }
}
