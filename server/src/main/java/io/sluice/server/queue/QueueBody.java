package io.sluice.server.queue;

import io.sluice.Defaults;
import io.sluice.Marks;
import io.sluice.Ordering;
import io.sluice.Priority;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.Retention;
import io.sluice.server.job.RetryBody;
import io.sluice.server.limit.RateBody;
import io.sluice.server.rest.Checks;
import io.sluice.server.tenants.LevelsBody;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a caller may say of a queue; what is null is left to the defaults. */
record QueueBody(
    @Nullable String name,
    @Nullable Boolean enabled,
    @Nullable Priority priority,
    @Nullable Integer maxConcurrent,
    @Nullable Long maxSize,
    @Nullable RateBody rateLimit,
    @Nullable Ordering ordered,
    @Nullable Duration defaultTimeout,
    @Nullable RetryBody defaultRetry,
    @Nullable Boolean deadLetter,
    @Nullable Keeping retention,
    @Nullable String urlGroup,
    @Nullable LevelsBody levels) {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST_TIMEOUT = Duration.ofHours(24);
  private static final Duration LONGEST_KEEPING = Duration.ofDays(3650);

  /** How long finished jobs are kept. */
  record Keeping(@Nullable Duration completed, @Nullable Duration dead) {
    static Keeping of(Retention retention) {
      return new Keeping(retention.completed(), retention.dead());
    }
  }

  static QueueBody of(QueueSettings queue) {
    return new QueueBody(
        queue.name(),
        !queue.paused(),
        queue.priority(),
        queue.maxConcurrent(),
        queue.maxSize(),
        RateBody.of(queue.rateLimit()),
        queue.ordered(),
        queue.timeout(),
        queue.retry() == null ? null : RetryBody.of(queue.retry()),
        queue.deadLetter(),
        Keeping.of(queue.retention()),
        queue.urlGroup(),
        LevelsBody.of(queue.levels()));
  }

  /** The settings; what an inner object leaves out stays as it is in the queue there was. */
  QueueSettings settings(Checks checks, QueueSettings before) {
    checks
        .require(
            isIn(defaultTimeout, SHORTEST, LONGEST_TIMEOUT), "defaultTimeout", "must be 1ms to 24h")
        .require(maxConcurrent == null || maxConcurrent >= 1, "maxConcurrent", "must be 1 or more")
        .require(maxSize == null || maxSize >= 1, "maxSize", "must be 1 or more");
    var retry = defaultRetry == null
        ? null
        : checks.take(
            "defaultRetry",
            () -> defaultRetry.over(before.retry() == null ? Defaults.RETRY : before.retry()));
    Retention keeping = keeping(checks, before);
    RateLimit rate = RateBody.read(checks, "rateLimit", rateLimit);
    Marks marks = LevelsBody.read(checks, levels, before.levels());
    checks.done();
    return new QueueSettings(
        before.tenant(),
        before.name(),
        Boolean.FALSE.equals(enabled),
        priority == null ? Priority.NORMAL : priority,
        maxConcurrent,
        maxSize,
        rate,
        ordered == null ? Ordering.NONE : ordered,
        defaultTimeout,
        retry,
        !Boolean.FALSE.equals(deadLetter),
        keeping,
        urlGroup,
        marks);
  }

  private Retention keeping(Checks checks, QueueSettings before) {
    if (retention == null) {
      return Retention.DEFAULT;
    }
    checks
        .require(
            isIn(retention.completed, Duration.ZERO, LONGEST_KEEPING),
            "retention.completed",
            "must be 0s to 3650d")
        .require(
            isIn(retention.dead, Duration.ZERO, LONGEST_KEEPING),
            "retention.dead",
            "must be 0s to 3650d");
    return new Retention(
        retention.completed == null ? before.retention().completed() : retention.completed,
        retention.dead == null ? before.retention().dead() : retention.dead);
  }

  private static boolean isIn(@Nullable Duration value, Duration least, Duration most) {
    return value == null || (value.compareTo(least) >= 0 && value.compareTo(most) <= 0);
  }
}
