package io.sluice.engine;

import io.sluice.Lane;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Places by the queue and by the limit key they have in common. Of jobs that run one after the other
 * nobody knows in which place the oldest is, so a claim names them all.
 */
final class Kin {
  /** A limit key of a queue. */
  private record Key(Share queue, String limitKey) {
    static Key of(Lane lane) {
      return new Key(Share.of(lane), lane.limitKey());
    }
  }

  private final Map<Share, Set<Place>> byQueue = new HashMap<>();
  private final Map<Key, Set<Place>> byKey = new HashMap<>();

  void add(Place place) {
    byQueue.computeIfAbsent(Share.of(place.lane), q -> new LinkedHashSet<>(2)).add(place);
    byKey.computeIfAbsent(Key.of(place.lane), k -> new LinkedHashSet<>(2)).add(place);
  }

  void remove(Place place) {
    remove(byQueue, Share.of(place.lane), place);
    remove(byKey, Key.of(place.lane), place);
  }

  private static <K> void remove(Map<K, Set<Place>> from, K key, Place place) {
    from.computeIfPresent(key, (k, places) -> {
      places.remove(place);
      return places.isEmpty() ? null : places;
    });
  }

  /** Those of the same queue. */
  Collection<Place> inQueue(Lane lane) {
    return byQueue.getOrDefault(Share.of(lane), Set.of());
  }

  /** Those of the same queue and limit key. */
  Collection<Place> withKey(Lane lane) {
    return byKey.getOrDefault(Key.of(lane), Set.of());
  }
}
