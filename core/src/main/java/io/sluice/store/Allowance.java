package io.sluice.store;

import io.sluice.RateLimit;
import io.sluice.Scope;
import io.sluice.store.LaneFlow.Bound;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the limits leave for one claim: asked before each job, it grants a start or refuses, counts what it
 * granted, and notes what held which lane back. The claim that uses it must be the only one that decides
 * about these limits meanwhile.
 */
public final class Allowance {
  private static final class Note {
    private final Set<Integer> lanes = new TreeSet<>();
    private boolean untilAnEnd;
    private Duration retryIn = Duration.ZERO;
  }

  private final Instant now;
  private final StartTimes starts;
  private final ToIntFunction<Scope> running;
  private final Function<Scope, @Nullable TokenBucket> kept;
  private final Map<Scope, Integer> rooms = new HashMap<>();
  private final Map<Scope, TokenBucket> buckets = new HashMap<>();
  private final Map<Scope, TokenBucket> changed = new LinkedHashMap<>();
  private final Map<Scope, Note> notes = new LinkedHashMap<>();
  /** The rates that are saved up for a job that was refused, and for how long it still waits. */
  private final Map<Scope, Duration> savedUp = new HashMap<>();

  /** With how many jobs of a scope run, and what was kept of its bucket; null when that is full. */
  public Allowance(
      Instant now,
      StartTimes starts,
      ToIntFunction<Scope> running,
      Function<Scope, @Nullable TokenBucket> kept) {
    this.now = now;
    this.starts = starts;
    this.running = running;
    this.kept = kept;
  }

  /** How many jobs may be taken under one bound, if each costs so much. */
  public int most(Bound bound, double cost) {
    RateLimit rate = bound.limit().rate();
    int fits = rate == null
        ? Integer.MAX_VALUE
        : bucket(bound, rate).fits(rate, cost, now, starts.ahead());
    return savedUp.containsKey(bound.scope()) ? 0 : Math.min(room(bound), fits);
  }

  /** As {@link #most(Bound, double)}, under all of these. */
  public int most(List<Bound> bounds, ToDoubleFunction<Scope> cost) {
    int most = Integer.MAX_VALUE;
    for (Bound bound : bounds) {
      most = Math.min(most, most(bound, cost.applyAsDouble(bound.scope())));
    }
    return most;
  }

  /**
   * The time from now at which one more job of a lane may start; empty when none may be handed out. A job that
   * waits for more tokens than there are has them saved up: from then on this claim spends none of that rate,
   * or jobs that cost less would take them one by one as they come.
   */
  public Optional<Duration> grant(int lane, List<Bound> bounds, int cost) {
    if (isHeld(lane, bounds, cost)) {
      saveUp(bounds, cost);
      return Optional.empty();
    }
    Instant start = now;
    for (Bound bound : bounds) {
      Instant own = start(bound, cost);
      start = own.isAfter(start) ? own : start;
    }
    for (Bound bound : bounds) {
      use(bound, 1, cost, start);
    }
    return Optional.of(Duration.between(now, start));
  }

  /**
   * Grants so many jobs that cost 1 each, if every one of them may start now; false, and nothing is granted,
   * when not. It comes to the same as asking for each, and costs as much as asking once.
   */
  public boolean grantAll(List<Bound> bounds, int jobs) {
    for (Bound bound : bounds) {
      if (room(bound) < jobs || savedUp.containsKey(bound.scope()) || !allStartNow(bound, jobs)) {
        return false;
      }
    }
    for (Bound bound : bounds) {
      use(bound, jobs, jobs, now);
    }
    return true;
  }

  /** Whether the last of them may. One that finds the bucket full is asked for alone: it has more to pay. */
  private boolean allStartNow(Bound bound, int jobs) {
    RateLimit rate = bound.limit().rate();
    return rate == null
        || (jobs <= rate.burst()
            && !bucket(bound, rate).isFull(now)
            && !start(bound, jobs).isAfter(now));
  }

  /** True when a bound gives no job of this cost now; each that does not is noted. */
  public boolean isHeld(int lane, List<Bound> bounds, int cost) {
    boolean held = false;
    for (Bound bound : bounds) {
      if (room(bound) <= 0) {
        note(bound.scope(), lane, null);
        held = true;
      } else {
        Duration wait = longer(wait(bound, cost), savedUp.get(bound.scope()));
        if (wait.isPositive()) {
          note(bound.scope(), lane, wait);
          held = true;
        }
      }
    }
    return held;
  }

  private Duration wait(Bound bound, int cost) {
    return Duration.between(now, start(bound, cost)).minus(starts.ahead());
  }

  private static Duration longer(Duration one, @Nullable Duration other) {
    return other == null || one.compareTo(other) > 0 ? one : other;
  }

  /** Only where nothing but tokens is missing, and of several rates the one that it waits for longest. */
  private void saveUp(List<Bound> bounds, int cost) {
    Bound last = null;
    for (Bound bound : bounds) {
      if (room(bound) <= 0 || savedUp.containsKey(bound.scope())) {
        return;
      }
      if (last == null || wait(bound, cost).compareTo(wait(last, cost)) > 0) {
        last = bound;
      }
    }
    if (last != null) {
      savedUp.put(last.scope(), wait(last, cost));
    }
  }

  /** Notes that a scope held a lane back: for so long, or without a time until a job ends. */
  public void note(Scope scope, int lane, @Nullable Duration retryIn) {
    Note note = notes.computeIfAbsent(scope, s -> new Note());
    note.lanes.add(lane);
    if (retryIn == null) {
      note.untilAnEnd = true;
    } else if (retryIn.compareTo(note.retryIn) > 0) {
      note.retryIn = retryIn;
    }
  }

  /** What held lanes back. */
  public List<SpentLimit> spent() {
    return notes.entrySet().stream()
        .map(entry -> new SpentLimit(
            entry.getKey(),
            List.copyOf(entry.getValue().lanes),
            entry.getValue().untilAnEnd ? null : entry.getValue().retryIn))
        .toList();
  }

  /** The buckets that are not as before, to be kept. */
  public Map<Scope, TokenBucket> changed() {
    return Map.copyOf(changed);
  }

  private Instant start(Bound bound, int cost) {
    RateLimit rate = bound.limit().rate();
    return rate == null ? now : bucket(bound, rate).start(rate, cost, now);
  }

  private void use(Bound bound, int jobs, int cost, Instant start) {
    if (bound.limit().concurrency() != null) {
      rooms.merge(bound.scope(), -jobs, Integer::sum);
    }
    RateLimit rate = bound.limit().rate();
    if (rate != null) {
      TokenBucket before = bucket(bound, rate);
      TokenBucket charged = before.charged(cost, start);
      TokenBucket after = before.isFull(start) ? charged.after(starts.late()) : charged;
      buckets.put(bound.scope(), after);
      changed.put(bound.scope(), after);
    }
  }

  private int room(Bound bound) {
    Integer most = bound.limit().concurrency();
    return most == null
        ? Integer.MAX_VALUE
        : rooms.computeIfAbsent(bound.scope(), scope -> most - running.applyAsInt(scope));
  }

  private TokenBucket bucket(Bound bound, RateLimit rate) {
    return buckets.computeIfAbsent(bound.scope(), scope -> {
      TokenBucket before = kept.apply(scope);
      TokenBucket bucket = before == null ? TokenBucket.full(rate, now) : before.under(rate, now);
      if (before != null && !bucket.isUsedAs(before)) {
        // From now on it is made good at the new pace, or by the clock that was set back.
        changed.put(scope, bucket);
      }
      return bucket;
    });
  }
}
