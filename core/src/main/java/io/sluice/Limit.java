package io.sluice;

import org.jspecify.annotations.Nullable;

/**
 * How fast jobs of a scope may start, and how many of them may run at once, over all instances. What is
 * null is unlimited. Jobs beyond it wait in their place, and it costs them no attempt.
 */
public record Limit(
    Scope scope, @Nullable RateLimit rate, @Nullable Integer concurrency) {
  public Limit {
    if (rate == null && concurrency == null) {
      throw SluiceException.invalid("limit", "must have a rate, a concurrency, or both");
    }
    if (concurrency != null && concurrency < 1) {
      throw SluiceException.invalid("concurrency", "must be 1 or more, was " + concurrency);
    }
    if (scope.kind() != Scope.Kind.GLOBAL) {
      Names.check("scope.tenant", scope.tenant());
    }
    if (scope.kind().isNamed() && scope.name().isEmpty()) {
      throw SluiceException.invalid(
          "scope.name", "must be given for a limit on one " + scope.kind().word());
    }
  }
}
