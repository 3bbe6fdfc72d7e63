package io.sluice;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the jobs of one queue are treated. {@code weight} is the queue's share of the slots beside
 * other queues; {@code maxSize} is the number of unfinished jobs (waiting or running) that it may
 * hold. What is null is unlimited, or left to the job and its handler.
 */
public record QueueSettings(
    String tenant,
    String name,
    boolean paused,
    int weight,
    @Nullable Long maxSize,
    @Nullable Duration timeout,
    @Nullable RetryPolicy retry,
    boolean deadLetter,
    Retention retention) {

  public QueueSettings {
    Names.check("tenant", tenant);
    Names.check("queue", name);
    if (weight < 1 || weight > 1000) {
      throw SluiceException.invalid("queue.weight", "must be 1 to 1000, was " + weight);
    }
    if (maxSize != null && maxSize < 1) {
      throw SluiceException.invalid("queue.maxSize", "must be 1 or more, was " + maxSize);
    }
    if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
      throw SluiceException.invalid("queue.timeout", "must be more than zero");
    }
  }

  /** A queue of the default tenant, with every default. */
  public static QueueSettings of(String name) {
    return of(Defaults.TENANT, name);
  }

  public static QueueSettings of(String tenant, String name) {
    return new QueueSettings(tenant, name, false, 1, null, null, null, true, Retention.DEFAULT);
  }

  public QueueSettings withPaused(boolean value) {
    return new QueueSettings(
        tenant, name, value, weight, maxSize, timeout, retry, deadLetter, retention);
  }

  public QueueSettings withWeight(int value) {
    return new QueueSettings(
        tenant, name, paused, value, maxSize, timeout, retry, deadLetter, retention);
  }

  public QueueSettings withMaxSize(@Nullable Long value) {
    return new QueueSettings(
        tenant, name, paused, weight, value, timeout, retry, deadLetter, retention);
  }

  public QueueSettings withTimeout(@Nullable Duration value) {
    return new QueueSettings(
        tenant, name, paused, weight, maxSize, value, retry, deadLetter, retention);
  }

  public QueueSettings withRetry(@Nullable RetryPolicy value) {
    return new QueueSettings(
        tenant, name, paused, weight, maxSize, timeout, value, deadLetter, retention);
  }

  public QueueSettings withDeadLetter(boolean value) {
    return new QueueSettings(
        tenant, name, paused, weight, maxSize, timeout, retry, value, retention);
  }

  public QueueSettings withRetention(Retention value) {
    return new QueueSettings(
        tenant, name, paused, weight, maxSize, timeout, retry, deadLetter, value);
  }
}
