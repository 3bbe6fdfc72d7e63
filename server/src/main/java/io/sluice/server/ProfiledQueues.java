package io.sluice.server;

import io.sluice.Defaults;
import io.sluice.QueueSettings;
import io.sluice.RetryPolicy;
import io.sluice.server.config.Config.JobDefaults;
import io.sluice.store.JobStore;
import io.sluice.store.QueueRecord;
import io.sluice.store.QueueSize;
import io.sluice.store.Queues;
import io.sluice.store.TenantCap;
import io.sluice.store.TenantSize;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Queues under the defaults of a profile. What a queue does not say of retries and timeouts is said by
 * the profile, whoever reads it, and is not written down as the queue's own. A size is written down, once,
 * when a queue is made: it is counted against in the store. A queue that was there before keeps what it has.
 */
final class ProfiledQueues implements Queues {
  private final Queues queues;
  private final RetryPolicy retry;
  private final JobDefaults defaults;
  /** Since when the profile is in force, by the store's clock. */
  private final Instant since;

  private ProfiledQueues(JobStore store, JobDefaults defaults) {
    this.queues = store.queues();
    this.since = store.now();
    this.defaults = defaults;
    this.retry = new RetryPolicy(
        defaults.attempts(),
        Defaults.RETRY.strategy(),
        defaults.retryDelay(),
        Defaults.RETRY.multiplier(),
        Defaults.RETRY.maxDelay(),
        Defaults.RETRY.jitter(),
        Defaults.RETRY.on());
  }

  /** The queues of an open store; those themselves where nothing is to be said. */
  static Queues of(JobStore store, JobDefaults defaults) {
    return defaults.equals(JobDefaults.PLAIN)
        ? store.queues()
        : new ProfiledQueues(store, defaults);
  }

  private QueueRecord seen(QueueRecord queue) {
    QueueSettings own = sized(queue).settings();
    QueueSettings seen = own.withRetry(Objects.requireNonNullElse(own.retry(), retry))
        .withTimeout(Objects.requireNonNullElse(own.timeout(), defaults.timeout()));
    return new QueueRecord(queue.id(), seen, queue.createdAt(), queue.updatedAt());
  }

  /** The queue {@code default} is made by the store where it is needed, and gets its size when it is seen. */
  private QueueRecord sized(QueueRecord queue) {
    boolean made = queue.name().equals(Defaults.QUEUE)
        && !queue.createdAt().isBefore(since)
        && !queue.updatedAt().isAfter(queue.createdAt())
        && queue.settings().maxSize() == null;
    return made && defaults.queueSize() != null
        ? queues.save(queue.settings().withMaxSize(defaults.queueSize()))
        : queue;
  }

  @Override
  public QueueRecord save(QueueSettings settings) {
    QueueSettings own = settings;
    if (retry.equals(settings.retry())) {
      own = own.withRetry(null);
    }
    if (defaults.timeout().equals(settings.timeout())) {
      own = own.withTimeout(null);
    }
    boolean made = !settings.name().equals(Defaults.QUEUE)
        && queues.find(settings.tenant(), settings.name()).isEmpty();
    if (made && settings.maxSize() == null) {
      own = own.withMaxSize(defaults.queueSize());
    }
    return seen(queues.save(own));
  }

  @Override
  public Optional<QueueRecord> find(String tenant, String name) {
    return queues.find(tenant, name).map(this::seen);
  }

  @Override
  public Optional<QueueRecord> find(String tenant, UUID id) {
    return queues.find(tenant, id).map(this::seen);
  }

  @Override
  public List<QueueRecord> list() {
    return queues.list().stream().map(this::seen).toList();
  }

  @Override
  public List<QueueRecord> list(String tenant, @Nullable String afterName, int limit) {
    return queues.list(tenant, afterName, limit).stream().map(this::seen).toList();
  }

  @Override
  public boolean pause(String tenant, String name, boolean paused) {
    return queues.pause(tenant, name, paused);
  }

  @Override
  public boolean delete(String tenant, String name) {
    return queues.delete(tenant, name);
  }

  @Override
  public List<QueueSize> sizes() {
    return queues.sizes();
  }

  @Override
  public void capTenant(String tenant, @Nullable TenantCap cap) {
    queues.capTenant(tenant, cap);
  }

  @Override
  public List<TenantSize> tenantSizes() {
    return queues.tenantSizes();
  }

  @Override
  public Map<String, Long> crowded(long lanes) {
    return queues.crowded(lanes);
  }

  @Override
  public Map<String, Long> bytes(Set<String> tenants) {
    return queues.bytes(tenants);
  }
}
