package io.sluice.engine;

import io.sluice.Lane;
import io.sluice.Scope;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The lanes of URL groups whose receivers ask to be left alone, as this instance sees it. One such answer
 * (429, or 503 with Retry-After) concerns the job that got it alone: many receivers limit each user or
 * each route. Three in a row hold the lane. Several held lanes, or many such answers in a row from
 * whatever lanes, concern the whole group, which is then held on every instance.
 */
final class LaneHolds {
  /** The number of pushbacks of a lane, with no other answer between them, that hold it. */
  static final int IN_ROW = 3;
  /** The number of held lanes that hold their group. */
  static final int LANES = 2;
  /** The number of pushbacks of a group, with no other answer between them, that hold it. */
  static final int GROUP_IN_ROW = 10;
  /** After a hold twice as many jobs may be in flight each time this has passed. */
  static final long STEP = Duration.ofMillis(250).toNanos();

  /** A lane is forgotten when nothing was heard of it for this long. */
  private static final long KEPT = Duration.ofMinutes(10).toNanos();

  private final Map<Lane, LaneHold> lanes = new ConcurrentHashMap<>();
  private final Map<Scope, Integer> groups = new ConcurrentHashMap<>();

  private boolean newlyHeld;

  /** The state of one lane. Every access is under the lock of the whole. */
  private static final class LaneHold {
    private final Pushback pushback = new Pushback();
    private final SlowStart slowStart = new SlowStart();
    private int inRow;
    private boolean held;
    private long until;
    private long heardAt;

    /** True while it is held; when that ends, the next pushback holds it again at once. */
    boolean isHeld(long now) {
      if (held && now - until >= 0) {
        held = false;
        inRow = IN_ROW - 1;
        slowStart.begin(1, STEP, now);
      }
      return held;
    }

    boolean hold(Duration wait, long now) {
      boolean longer = wait.isPositive() && (!held || now + wait.toNanos() - until > 0);
      if (longer) {
        held = true;
        until = now + wait.toNanos();
      }
      return longer;
    }

    boolean isForgotten(long now) {
      return !isHeld(now) && now - heardAt >= KEPT && now - until >= KEPT;
    }
  }

  /** How many more jobs of a lane may be claimed, given the number in flight. */
  int room(Lane lane, long now, int inFlight) {
    LaneHold hold = lanes.get(lane);
    if (hold == null) {
      return Integer.MAX_VALUE;
    }
    synchronized (this) {
      if (hold.isHeld(now)) {
        return 0;
      }
      int limit = hold.slowStart.limit(now);
      return limit == Integer.MAX_VALUE ? limit : Math.max(0, limit - inFlight);
    }
  }

  /** True while the limit to what is in flight grows: then it matters how many are. */
  boolean isSlow(Lane lane, long now) {
    LaneHold hold = lanes.get(lane);
    if (hold == null) {
      return false;
    }
    synchronized (this) {
      return !hold.isHeld(now) && hold.slowStart.isGoing(now);
    }
  }

  boolean isHeld(Lane lane, long now) {
    return leftAlone(lane, now).isPresent();
  }

  /** How much longer a lane is held, if it is. */
  Optional<Duration> leftAlone(Lane lane, long now) {
    LaneHold hold = lanes.get(lane);
    if (hold == null) {
      return Optional.empty();
    }
    synchronized (this) {
      return hold.isHeld(now) ? Optional.of(Duration.ofNanos(hold.until - now)) : Optional.empty();
    }
  }

  /** The end of an attempt: whether its lane is held from now on, and for how long its group is to be. */
  record PushbackEffect(boolean held, Duration group) {
    static final PushbackEffect NOTHING = new PushbackEffect(false, Duration.ZERO);
  }

  PushbackEffect ended(Lane lane, CallEnd end, long now) {
    if (!lane.hasGroup() || end.kind() == CallEnd.Kind.NOTHING) {
      return PushbackEffect.NOTHING;
    }
    if (end.pushback()) {
      return pushedBack(lane, end, now);
    }
    if (!lanes.isEmpty() || !groups.isEmpty()) {
      answered(lane, now);
    }
    return PushbackEffect.NOTHING;
  }

  private synchronized void answered(Lane lane, long now) {
    groups.remove(group(lane));
    LaneHold hold = lanes.get(lane);
    // While it is held these are answers to requests that were on their way before.
    if (hold == null || hold.isHeld(now)) {
      return;
    }
    hold.inRow = 0;
    hold.pushback.taken();
    hold.heardAt = now;
    if (!hold.slowStart.isGoing(now)) {
      lanes.remove(lane);
    }
  }

  private synchronized PushbackEffect pushedBack(Lane lane, CallEnd end, long now) {
    int ofGroup = groups.merge(group(lane), 1, Integer::sum);
    LaneHold hold = lanes.computeIfAbsent(lane, any -> new LaneHold());
    boolean before = hold.isHeld(now);
    hold.inRow++;
    hold.heardAt = now;
    boolean held = (before || hold.inRow >= IN_ROW)
        && hold.hold(hold.pushback.after(end.leaveFor(), before), now);
    newlyHeld |= held;
    if (ofGroup >= GROUP_IN_ROW) {
      groups.remove(group(lane));
      Duration asked = end.leaveFor();
      return new PushbackEffect(
          held, asked == null || !asked.isPositive() ? Pushback.FIRST : asked);
    }
    return held ? new PushbackEffect(true, together(lane, now)) : PushbackEffect.NOTHING;
  }

  /** Until the first of several held lanes of a group goes on; zero where there are not several. */
  private Duration together(Lane lane, long now) {
    Scope group = group(lane);
    int held = 0;
    long shortest = Long.MAX_VALUE;
    for (Map.Entry<Lane, LaneHold> other : lanes.entrySet()) {
      if (group.covers(other.getKey()) && other.getValue().isHeld(now)) {
        held++;
        shortest = Math.min(shortest, other.getValue().until - now);
      }
    }
    return held >= LANES ? Duration.ofNanos(shortest) : Duration.ZERO;
  }

  private static Scope group(Lane lane) {
    return Scope.urlGroup(lane.tenant(), lane.groupName());
  }

  /** True once after lanes were held: what was claimed of them goes back. */
  synchronized boolean takeHeld() {
    boolean taken = newlyHeld;
    newlyHeld = false;
    return taken;
  }

  /** Ends the holds of a group's lanes, as a person's reset does. */
  synchronized void release(Scope group) {
    lanes.keySet().removeIf(group::covers);
    groups.remove(group);
  }

  /** How long until something may start that may not now. */
  synchronized long nanosToChange(long now) {
    long next = Long.MAX_VALUE;
    for (LaneHold hold : lanes.values()) {
      if (hold.isHeld(now)) {
        next = Math.min(next, hold.until - now);
      } else if (hold.slowStart.isGoing(now)) {
        next = Math.min(next, hold.slowStart.untilNext(now));
      }
    }
    return next;
  }

  /** True at a moment at which something may start that could not before. */
  synchronized boolean hasChanged(long now) {
    boolean changed = false;
    for (LaneHold hold : lanes.values()) {
      boolean before = hold.held;
      changed |= (before && !hold.isHeld(now)) || (!hold.held && hold.slowStart.isGoing(now));
    }
    lanes.values().removeIf(hold -> hold.isForgotten(now));
    return changed;
  }
}
