package io.sluice.engine;

import io.sluice.Defaults;
import io.sluice.Event;
import io.sluice.Fullness;
import io.sluice.Level;
import io.sluice.Marks;
import io.sluice.Overflow;
import io.sluice.store.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches how full the capped queues and tenants are: tells each change of a level once, and knows from
 * how fast they got emptier when one that is full will have room. It reads counters, not jobs, and every
 * engine does so for its own listeners and callers.
 */
final class Pressure {
  private static final Duration SOONEST = Duration.ofSeconds(1);

  /** A queue, or a tenant where no queue is named. */
  private record Place(String tenant, @Nullable String queue) {}

  /** What a store says of a place. */
  private record Look(
      Place place, long unfinished, long maxSize, @Nullable Marks marks, long ended) {}

  private record Change(
      Place place,
      Level before,
      Level level,
      long unfinished,
      @Nullable Long maxSize) {
    Event at(Instant now) {
      return new Event.LevelChanged(
          now, place.tenant, place.queue, before, level, unfinished, maxSize);
    }
  }

  private static final class Watched {
    private Level level = Level.NORMAL;
    private long unfinished;
    private long maxSize;
    private final Drain drain = new Drain();
  }

  private final JobStore store;
  private final Events events;
  private final Marks marks;
  private final LongSupplier nanoTime;
  private final Map<Place, Watched> watched = new HashMap<>();

  Pressure(JobStore store, Events events, Marks marks, LongSupplier nanoTime) {
    this.store = store;
    this.events = events;
    this.marks = marks;
    this.nanoTime = nanoTime;
  }

  /** The marks of what has none of its own. */
  Marks marks() {
    return marks;
  }

  Duration look(Duration every) {
    List<Change> changes = note(looks(), nanoTime.getAsLong());
    if (!changes.isEmpty()) {
      Instant now = store.now();
      changes.forEach(change -> events.tell(change.at(now)));
    }
    return every;
  }

  private List<Look> looks() {
    List<Look> looks = new ArrayList<>();
    store
        .queues()
        .sizes()
        .forEach(size -> looks.add(new Look(
            new Place(size.tenant(), size.queue()),
            size.unfinished(),
            size.maxSize(),
            size.levels(),
            size.ended())));
    store
        .queues()
        .tenantSizes()
        .forEach(size -> looks.add(new Look(
            new Place(size.tenant(), null),
            size.unfinished(),
            size.cap().maxSize(),
            size.cap().levels(),
            size.ended())));
    return looks;
  }

  private synchronized List<Change> note(List<Look> looks, long nanos) {
    List<Change> changes = new ArrayList<>();
    Set<Place> gone = new HashSet<>(watched.keySet());
    for (Look look : looks) {
      gone.remove(look.place());
      Watched place = watched.computeIfAbsent(look.place(), p -> new Watched());
      place.drain.note(nanos, look.ended());
      place.unfinished = look.unfinished();
      place.maxSize = look.maxSize();
      Marks own = look.marks();
      Level level = Level.of(look.unfinished(), look.maxSize(), own == null ? marks : own);
      if (level != place.level) {
        changes.add(
            new Change(look.place(), place.level, level, look.unfinished(), look.maxSize()));
        place.level = level;
      }
    }
    for (Place place : gone) {
      Watched last = watched.remove(place);
      if (last != null && last.level != Level.NORMAL) {
        changes.add(new Change(place, last.level, Level.NORMAL, last.unfinished, null));
      }
    }
    return changes;
  }

  /** All that is capped, as of the last look. */
  synchronized List<Fullness> fullness() {
    List<Fullness> all = new ArrayList<>();
    watched.forEach((place, seen) -> all.add(new Fullness(
        place.tenant(),
        place.queue(),
        seen.level,
        seen.unfinished,
        seen.maxSize,
        seen.drain.perSecond())));
    return all;
  }

  /** How long it takes until there is room, at the rate at which jobs ended lately. */
  synchronized Duration untilRoom(Overflow overflow) {
    if (overflow.isHopeless()) {
      return Defaults.LONGEST_RETRY_WHEN_FULL;
    }
    Watched seen = watched.get(new Place(overflow.tenant(), overflow.queue()));
    double rate = seen == null ? 0 : seen.drain.perSecond();
    if (rate <= 0) {
      return Defaults.RETRY_WHEN_FULL;
    }
    double seconds = overflow.excess() / rate;
    if (seconds >= Defaults.LONGEST_RETRY_WHEN_FULL.toSeconds()) {
      return Defaults.LONGEST_RETRY_WHEN_FULL;
    }
    Duration wait = Duration.ofMillis((long) Math.ceil(seconds * 1000));
    return wait.compareTo(SOONEST) < 0 ? SOONEST : wait;
  }
}
