package io.sluice.engine;

import io.sluice.Lane;
import io.sluice.QueueSettings;
import io.sluice.store.QueueRecord;
import io.sluice.store.Queues;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/** The settings of all queues as of a moment ago. */
final class QueueCache {
  private record Key(String tenant, String queue) {}

  private final Queues queues;
  private final Duration every;
  private final Runnable onChange;
  private volatile Map<Key, QueueSettings> settings = Map.of();

  /** With {@code onChange}, whoever looked at the settings before they changed looks again. */
  QueueCache(Queues queues, Duration every, Runnable onChange) {
    this.queues = queues;
    this.every = every;
    this.onChange = onChange;
  }

  Duration runOnce() {
    Map<Key, QueueSettings> before = settings;
    settings = queues.list().stream()
        .map(QueueRecord::settings)
        .collect(Collectors.toUnmodifiableMap(q -> new Key(q.tenant(), q.name()), q -> q));
    if (!settings.equals(before)) {
      onChange.run();
    }
    return every;
  }

  boolean isKnown(String tenant, String queue) {
    return settings.containsKey(new Key(tenant, queue));
  }

  QueueSettings of(Lane lane) {
    QueueSettings known = settings.get(new Key(lane.tenant(), lane.queue()));
    return known != null ? known : QueueSettings.of(lane.tenant(), lane.queue());
  }
}
