package io.sluice.memory;

import io.sluice.JobState;
import io.sluice.Names;
import io.sluice.QueueSettings;
import io.sluice.store.QueueRecord;
import io.sluice.store.QueueSize;
import io.sluice.store.Queues;
import io.sluice.store.TenantCap;
import io.sluice.store.TenantSize;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The queues of a memory store. */
final class MemoryQueues implements Queues {
  private static final Comparator<QueueRecord> BY_NAME =
      Comparator.comparing(QueueRecord::tenant).thenComparing(QueueRecord::name);

  private static final Set<JobState> WAITING =
      Set.of(JobState.SCHEDULED, JobState.PENDING, JobState.RETRYING);

  private final Access access;

  MemoryQueues(Access access) {
    this.access = access;
  }

  @Override
  public QueueRecord save(QueueSettings settings) {
    return access.with((shelf, now) -> {
      QueueRecord saved = shelf.queues.save(settings, now);
      shelf.renewRules();
      shelf.hints().queues();
      return saved;
    });
  }

  @Override
  public Optional<QueueRecord> find(String tenant, String name) {
    return access.with((shelf, now) ->
        Optional.ofNullable(shelf.queues.find(new QueueName(tenant, name), now)).map(q -> q.made));
  }

  @Override
  public Optional<QueueRecord> find(String tenant, UUID id) {
    return access.with((shelf, now) -> made(shelf)
        .filter(queue -> queue.id().equals(id) && queue.tenant().equals(tenant))
        .findFirst());
  }

  @Override
  public List<QueueRecord> list() {
    return access.with((shelf, now) -> made(shelf).sorted(BY_NAME).toList());
  }

  @Override
  public List<QueueRecord> list(String tenant, @Nullable String afterName, int limit) {
    return access.with((shelf, now) -> made(shelf)
        .filter(queue -> queue.tenant().equals(tenant))
        .filter(queue -> afterName == null || queue.name().compareTo(afterName) > 0)
        .sorted(BY_NAME)
        .limit(limit)
        .toList());
  }

  private static Stream<QueueRecord> made(Shelf shelf) {
    return shelf.queues.all().stream().flatMap(q -> Stream.ofNullable(q.made));
  }

  @Override
  public boolean pause(String tenant, String name, boolean paused) {
    return access.with((shelf, now) -> {
      QueueEntry queue = shelf.queues.find(new QueueName(tenant, name), now);
      if (queue == null || queue.made == null) {
        return false;
      }
      shelf.queues.save(queue.made.settings().withPaused(paused), now);
      shelf.hints().queues();
      return true;
    });
  }

  @Override
  public boolean delete(String tenant, String name) {
    return access.with((shelf, now) -> {
      boolean removed = shelf.queues.remove(new QueueName(tenant, name));
      if (removed) {
        shelf.renewRules();
        shelf.hints().queues();
      }
      return removed;
    });
  }

  @Override
  public List<QueueSize> sizes() {
    return access.with((shelf, now) -> made(shelf)
        .map(QueueRecord::settings)
        .filter(settings -> settings.maxSize() != null)
        .map(settings ->
            size(settings, shelf.queues.obtain(new QueueName(settings.tenant(), settings.name()))))
        .sorted(Comparator.comparing(QueueSize::tenant).thenComparing(QueueSize::queue))
        .toList());
  }

  private static QueueSize size(QueueSettings settings, QueueEntry queue) {
    return new QueueSize(
        settings.tenant(),
        settings.name(),
        queue.unfinished,
        Objects.requireNonNull(settings.maxSize()),
        settings.levels(),
        queue.ended);
  }

  @Override
  public void capTenant(String tenant, @Nullable TenantCap cap) {
    Names.check("tenant", tenant);
    access.with((shelf, now) -> {
      shelf.queues.tenant(tenant).cap = cap;
      return true;
    });
  }

  @Override
  public List<TenantSize> tenantSizes() {
    return access.with((shelf, now) -> shelf.queues.capped().stream()
        .map(tenant -> new TenantSize(
            tenant.name, tenant.unfinished, Objects.requireNonNull(tenant.cap), tenant.ended))
        .toList());
  }

  @Override
  public Map<String, Long> crowded(long lanes) {
    Map<String, Long> waiting = access.with((shelf, now) -> shelf.lanes.all().stream()
        .filter(lane -> WAITING.stream().anyMatch(state -> lane.count(state) > 0))
        .collect(Collectors.groupingBy(lane -> lane.lane.tenant(), Collectors.counting())));
    waiting.values().removeIf(number -> number < lanes);
    return waiting;
  }

  @Override
  public Map<String, Long> bytes(Set<String> tenants) {
    return new Views(access).bytes(tenants);
  }
}
