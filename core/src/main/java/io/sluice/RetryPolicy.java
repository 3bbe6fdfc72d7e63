package io.sluice;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * How often and after what delay a failed job is tried again. A pure value: the same policy,
 * attempt and random numbers give the same delay. {@code on} holds the policies that stand in for
 * this one when an attempt failed with a certain {@link ErrorClass}.
 */
public record RetryPolicy(
    int maxAttempts,
    RetryStrategy strategy,
    Duration initialDelay,
    double multiplier,
    Duration maxDelay,
    double jitter,
    Map<ErrorClass, RetryPolicy> on) {
  private static final Duration LONGEST = Duration.ofDays(3650);

  public RetryPolicy {
    require(maxAttempts >= 1 && maxAttempts <= Short.MAX_VALUE, "maxAttempts", "1 to 32767");
    require(isDelay(initialDelay), "initialDelay", "zero to 3650 days");
    require(isDelay(maxDelay), "maxDelay", "zero to 3650 days");
    require(multiplier >= 1 && multiplier <= 100, "multiplier", "1 to 100");
    require(jitter >= 0 && jitter <= 1, "jitter", "0 to 1");
    on = Map.copyOf(on);
    require(
        on.values().stream().allMatch(p -> p.on.isEmpty()), "on", "a policy without an own 'on'");
  }

  private static boolean isDelay(Duration delay) {
    return !delay.isNegative() && delay.compareTo(LONGEST) <= 0;
  }

  private static void require(boolean holds, String field, String right) {
    if (!holds) {
      throw SluiceException.invalid("retry." + field, "must be " + right);
    }
  }

  /** One attempt and no more. */
  public static RetryPolicy none() {
    return Defaults.RETRY.withStrategy(RetryStrategy.NONE).withMaxAttempts(1);
  }

  public RetryPolicy withMaxAttempts(int attempts) {
    return new RetryPolicy(attempts, strategy, initialDelay, multiplier, maxDelay, jitter, on);
  }

  public RetryPolicy withStrategy(RetryStrategy other) {
    return new RetryPolicy(maxAttempts, other, initialDelay, multiplier, maxDelay, jitter, on);
  }

  public RetryPolicy withDelays(Duration initial, double factor, Duration cap) {
    return new RetryPolicy(maxAttempts, strategy, initial, factor, cap, jitter, on);
  }

  public RetryPolicy withJitter(double share) {
    return new RetryPolicy(maxAttempts, strategy, initialDelay, multiplier, maxDelay, share, on);
  }

  /** The same policy, changed for failures of one class only. */
  public RetryPolicy on(ErrorClass errorClass, UnaryOperator<RetryPolicy> change) {
    Map<ErrorClass, RetryPolicy> classes = new EnumMap<>(ErrorClass.class);
    classes.putAll(on);
    classes.put(errorClass, change.apply(forClass(errorClass)));
    return new RetryPolicy(
        maxAttempts, strategy, initialDelay, multiplier, maxDelay, jitter, classes);
  }

  /** The policy in force for failures of a class. */
  public RetryPolicy forClass(ErrorClass errorClass) {
    RetryPolicy special = on.get(errorClass);
    return special != null
        ? special
        : new RetryPolicy(
            maxAttempts, strategy, initialDelay, multiplier, maxDelay, jitter, Map.of());
  }

  /**
   * The delay before the next attempt after {@code attempt} attempts, the last of which failed with
   * this class; empty when there shall be none. A class that is not retried by default is retried
   * when the policy names it in {@code on}.
   */
  public Optional<Duration> delayAfter(int attempt, ErrorClass errorClass, RandomGenerator random) {
    RetryPolicy policy = forClass(errorClass);
    boolean retried = errorClass.isRetried() || on.containsKey(errorClass);
    if (!retried || policy.strategy == RetryStrategy.NONE || attempt >= policy.maxAttempts) {
      return Optional.empty();
    }
    return Optional.of(policy.jittered(policy.plainDelay(attempt), random));
  }

  private Duration plainDelay(int attempt) {
    double initial = (double) initialDelay.toMillis();
    double millis = switch (strategy) {
      case EXPONENTIAL -> initial * Math.pow(multiplier, attempt - 1);
      case LINEAR -> initial * attempt;
      case IMMEDIATE, NONE -> 0;
    };
    return Duration.ofMillis((long) Math.min(millis, (double) maxDelay.toMillis()));
  }

  private Duration jittered(Duration delay, RandomGenerator random) {
    if (jitter == 0 || delay.isZero()) {
      return delay;
    }
    double factor = 1 + jitter * (2 * random.nextDouble() - 1);
    return Duration.ofMillis(Math.round(delay.toMillis() * factor));
  }
}
