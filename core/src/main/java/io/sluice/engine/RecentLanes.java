package io.sluice.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Lanes that ran empty here: they are where work comes in next. The last of them are looked at every time, and
 * those before in turn, so that a job that comes back by itself, or after another, does not wait for the windows.
 */
final class RecentLanes {
  static final int LAST = 32;
  static final int BEFORE = 1_024;

  private final Set<Integer> last = new LinkedHashSet<>();
  private final Set<Integer> before = new HashSet<>();
  /** The lanes before the last, the next to be looked at first. */
  private final Deque<Integer> order = new ArrayDeque<>();

  void add(int lane) {
    last.add(lane);
    if (last.size() > LAST) {
      Integer oldest = last.iterator().next();
      last.remove(oldest);
      retire(oldest);
    }
  }

  private void retire(Integer lane) {
    if (before.add(lane)) {
      order.addLast(lane);
    }
    if (before.size() > BEFORE) {
      before.remove(order.removeFirst());
    }
  }

  /** The lanes to look at now. */
  Set<Integer> next() {
    Set<Integer> next = new HashSet<>(last);
    for (int i = Math.min(LAST, order.size()); i > 0; i--) {
      Integer lane = order.removeFirst();
      order.addLast(lane);
      next.add(lane);
    }
    return next;
  }
}
