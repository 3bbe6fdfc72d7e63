package io.sluice.memory;

import io.sluice.Defaults;
import io.sluice.QueueSettings;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The queues by name, among them removed ones that finished jobs still belong to. */
final class QueueBook {
  private final Map<QueueName, QueueEntry> queues = new HashMap<>();

  /** The entry of a queue, whether it was made or not. */
  QueueEntry obtain(QueueName name) {
    return queues.computeIfAbsent(name, QueueEntry::new);
  }

  /** The queue if it was made; a default queue is made by asking for it. */
  @Nullable
  QueueEntry find(QueueName name) {
    QueueEntry entry = queues.get(name);
    if (entry != null && entry.settings != null) {
      return entry;
    }
    if (!name.name().equals(Defaults.QUEUE)) {
      return null;
    }
    return save(QueueSettings.of(name.tenant(), name.name()));
  }

  /** Removes a queue that holds no unfinished job. */
  boolean remove(QueueName name) {
    QueueEntry entry = queues.get(name);
    if (entry == null || entry.settings == null || entry.unfinished > 0) {
      return false;
    }
    entry.settings = null;
    return true;
  }

  QueueEntry save(QueueSettings settings) {
    QueueEntry entry = obtain(new QueueName(settings.tenant(), settings.name()));
    entry.settings = settings;
    return entry;
  }

  Collection<QueueEntry> all() {
    return queues.values();
  }
}
