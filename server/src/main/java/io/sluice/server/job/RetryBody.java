package io.sluice.server.job;

import io.sluice.ErrorClass;
import io.sluice.RetryPolicy;
import io.sluice.RetryStrategy;
import io.sluice.SluiceException;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.Problem;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A retry policy as callers write and read it; what is left out keeps the value it has. */
public record RetryBody(
    @Nullable Integer maxAttempts,
    @Nullable RetryStrategy strategy,
    @Nullable Duration initialDelay,
    @Nullable Double multiplier,
    @Nullable Duration maxDelay,
    @Nullable Double jitter,
    @Nullable Map<ErrorClass, @Nullable RetryBody> on) {
  /** A policy that says nothing. */
  static final RetryBody NONE = new RetryBody(null, null, null, null, null, null, null);

  private static final String PREFIX = "retry.";

  public static RetryBody of(RetryPolicy policy) {
    Map<ErrorClass, @Nullable RetryBody> on = new EnumMap<>(ErrorClass.class);
    policy.on().forEach((errorClass, special) -> on.put(errorClass, plain(special, null)));
    return plain(policy, on);
  }

  RetryBody withMaxAttempts(int attempts) {
    return new RetryBody(attempts, strategy, initialDelay, multiplier, maxDelay, jitter, on);
  }

  private static RetryBody plain(
      RetryPolicy policy, @Nullable Map<ErrorClass, @Nullable RetryBody> on) {
    return new RetryBody(
        policy.maxAttempts(),
        policy.strategy(),
        policy.initialDelay(),
        policy.multiplier(),
        policy.maxDelay(),
        policy.jitter(),
        on);
  }

  /** The policy, with what is not given here taken from another one; refuses by the name of the field. */
  public RetryPolicy over(RetryPolicy rest) {
    RetryPolicy outer = alone(rest, on == null ? rest.on() : Map.of());
    if (on == null) {
      return outer;
    }
    Map<ErrorClass, RetryPolicy> classes = new EnumMap<>(ErrorClass.class);
    Checks checks = new Checks();
    on.forEach((errorClass, special) -> {
      RetryPolicy taken =
          checks.take("on." + errorClass, () -> special(special).alone(outer, Map.of()));
      if (taken != null) {
        classes.put(errorClass, taken);
      }
    });
    checks.done();
    return alone(outer, classes);
  }

  private static RetryBody special(@Nullable RetryBody special) {
    if (special == null || special.on != null) {
      throw new Invalid("", "must be a policy without an \"on\" of its own");
    }
    return special;
  }

  private RetryPolicy alone(RetryPolicy rest, Map<ErrorClass, RetryPolicy> classes) {
    try {
      return new RetryPolicy(
          maxAttempts == null ? rest.maxAttempts() : maxAttempts,
          strategy == null ? rest.strategy() : strategy,
          initialDelay == null ? rest.initialDelay() : initialDelay,
          multiplier == null ? rest.multiplier() : multiplier,
          maxDelay == null ? rest.maxDelay() : maxDelay,
          jitter == null ? rest.jitter() : jitter,
          classes);
    } catch (SluiceException e) {
      String field = e.field().orElse("");
      throw new Invalid(
          field.startsWith(PREFIX) ? field.substring(PREFIX.length()) : field, Problem.reason(e));
    }
  }
}
