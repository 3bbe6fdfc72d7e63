package io.sluice;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How the jobs of one queue are treated. {@code priority} is the queue's own: a more urgent one gets a
 * larger share of the slots beside other queues. {@code maxConcurrent} is the number of its jobs that
 * may run at once, over all instances; {@code maxSize} the number of unfinished jobs (waiting or
 * running) that it may hold; {@code urlGroup} the group of URLs for those of its HTTP jobs that name
 * none; {@code levels} the marks of a capped queue, where they are other than the engine's. What is null is unlimited, or left to the job and its handler.
 */
public record QueueSettings(
    String tenant,
    String name,
    boolean paused,
    Priority priority,
    @Nullable Integer maxConcurrent,
    @Nullable Long maxSize,
    @Nullable RateLimit rateLimit,
    Ordering ordered,
    @Nullable Duration timeout,
    @Nullable RetryPolicy retry,
    boolean deadLetter,
    Retention retention,
    @Nullable String urlGroup,
    @Nullable Marks levels) {

  private static final int WEIGHTS = 21;

  public QueueSettings {
    Names.check("tenant", tenant);
    Names.check("queue", name);
    if (maxConcurrent != null && maxConcurrent < 1) {
      throw SluiceException.invalid(
          "queue.maxConcurrent", "must be 1 or more, was " + maxConcurrent);
    }
    if (maxSize != null && maxSize < 1) {
      throw SluiceException.invalid("queue.maxSize", "must be 1 or more, was " + maxSize);
    }
    if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
      throw SluiceException.invalid("queue.timeout", "must be more than zero");
    }
    if (urlGroup != null) {
      Names.check("queue.urlGroup", urlGroup);
    }
  }

  /** A queue of the default tenant, with every default. */
  public static QueueSettings of(String name) {
    return of(Defaults.TENANT, name);
  }

  public static QueueSettings of(String tenant, String name) {
    return new Draft(tenant, name).made();
  }

  /** The queue's share of the slots beside other queues: 1 to 21, the same for all by default. */
  public int weight() {
    return WEIGHTS - priority.value();
  }

  public QueueSettings withPaused(boolean value) {
    return with(draft -> draft.paused = value);
  }

  public QueueSettings withPriority(Priority value) {
    return with(draft -> draft.priority = value);
  }

  public QueueSettings withMaxConcurrent(@Nullable Integer value) {
    return with(draft -> draft.maxConcurrent = value);
  }

  public QueueSettings withMaxSize(@Nullable Long value) {
    return with(draft -> draft.maxSize = value);
  }

  public QueueSettings withRateLimit(@Nullable RateLimit value) {
    return with(draft -> draft.rateLimit = value);
  }

  public QueueSettings withOrdered(Ordering value) {
    return with(draft -> draft.ordered = value);
  }

  public QueueSettings withTimeout(@Nullable Duration value) {
    return with(draft -> draft.timeout = value);
  }

  public QueueSettings withRetry(@Nullable RetryPolicy value) {
    return with(draft -> draft.retry = value);
  }

  public QueueSettings withDeadLetter(boolean value) {
    return with(draft -> draft.deadLetter = value);
  }

  public QueueSettings withRetention(Retention value) {
    return with(draft -> draft.retention = value);
  }

  public QueueSettings withUrlGroup(@Nullable String value) {
    return with(draft -> draft.urlGroup = value);
  }

  public QueueSettings withLevels(@Nullable Marks value) {
    return with(draft -> draft.levels = value);
  }

  private QueueSettings with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.made();
  }

  /** Settings while one of them is being changed; it begins with every default. */
  private static final class Draft {
    private final String tenant;
    private final String name;
    private boolean paused;
    private Priority priority = Priority.NORMAL;
    private @Nullable Integer maxConcurrent;
    private @Nullable Long maxSize;
    private @Nullable RateLimit rateLimit;
    private Ordering ordered = Ordering.NONE;
    private @Nullable Duration timeout;
    private @Nullable RetryPolicy retry;
    private boolean deadLetter = true;
    private Retention retention = Retention.DEFAULT;
    private @Nullable String urlGroup;
    private @Nullable Marks levels;

    Draft(String tenant, String name) {
      this.tenant = tenant;
      this.name = name;
    }

    Draft(QueueSettings from) {
      this(from.tenant, from.name);
      paused = from.paused;
      priority = from.priority;
      maxConcurrent = from.maxConcurrent;
      maxSize = from.maxSize;
      rateLimit = from.rateLimit;
      ordered = from.ordered;
      timeout = from.timeout;
      retry = from.retry;
      deadLetter = from.deadLetter;
      retention = from.retention;
      urlGroup = from.urlGroup;
      levels = from.levels;
    }

    QueueSettings made() {
      return new QueueSettings(
          tenant,
          name,
          paused,
          priority,
          maxConcurrent,
          maxSize,
          rateLimit,
          ordered,
          timeout,
          retry,
          deadLetter,
          retention,
          urlGroup,
          levels);
    }
  }
}
