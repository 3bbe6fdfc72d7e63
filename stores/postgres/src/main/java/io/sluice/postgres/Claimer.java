package io.sluice.postgres;

import io.sluice.postgres.LowWater.Place;
import io.sluice.postgres.Taker.Batch;
import io.sluice.postgres.Taker.Pick;
import io.sluice.store.Claim;
import io.sluice.store.Claimed;
import io.sluice.store.LaneFlow;
import io.sluice.store.LaneQuota;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Takes batches of ready work for a worker: in one statement, unless limits or orders are to be kept. */
final class Claimer {
  private final LimitedClaim.Parts parts;

  Claimer(LimitedClaim.Parts parts) {
    this.parts = parts;
  }

  Claimed claim(Claim claim) {
    List<LaneQuota> lanes =
        claim.lanes().stream().filter(lane -> lane.quota() > 0).toList();
    if (lanes.isEmpty() || claim.max() <= 0) {
      return Claimed.NOTHING;
    }
    Rules rules = parts.catalog().rules();
    LimitedClaim.Result result = claim(claim, lanes, rules);
    if (result.unsure()) {
      // Rules that changed meanwhile give nothing to whoever does not know of them.
      Rules now = parts.catalog().rulesSince(rules);
      result = now.version() == rules.version() ? result : claim(claim, lanes, now);
    }
    return result.claimed();
  }

  private LimitedClaim.Result claim(Claim claim, List<LaneQuota> lanes, Rules rules) {
    Map<Integer, LaneFlow> flows = flows(lanes, rules);
    return flows.isEmpty()
        ? free(claim, lanes, rules)
        : parts
            .database()
            .transact(
                connection -> new LimitedClaim(parts, claim, lanes, rules, flows).on(connection));
  }

  /** What the lanes are under, of those that are under anything. */
  private Map<Integer, LaneFlow> flows(List<LaneQuota> lanes, Rules rules) {
    Map<Integer, LaneFlow> flows = new HashMap<>();
    if (!rules.isEmpty()) {
      parts.catalog().lanes(lanes.stream().map(LaneQuota::laneId).toList()).forEach((id, lane) -> {
        LaneFlow flow = rules.of(lane);
        if (!flow.isFree()) {
          flows.put(id, flow);
        }
      });
    }
    return flows;
  }

  private LimitedClaim.Result free(Claim claim, List<LaneQuota> lanes, Rules rules) {
    List<Pick> picks = lanes.stream()
        .map(lane -> new Pick(new Place(lane.laneId(), lane.priority()), lane.quota(), false, null))
        .toList();
    Batch batch = new Batch(rules.version(), claim.max(), picks);
    return parts.database().run(connection -> {
      Taker.Haul haul = parts.taker().take(connection, claim, batch);
      List<Taken> taken = haul.jobs();
      var known =
          parts.catalog().lanes(connection, taken.stream().map(Taken::lane).toList());
      Claimed claimed =
          new Claimed(taken.stream().map(job -> job.in(known)).toList(), List.of(), haul.left());
      return new LimitedClaim.Result(claimed, taken.isEmpty() && haul.left().isEmpty());
    });
  }
}
