package io.sluice.engine;

import io.sluice.Breaker;
import io.sluice.BreakerSettings;
import io.sluice.BreakerState;
import io.sluice.Scope;
import io.sluice.store.ProbeGrant;
import io.sluice.store.Tally;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What this instance knows of one breaker, counts for it and wants written of it. It acts on what it sees
 * at once: a window that trips shuts it here before the store knows. No I/O and no clock of its own; every
 * moment is one of the ticker.
 */
final class Circuit {
  /** Counts of others are not taken for true for longer than this. */
  private static final long OTHERS_LAST = Duration.ofSeconds(5).toNanos();
  /** Probes that found no job to try with go back after this. */
  private static final long UNUSED = Duration.ofSeconds(1).toNanos();

  private static final long ASK_AGAIN = Duration.ofMillis(100).toNanos();

  /** A job that may start, with the version of the state that it started in. */
  record Ticket(Circuit circuit, long version, boolean probe) {}

  /** A change of state that is to be written. */
  record Move(long version, BreakerState to) {}

  /** What is to be reported of the probes of a period. */
  record Report(long version, int passed, int unused) {}

  final Scope scope;
  private final SlowStart slowStart = new SlowStart();

  private @Nullable Breaker seen;
  private long changedAt;
  private long opensAt;
  private boolean deadlineAhead;

  private boolean held;
  private long heldUntil;
  private Duration holdWanted = Duration.ZERO;

  private CallWindow window = new CallWindow(Duration.ofSeconds(1));
  private Breaker.Calls written = Breaker.Calls.NONE;
  private Breaker.Calls others = Breaker.Calls.NONE;
  private long othersAt;
  private Optional<String> tripped = Optional.empty();

  private long probeVersion;
  private int probes;
  private long probesSince;
  private int passed;
  private int unused;
  private boolean probeFailed;
  private boolean wantsProbe;
  private long asksAgainAt;

  Circuit(Scope scope) {
    this.scope = scope;
  }

  // ---- what the store says

  /** Takes over how the breaker is; answers what it was before, if it was seen. */
  synchronized Optional<Breaker> see(Breaker fresh, long now) {
    Optional<Breaker> before = Optional.ofNullable(seen);
    boolean same = before.filter(b -> b.version() == fresh.version()).isPresent();
    seen = fresh;
    if (!same) {
      forget(fresh, now);
    }
    BreakerSettings settings = fresh.settings();
    if (settings == null) {
      tripped = Optional.empty();
    } else if (!same || !before.map(Breaker::settings).equals(Optional.of(settings))) {
      window = new CallWindow(settings.window());
    }
    opensAt = now + fresh.openFor().toNanos();
    // One that has just passed is still to be told of.
    deadlineAhead = fresh.openFor().isPositive() || (same && deadlineAhead);
    asksAgainAt = now;
    seeHold(fresh, now);
    if (fresh.state() == BreakerState.CLOSED
        && before.filter(b -> b.state() != BreakerState.CLOSED).isPresent()) {
      slowStart.begin(firstInHand(), SlowStart.STEP, now);
    }
    return before;
  }

  private void forget(Breaker fresh, long now) {
    changedAt = now - fresh.age().toNanos();
    tripped = Optional.empty();
    probeFailed = false;
    passed = 0;
    unused = 0;
    written = Breaker.Calls.NONE;
    others = Breaker.Calls.NONE;
    if (probeVersion != fresh.version()) {
      probes = 0;
    }
  }

  private void seeHold(Breaker fresh, long now) {
    long until = now + fresh.heldFor().toNanos();
    if (holdWanted.isPositive()) {
      // What the store does not know yet is in force here all the same.
      heldUntil = until - heldUntil > 0 ? until : heldUntil;
    } else if (fresh.heldFor().isPositive()) {
      held = true;
      heldUntil = until;
    } else if (held) {
      heldUntil = now;
    }
    endHold(now);
  }

  private void endHold(long now) {
    if (held && now - heldUntil >= 0) {
      held = false;
      slowStart.begin(firstInHand(), LaneHolds.STEP, now);
    }
  }

  private int firstInHand() {
    BreakerSettings settings = settings();
    return settings == null ? 1 : settings.halfOpenMaxRequests();
  }

  private @Nullable BreakerSettings settings() {
    return seen == null ? null : seen.settings();
  }

  private BreakerState state() {
    return seen == null ? BreakerState.CLOSED : seen.state();
  }

  // ---- what may run

  /** True when nothing may start now. */
  synchronized boolean isShut(long now) {
    return room(now, 0) == 0;
  }

  /** How many more may be claimed, with so many in hand. */
  synchronized int room(long now, int inHand) {
    endHold(now);
    if (held || tripped.isPresent()) {
      return 0;
    }
    return switch (state()) {
      case CLOSED -> {
        int limit = slowStart.limit(now);
        yield limit == Integer.MAX_VALUE ? limit : Math.max(0, limit - inHand);
      }
      case OPEN, HALF_OPEN -> probes(now);
      case FORCED_OPEN -> 0;
    };
  }

  private int probes(long now) {
    if (state() == BreakerState.HALF_OPEN && probes > 0 && !probeFailed) {
      return probes;
    }
    boolean due = now - opensAt >= 0;
    boolean free = seen != null
        && seen.settings() != null
        && state() == BreakerState.HALF_OPEN
        && seen.probes().granted() < seen.settings().halfOpenMaxRequests();
    if ((due || free) && !probeFailed && now - asksAgainAt >= 0) {
      wantsProbe = true;
    }
    return 0;
  }

  /** True while the limit to what is in hand grows: then it matters how many are. */
  synchronized boolean isSlow(long now) {
    endHold(now);
    return slowStart.isGoing(now);
  }

  /** Lets one job start, or none. */
  synchronized @Nullable Ticket enter(long now) {
    endHold(now);
    if (held || tripped.isPresent() || seen == null) {
      return seen == null && !held ? new Ticket(this, 0, false) : null;
    }
    return switch (seen.state()) {
      case CLOSED -> new Ticket(this, seen.version(), false);
      case HALF_OPEN -> {
        if (probes == 0 || probeFailed || probeVersion != seen.version()) {
          yield null;
        }
        probes--;
        yield new Ticket(this, seen.version(), true);
      }
      case OPEN, FORCED_OPEN -> null;
    };
  }

  /** True when probes were granted that no job has used yet. */
  synchronized boolean hasProbes() {
    return probes > 0;
  }

  /** Notes that there was nothing to claim: what was granted for it goes back. */
  synchronized void unclaimed() {
    unused += probes;
    probes = 0;
  }

  // ---- what came of it

  /** Counts the end of a job that started with this ticket; true when something is to be written now. */
  synchronized boolean ended(Ticket ticket, CallEnd end, long now) {
    boolean current = seen != null && ticket.version() == seen.version();
    return current && counted(end, ticket.probe(), now);
  }

  /** As {@link #ended}, of a job that another instance may have let start so long ago. */
  synchronized boolean endedElsewhere(CallEnd end, long now) {
    boolean current = seen != null && now - end.nanos() - changedAt >= 0;
    return current && counted(end, true, now);
  }

  /** Holds the scope for so long from now; false when it is held for longer already. */
  synchronized boolean hold(Duration wait, long now) {
    endHold(now);
    long until = now + wait.toNanos();
    if (!wait.isPositive() || (held && until - heldUntil <= 0)) {
      return false;
    }
    held = true;
    heldUntil = until;
    holdWanted = wait;
    return true;
  }

  private boolean counted(CallEnd end, boolean probe, long now) {
    BreakerSettings settings = settings();
    if (settings == null) {
      return false;
    }
    Duration slow = settings.slowCallThreshold();
    boolean failed = end.kind() == CallEnd.Kind.FAILED
        || (end.kind() == CallEnd.Kind.WELL && slow != null && end.nanos() >= slow.toNanos());
    return switch (state()) {
      case CLOSED ->
        end.kind() != CallEnd.Kind.NOTHING && end.kind() != CallEnd.Kind.BUSY && added(failed, now);
      case HALF_OPEN -> probe && tried(end, failed);
      case OPEN, FORCED_OPEN -> false;
    };
  }

  private boolean added(boolean failed, long now) {
    window.add(failed, now);
    return failed && trips(now);
  }

  private boolean tried(CallEnd end, boolean failed) {
    if (end.kind() == CallEnd.Kind.NOTHING) {
      unused++;
    } else if (failed) {
      probeFailed = true;
    } else {
      passed++;
    }
    return true;
  }

  private boolean trips(long now) {
    BreakerSettings settings = settings();
    if (settings == null || tripped.isPresent()) {
      return false;
    }
    boolean known = now - othersAt < OTHERS_LAST;
    Breaker.Calls calls = window.calls(now).plus(known ? others : Breaker.Calls.NONE);
    boolean trip = calls.total() >= settings.minimumCalls()
        && calls.failureRate() >= settings.errorThreshold();
    if (trip) {
      tripped = Optional.of("%d of %d calls failed".formatted(calls.failed(), calls.total()));
    }
    return trip;
  }

  /** Why this instance opened it, when it did. */
  synchronized Optional<String> reason() {
    return tripped;
  }

  // ---- what is to be written

  /** The hold to write; zero for none. */
  synchronized Duration holdWanted() {
    return holdWanted;
  }

  synchronized void holdWritten(Duration hold) {
    if (holdWanted.equals(hold)) {
      holdWanted = Duration.ZERO;
    }
  }

  synchronized Optional<Move> move() {
    BreakerSettings settings = settings();
    if (seen == null || settings == null) {
      return Optional.empty();
    }
    boolean halfOpen = seen.state() == BreakerState.HALF_OPEN;
    if (tripped.isPresent() || (halfOpen && probeFailed)) {
      return Optional.of(new Move(seen.version(), BreakerState.OPEN));
    }
    boolean allPassed = halfOpen && seen.probes().passed() >= settings.halfOpenMaxRequests();
    return allPassed
        ? Optional.of(new Move(seen.version(), BreakerState.CLOSED))
        : Optional.empty();
  }

  synchronized Optional<Report> report(long now) {
    if (probes > 0 && now - probesSince >= UNUSED) {
      unclaimed();
    }
    return passed + unused > 0 && seen != null && state() == BreakerState.HALF_OPEN
        ? Optional.of(new Report(seen.version(), passed, unused))
        : Optional.empty();
  }

  synchronized void reported(Report report) {
    if (seen != null && seen.version() == report.version()) {
      passed -= report.passed();
      unused -= report.unused();
    }
  }

  /** How many probes to ask for; zero for none. */
  synchronized int probesWanted() {
    BreakerSettings settings = settings();
    return wantsProbe && settings != null ? settings.halfOpenMaxRequests() : 0;
  }

  synchronized void granted(ProbeGrant grant, long now) {
    wantsProbe = false;
    asksAgainAt = now + ASK_AGAIN;
    if (grant.probes() > 0) {
      probes = probeVersion == grant.version() ? probes + grant.probes() : grant.probes();
      probeVersion = grant.version();
      probesSince = now;
    }
  }

  /** What was counted here, when that is not written yet. */
  synchronized Optional<Tally> tally(long now) {
    if (settings() == null || seen == null || state() != BreakerState.CLOSED) {
      return Optional.empty();
    }
    Breaker.Calls calls = window.calls(now);
    return calls.equals(written)
        ? Optional.empty()
        : Optional.of(new Tally(scope, seen.version(), calls));
  }

  /** Notes that this was written and what the others have; true when they trip it together. */
  synchronized boolean tallied(Breaker.Calls own, Tally theirs, long now) {
    if (seen == null || seen.version() != theirs.version()) {
      return false;
    }
    boolean worse = own.failed() > written.failed() || theirs.calls().failed() > others.failed();
    written = own;
    others = theirs.calls();
    othersAt = now;
    return worse && trips(now);
  }

  // ---- when to look again

  /** How long until something may start that may not now. */
  synchronized long nanosToChange(long now) {
    endHold(now);
    long next = Long.MAX_VALUE;
    if (held) {
      next = heldUntil - now;
    }
    if (deadlineAhead) {
      next = Math.min(next, opensAt - now);
    }
    if (slowStart.isGoing(now)) {
      next = Math.min(next, slowStart.untilNext(now));
    }
    return next;
  }

  /** True once after a moment at which something may start that could not before. */
  synchronized boolean hasChanged(long now) {
    boolean wasHeld = held;
    endHold(now);
    boolean due = deadlineAhead && now - opensAt >= 0;
    deadlineAhead = deadlineAhead && !due;
    return due || (wasHeld && !held) || slowStart.isGoing(now);
  }
}
