package io.sluice.engine;

import io.sluice.Defaults;
import io.sluice.ErrorCode;
import io.sluice.HealthRules;
import io.sluice.SluiceException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * How one engine behaves. {@code queueSlots} bounds what this engine runs of a queue at once; {@code
 * onlyQueues}, when not empty, names the queues that it works on. An engine that does not work claims
 * nothing for handlers; one that does not tend leaves due, lost and old jobs to others.
 */
public record EngineSettings(
    String name,
    int slots,
    Duration lease,
    Duration poll,
    Map<String, Integer> queueSlots,
    Set<String> onlyQueues,
    HealthRules health,
    boolean works,
    boolean tends,
    LaneRules lanes) {

  public EngineSettings {
    queueSlots = Map.copyOf(queueSlots);
    onlyQueues = Set.copyOf(onlyQueues);
    require(slots >= 1, "slots", "1 or more");
    require(lease.compareTo(Defaults.SHORTEST_LEASE) >= 0, "lease", "1s or more");
    require(poll.compareTo(Duration.ofMillis(10)) >= 0, "poll", "10ms or more");
    require(queueSlots.values().stream().allMatch(n -> n >= 1), "queueSlots", "1 or more");
  }

  private static void require(boolean holds, String setting, String right) {
    if (!holds) {
      throw new SluiceException(ErrorCode.BAD_CONFIGURATION, setting + " must be " + right);
    }
  }
}
