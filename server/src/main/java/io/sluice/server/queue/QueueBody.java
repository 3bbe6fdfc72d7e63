package io.sluice.server.queue;

import io.sluice.Defaults;
import io.sluice.Marks;
import io.sluice.Ordering;
import io.sluice.Priority;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.Retention;
import io.sluice.server.job.RetryBody;
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
    @Nullable Rate rateLimit,
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
  private static final double FASTEST = 1_000_000_000;

  /** How many jobs may start in a second; the burst is as many as that where it is not given. */
  record Rate(@Nullable Double perSecond, @Nullable Integer burst) {
    static @Nullable Rate of(@Nullable RateLimit limit) {
      return limit == null ? null : new Rate(limit.perSecond(), limit.burst());
    }
  }

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
        Rate.of(queue.rateLimit()),
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
    RateLimit rate = rate(checks);
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

  private @Nullable RateLimit rate(Checks checks) {
    if (rateLimit == null) {
      return null;
    }
    Double perSecond = rateLimit.perSecond;
    boolean fits = perSecond != null && perSecond > 0 && perSecond <= FASTEST;
    checks
        .require(fits, "rateLimit.perSecond", "must be more than 0 and at most 1000000000")
        .require(
            rateLimit.burst == null || rateLimit.burst >= 1,
            "rateLimit.burst",
            "must be 1 or more");
    if (perSecond == null || !fits) {
      return null;
    }
    int burst = rateLimit.burst == null ? (int) Math.ceil(perSecond) : rateLimit.burst;
    return new RateLimit(perSecond, Math.max(1, burst));
  }

  private static boolean isIn(@Nullable Duration value, Duration least, Duration most) {
    return value == null || (value.compareTo(least) >= 0 && value.compareTo(most) <= 0);
  }
}
