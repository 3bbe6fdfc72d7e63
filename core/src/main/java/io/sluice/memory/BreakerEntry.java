package io.sluice.memory;

import io.sluice.Breaker;
import io.sluice.BreakerSettings;
import io.sluice.BreakerState;
import io.sluice.Scope;
import io.sluice.store.ProbeGrant;
import io.sluice.store.Tally;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The breaker of a scope, with what each instance has counted. */
final class BreakerEntry {
  private record Counted(long version, Breaker.Calls calls, Instant at) {}

  final Scope scope;

  @Nullable
  BreakerSettings settings;

  BreakerState state = BreakerState.CLOSED;
  long version = 1;
  Instant changedAt;

  @Nullable
  Instant openUntil;

  @Nullable
  Instant heldUntil;

  int granted;
  int passed;
  private final Map<UUID, Counted> counts = new HashMap<>();

  BreakerEntry(Scope scope, Instant now) {
    this.scope = scope;
    this.changedAt = now;
  }

  void set(@Nullable BreakerSettings wanted, Instant now) {
    settings = wanted;
    boolean broken = state == BreakerState.OPEN || state == BreakerState.HALF_OPEN;
    if (wanted == null && broken) {
      become(BreakerState.CLOSED, now);
    }
  }

  boolean move(long seen, BreakerState to, Instant now) {
    BreakerSettings known = settings;
    if (seen != version || (to == BreakerState.OPEN && known == null)) {
      return false;
    }
    become(to, now);
    if (to == BreakerState.OPEN && known != null) {
      openUntil = now.plus(known.tripDuration());
    }
    return true;
  }

  private void become(BreakerState to, Instant now) {
    state = to;
    version++;
    changedAt = now;
    openUntil = null;
    granted = 0;
    passed = 0;
    counts.clear();
  }

  ProbeGrant probe(int wanted, Instant now) {
    BreakerSettings known = settings;
    if (known == null || wanted < 1) {
      return ProbeGrant.NONE;
    }
    boolean due = openUntil != null && !openUntil.isAfter(now);
    if (state == BreakerState.OPEN && due) {
      become(BreakerState.HALF_OPEN, now);
      openUntil = now.plus(known.tripDuration());
    } else if (state == BreakerState.HALF_OPEN && due && passed < known.halfOpenMaxRequests()) {
      version++;
      changedAt = now;
      granted = passed;
      openUntil = now.plus(known.tripDuration());
    }
    int free = state == BreakerState.HALF_OPEN ? known.halfOpenMaxRequests() - granted : 0;
    int got = Math.min(wanted, free);
    if (got < 1) {
      return ProbeGrant.NONE;
    }
    granted += got;
    return new ProbeGrant(version, got);
  }

  boolean probed(long seen, int well, int unused) {
    if (seen != version || state != BreakerState.HALF_OPEN) {
      return false;
    }
    passed += well;
    granted = Math.max(passed, granted - unused);
    return true;
  }

  void count(UUID instance, Tally own, Instant now) {
    if (own.version() == version) {
      counts.put(instance, new Counted(version, own.calls(), now));
    }
  }

  /** What the others than this instance have counted in the window; all of them, for null. */
  Breaker.Calls counted(@Nullable UUID instance, Instant now) {
    Duration window = settings == null ? Duration.ZERO : settings.window();
    counts.values().removeIf(c -> c.version != version || !c.at.plus(window).isAfter(now));
    return counts.entrySet().stream()
        .filter(e -> !e.getKey().equals(instance))
        .map(e -> e.getValue().calls)
        .reduce(Breaker.Calls.NONE, Breaker.Calls::plus);
  }

  Breaker asOf(Instant now) {
    return new Breaker(
        scope,
        settings,
        state,
        version,
        changedAt,
        openUntil,
        heldUntil,
        new Breaker.Probes(granted, passed),
        counted(null, now),
        now);
  }
}
