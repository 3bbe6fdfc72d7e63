package io.sluice.crashtest;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whether every claim that stands is known to the process that it is on. One whose answer was lost must have gone
 * back by the time that it is two leases old, where that process was well; it is seen when it is one lease old.
 */
final class ClaimCheck {
  private final Timeline timeline;
  private final Duration lease;
  private final List<Finding> findings;

  ClaimCheck(Timeline timeline, Duration lease, List<Finding> findings) {
    this.timeline = timeline;
    this.lease = lease;
    this.findings = findings;
  }

  void check() {
    Set<String> known = new HashSet<>();
    timeline.granted().forEach(e -> known.add(e.who() + " " + e.job() + " " + e.turn()));
    Map<String, Entry.Held> first = new HashMap<>();
    Set<String> found = new HashSet<>();
    for (Entry.Held held : timeline.held()) {
      String claim = held.who() + " " + held.job() + " " + held.turn();
      Entry.Held since = first.computeIfAbsent(claim, c -> held);
      if (!timeline.incidents().isHealthy(held.who(), since.at(), held.at())) {
        first.put(claim, held);
      } else if (!known.contains(claim)
          && held.at() - since.at() >= lease.toNanos()
          && found.add(claim)) {
        findings.add(new Finding(
            Finding.Kind.FORGOTTEN_CLAIM,
            "job " + held.job() + ": " + held.who() + " has it for the turn " + held.turn()
                + " since two leases, and never heard of it"));
      }
    }
  }
}
