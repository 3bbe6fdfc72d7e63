package io.sluice.server.queue;

import io.sluice.Level;
import io.sluice.Marks;
import io.sluice.Ordering;
import io.sluice.Priority;
import io.sluice.server.job.RetryBody;
import io.sluice.server.limit.RateBody;
import io.sluice.server.tenants.LevelsBody;
import io.sluice.store.QueueRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A queue as it is read back. {@code size} is the number of its unfinished jobs where that is limited,
 * {@code level} how full that makes it, {@code running} that of the running ones where that is: others are not counted all the time.
 */
record QueueView(
    UUID id,
    String tenant,
    String name,
    boolean enabled,
    Priority priority,
    @Nullable Integer maxConcurrent,
    @Nullable Long maxSize,
    @Nullable RateBody rateLimit,
    Ordering ordered,
    @Nullable Duration defaultTimeout,
    @Nullable RetryBody defaultRetry,
    boolean deadLetter,
    QueueBody.Keeping retention,
    @Nullable String urlGroup,
    @Nullable LevelsBody levels,
    @Nullable Long size,
    @Nullable Level level,
    @Nullable Integer running,
    Instant createdAt,
    Instant updatedAt) {

  static QueueView of(
      QueueRecord queue, @Nullable Long size, @Nullable Integer running, Marks marks) {
    var settings = queue.settings();
    return new QueueView(
        queue.id(),
        queue.tenant(),
        queue.name(),
        !settings.paused(),
        settings.priority(),
        settings.maxConcurrent(),
        settings.maxSize(),
        RateBody.of(settings.rateLimit()),
        settings.ordered(),
        settings.timeout(),
        settings.retry() == null ? null : RetryBody.of(settings.retry()),
        settings.deadLetter(),
        QueueBody.Keeping.of(settings.retention()),
        settings.urlGroup(),
        LevelsBody.of(settings.levels()),
        size,
        LevelsBody.level(size, settings.maxSize(), settings.levels(), marks),
        running,
        queue.createdAt(),
        queue.updatedAt());
  }
}
