package io.sluice.memory;

import io.sluice.Breaker;
import io.sluice.BreakerSettings;
import io.sluice.BreakerState;
import io.sluice.Scope;
import io.sluice.store.Breakers;
import io.sluice.store.ProbeGrant;
import io.sluice.store.Tally;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The breakers of a memory store. */
final class MemoryBreakers implements Breakers {
  private static final Comparator<Breaker> BY_NAME = Comparator.<Breaker, String>comparing(
          breaker -> breaker.scope().tenant())
      .thenComparing(breaker -> breaker.scope().kind())
      .thenComparing(breaker -> breaker.scope().name());

  private final Access access;

  MemoryBreakers(Access access) {
    this.access = access;
  }

  @Override
  public Breaker save(Scope scope, @Nullable BreakerSettings settings) {
    Breakers.check(scope);
    return access.with((shelf, now) -> {
      BreakerEntry entry = obtain(shelf, scope, now);
      entry.set(settings, now);
      shelf.hints().breakers();
      return entry.asOf(now);
    });
  }

  private static BreakerEntry obtain(Shelf shelf, Scope scope, Instant now) {
    return shelf.breakers.computeIfAbsent(scope, s -> new BreakerEntry(s, now));
  }

  @Override
  public boolean delete(Scope scope) {
    return access.with((shelf, now) -> {
      shelf.hints().breakers();
      return shelf.breakers.remove(scope) != null;
    });
  }

  @Override
  public Optional<Breaker> find(Scope scope) {
    return access.with((shelf, now) ->
        Optional.ofNullable(shelf.breakers.get(scope)).map(entry -> entry.asOf(now)));
  }

  @Override
  public List<Breaker> list(@Nullable String tenant) {
    return access.with((shelf, now) -> shelf.breakers.values().stream()
        .filter(entry -> tenant == null || entry.scope.tenant().equals(tenant))
        .map(entry -> entry.asOf(now))
        .sorted(BY_NAME)
        .toList());
  }

  @Override
  public boolean move(Scope scope, long version, BreakerState to) {
    if (to == BreakerState.HALF_OPEN) {
      throw new IllegalArgumentException("a breaker becomes half-open by its first probe");
    }
    return access.with((shelf, now) -> {
      BreakerEntry entry = shelf.breakers.get(scope);
      if (entry == null || !entry.move(version, to, now)) {
        return false;
      }
      shelf.hints().breakers();
      return true;
    });
  }

  @Override
  public ProbeGrant probe(Scope scope, int wanted) {
    return access.with((shelf, now) -> {
      BreakerEntry entry = shelf.breakers.get(scope);
      long before = entry == null ? 0 : entry.version;
      ProbeGrant grant = entry == null ? ProbeGrant.NONE : entry.probe(wanted, now);
      if (grant.probes() > 0 && grant.version() != before) {
        shelf.hints().breakers();
      }
      return grant;
    });
  }

  @Override
  public boolean probed(Scope scope, long version, int passed, int unused) {
    return access.with((shelf, now) -> {
      BreakerEntry entry = shelf.breakers.get(scope);
      if (entry == null || !entry.probed(version, passed, unused)) {
        return false;
      }
      // Another instance may have work for what this one did not use.
      shelf.hints().breakers();
      return true;
    });
  }

  @Override
  public List<Tally> count(UUID instance, List<Tally> own) {
    return access.with((shelf, now) -> {
      List<Tally> others = new ArrayList<>();
      for (Tally tally : own) {
        BreakerEntry entry = shelf.breakers.get(tally.scope());
        if (entry != null) {
          entry.count(instance, tally, now);
          others.add(new Tally(tally.scope(), entry.version, entry.counted(instance, now)));
        }
      }
      return others;
    });
  }

  @Override
  public void hold(Scope scope, Duration time) {
    Breakers.check(scope);
    access.with((shelf, now) -> {
      BreakerEntry entry = obtain(shelf, scope, now);
      Instant until = now.plus(time);
      if (entry.heldUntil == null || entry.heldUntil.isBefore(until)) {
        entry.heldUntil = until;
        shelf.hints().breakers();
      }
      return true;
    });
  }

  @Override
  public boolean release(Scope scope) {
    return access.with((shelf, now) -> {
      BreakerEntry entry = shelf.breakers.get(scope);
      if (entry == null || entry.heldUntil == null) {
        return false;
      }
      boolean held = entry.heldUntil.isAfter(now);
      entry.heldUntil = null;
      shelf.hints().breakers();
      return held;
    });
  }
}
