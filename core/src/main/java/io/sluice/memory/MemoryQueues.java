package io.sluice.memory;

import io.sluice.QueueSettings;
import io.sluice.store.QueueSize;
import io.sluice.store.Queues;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The queues of a memory store. */
final class MemoryQueues implements Queues {
  private final Access access;

  MemoryQueues(Access access) {
    this.access = access;
  }

  @Override
  public void save(QueueSettings settings) {
    access.with((shelf, now) -> {
      shelf.hints().queues();
      return shelf.queues.save(settings);
    });
  }

  @Override
  public Optional<QueueSettings> find(String tenant, String name) {
    return access.with((shelf, now) ->
        Optional.ofNullable(shelf.queues.find(new QueueName(tenant, name))).map(q -> q.settings));
  }

  @Override
  public List<QueueSettings> list() {
    return access.with((shelf, now) -> made(shelf)
        .sorted(Comparator.comparing(QueueSettings::tenant).thenComparing(QueueSettings::name))
        .toList());
  }

  private static Stream<QueueSettings> made(Shelf shelf) {
    return shelf.queues.all().stream().flatMap(q -> Stream.ofNullable(q.settings));
  }

  @Override
  public boolean pause(String tenant, String name, boolean paused) {
    return access.with((shelf, now) -> {
      QueueEntry queue = shelf.queues.find(new QueueName(tenant, name));
      if (queue == null) {
        return false;
      }
      queue.settings = Objects.requireNonNull(queue.settings).withPaused(paused);
      shelf.hints().queues();
      return true;
    });
  }

  @Override
  public boolean delete(String tenant, String name) {
    return access.with((shelf, now) -> {
      boolean removed = shelf.queues.remove(new QueueName(tenant, name));
      if (removed) {
        shelf.hints().queues();
      }
      return removed;
    });
  }

  @Override
  public List<QueueSize> sizes() {
    return access.with((shelf, now) -> made(shelf)
        .filter(settings -> settings.maxSize() != null)
        .map(settings -> new QueueSize(
            settings.tenant(),
            settings.name(),
            shelf.queues.obtain(new QueueName(settings.tenant(), settings.name())).unfinished,
            Objects.requireNonNull(settings.maxSize())))
        .sorted(Comparator.comparing(QueueSize::tenant).thenComparing(QueueSize::queue))
        .toList());
  }
}
