package io.sluice.engine;

import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Remote workers that have a suspect, and nothing beside it: then the next loss tells whether it was to blame.
 * Such a worker gets nothing else until the suspect ends, but only for as long as the suspect's {@link
 * Patience} lasts, and never for longer than its lease. A name may stand for many processes, so a worker is
 * held up for an eighth of the time at most; other suspects go out alone and hold nobody up.
 */
final class Quarantine {
  private static final int MOST = 10_000;
  private static final int SHARE = 8;

  /** A suspect that holds its worker up until a moment, and when the next one may. */
  private record Stay(ClaimRef ref, long until, long next) {}

  private final LongSupplier nanoTime;
  private final Map<Long, Stay> stays = new ConcurrentHashMap<>();

  Quarantine(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** True while a worker gets nothing. */
  boolean holds(long worker) {
    Stay stay = stays.get(worker);
    return stay != null && nanoTime.getAsLong() - stay.until < 0;
  }

  /** Which of the jobs that a worker claimed go out: the first suspect alone, or all where there is none. */
  List<ClaimedJob> admit(List<ClaimedJob> claimed, Duration lease) {
    return claimed.stream()
        .filter(job -> job.strikes().isSuspect())
        .findFirst()
        .map(suspect -> {
          begin(suspect, lease);
          return List.of(suspect);
        })
        .orElse(claimed);
  }

  private void begin(ClaimedJob suspect, Duration lease) {
    if (stays.size() >= MOST) {
      stays.clear();
    }
    long now = nanoTime.getAsLong();
    long time = Math.min(new Patience(lease).nanos(suspect.strikes()), lease.toNanos());
    Stay fresh = new Stay(suspect.ref(), now + time, now + SHARE * time);
    stays.merge(suspect.ref().worker(), fresh, (last, next) -> now - last.next < 0 ? last : next);
  }

  /** Lets the worker of a suspect have others again, now that it has ended. */
  void end(ClaimRef ref) {
    long now = nanoTime.getAsLong();
    stays.computeIfPresent(
        ref.worker(),
        (worker, stay) -> stay.ref.equals(ref) ? new Stay(ref, now, stay.next) : stay);
  }
}
