package io.sluice.memory;

import io.sluice.Defaults;
import io.sluice.QueueSettings;
import io.sluice.store.QueueRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The queues by name, among them removed ones that finished jobs still belong to. */
final class QueueBook {
  private final Map<QueueName, QueueEntry> queues = new HashMap<>();
  private final Map<String, TenantEntry> tenants = new TreeMap<>();
  private int made;

  /** The entry of a queue, whether it was made or not. */
  QueueEntry obtain(QueueName name) {
    return queues.computeIfAbsent(name, n -> new QueueEntry(n, tenant(n.tenant())));
  }

  TenantEntry tenant(String name) {
    return tenants.computeIfAbsent(name, TenantEntry::new);
  }

  /** The tenants that have a cap, by name. */
  List<TenantEntry> capped() {
    return tenants.values().stream().filter(tenant -> tenant.cap != null).toList();
  }

  /** The queue if it was made; a default queue is made by asking for it. */
  @Nullable
  QueueEntry find(QueueName name, Instant now) {
    QueueEntry entry = queues.get(name);
    if (entry != null && entry.made != null) {
      return entry;
    }
    if (!name.name().equals(Defaults.QUEUE)) {
      return null;
    }
    save(QueueSettings.of(name.tenant(), name.name()), now);
    return queues.get(name);
  }

  /** Removes a queue that holds no unfinished job. */
  boolean remove(QueueName name) {
    QueueEntry entry = queues.get(name);
    if (entry == null || entry.made == null || entry.unfinished > 0) {
      return false;
    }
    entry.made = null;
    return true;
  }

  QueueRecord save(QueueSettings settings, Instant now) {
    QueueRecord old = obtain(new QueueName(settings.tenant(), settings.name())).made;
    return restore(
        old == null
            ? new QueueRecord(newId(settings, now), settings, now, now)
            : new QueueRecord(old.id(), settings, old.createdAt(), now));
  }

  /** Puts a queue in as it is. */
  QueueRecord restore(QueueRecord queue) {
    obtain(new QueueName(queue.tenant(), queue.name())).made = queue;
    return queue;
  }

  /** An id out of what no other queue has: its name, when it was made, and as which. */
  private UUID newId(QueueSettings settings, Instant now) {
    String seed = settings.tenant() + '/' + settings.name() + '/' + now + '/' + ++made;
    return UUID.nameUUIDFromBytes(seed.getBytes(StandardCharsets.UTF_8));
  }

  Collection<QueueEntry> all() {
    return queues.values();
  }
}
