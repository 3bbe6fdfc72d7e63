package io.sluice.server.fuzz;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Ids and names of things that were made, by kind; the newest few hundred of each. */
final class KnownThings {
  private static final int MOST = 300;

  /** A kind of thing that a path or a field can name. */
  enum Kind {
    JOB,
    BATCH,
    QUEUE,
    GROUP,
    LEASE,
    KEY,
    TENANT,
    LIMIT,
    BREAKER,
    CURSOR
  }

  private final Map<Kind, List<String>> things = new EnumMap<>(Kind.class);

  synchronized void add(Kind kind, String id) {
    List<String> known = things.computeIfAbsent(kind, any -> new ArrayList<>());
    if (!id.isEmpty() && !known.contains(id)) {
      known.add(id);
      if (known.size() > MOST) {
        known.removeFirst();
      }
    }
  }

  synchronized void remove(Kind kind, String id) {
    things.getOrDefault(kind, new ArrayList<>()).remove(id);
  }

  /** One of them, the newer the likelier. */
  synchronized Optional<String> any(Kind kind, RandomGenerator random) {
    List<String> known = things.getOrDefault(kind, List.of());
    if (known.isEmpty()) {
      return Optional.empty();
    }
    int back = Math.min(random.nextInt(known.size()), random.nextInt(known.size()));
    return Optional.of(known.get(known.size() - 1 - back));
  }
}
