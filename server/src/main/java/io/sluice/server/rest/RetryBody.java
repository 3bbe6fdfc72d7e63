package io.sluice.server.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.ErrorClass;
import io.sluice.RetryPolicy;
import io.sluice.RetryStrategy;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A retry policy as people write it: what they leave out is as in the policy it stands on. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RetryBody(
    @Nullable Integer maxAttempts,
    @Nullable RetryStrategy strategy,
    @Nullable Duration initialDelay,
    @Nullable Double multiplier,
    @Nullable Duration maxDelay,
    @Nullable Double jitter,
    @Nullable Map<ErrorClass, RetryBody> on) {

  /** The whole of a policy. */
  public static RetryBody of(RetryPolicy policy) {
    Map<ErrorClass, RetryBody> classes = new EnumMap<>(ErrorClass.class);
    policy.on().forEach((errorClass, special) -> classes.put(errorClass, of(special)));
    return new RetryBody(
        policy.maxAttempts(),
        policy.strategy(),
        policy.initialDelay(),
        policy.multiplier(),
        policy.maxDelay(),
        policy.jitter(),
        classes.isEmpty() ? null : classes);
  }

  /** The policy that this makes of another one; throws INVALID_MESSAGE, naming the field. */
  public RetryPolicy over(RetryPolicy base) {
    RetryPolicy plain = new RetryPolicy(
        maxAttempts == null ? base.maxAttempts() : maxAttempts,
        strategy == null ? base.strategy() : strategy,
        initialDelay == null ? base.initialDelay() : initialDelay,
        multiplier == null ? base.multiplier() : multiplier,
        maxDelay == null ? base.maxDelay() : maxDelay,
        jitter == null ? base.jitter() : jitter,
        on == null ? base.on() : Map.of());
    if (on == null) {
      return plain;
    }
    Map<ErrorClass, RetryPolicy> classes = new EnumMap<>(ErrorClass.class);
    on.forEach((errorClass, special) -> classes.put(errorClass, special.over(plain)));
    return new RetryPolicy(
        plain.maxAttempts(),
        plain.strategy(),
        plain.initialDelay(),
        plain.multiplier(),
        plain.maxDelay(),
        plain.jitter(),
        classes);
  }
}
