package io.sluice.engine;

import io.sluice.Lane;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How many units of each URL group may be in hand, so that receivers which do not answer leave room to the
 * others. A group alone may hold the share of the slots that is set; the more the groups together hold,
 * the less each of them may take, for what one may hold goes with what is free, and every group may have one.
 *
 * <p>A tenant can have very many groups, and hosts that it names are groups, too. So while several tenants have work,
 * what the groups of one may hold together also goes with what is free: alone, it leaves the share of one group to the
 * others. Every tenant may have one.
 */
final class GroupSlots {
  private record Group(String tenant, String name) {
    static Group of(Lane lane) {
      return new Group(lane.tenant(), lane.urlGroup());
    }
  }

  private final int most;
  private final int slots;
  /** What a group may hold for each slot that no group holds. */
  private final double perFree;
  /** The same of all groups of a tenant together. */
  private final double ofTenantPerFree;

  private final Predicate<String> hasOthers;
  private final Map<Group, Integer> held = new HashMap<>();
  private final Map<String, Integer> heldByTenant = new HashMap<>();
  private int heldByAll;

  /**
   * @param hasOthers true for a tenant beside which others have work
   */
  GroupSlots(EngineSettings settings, Dispatcher dispatcher, Predicate<String> hasOthers) {
    this.hasOthers = hasOthers;
    most = settings.lanes().urlGroupSlots();
    slots = settings.slots();
    perFree = (double) most / Math.max(1, slots - most);
    ofTenantPerFree = Math.max(perFree, 1 / perFree);
    if (isBound()) {
      dispatcher.inHandByLane().forEach(this::take);
    }
  }

  private boolean isBound() {
    return most < slots;
  }

  /** How many more units of a lane's group may be claimed. */
  int room(Lane lane) {
    if (!isBound() || lane.urlGroup().isEmpty()) {
      return Integer.MAX_VALUE;
    }
    if (isFull(lane)) {
      return 0;
    }
    int has = held.getOrDefault(Group.of(lane), 0);
    int free = slots - heldByAll;
    int mayHave = Math.clamp((long) Math.ceil(perFree * free), 1, most);
    // One at a time: what is free is less after each.
    return has < mayHave ? 1 : 0;
  }

  /** True when all groups of a lane's tenant together hold what they may. */
  boolean isFull(Lane lane) {
    if (!isBound() || lane.urlGroup().isEmpty() || !hasOthers.test(lane.tenant())) {
      return false;
    }
    int has = heldByTenant.getOrDefault(lane.tenant(), 0);
    return has > 0 && has >= Math.ceil(ofTenantPerFree * (slots - heldByAll));
  }

  void take(Lane lane, int units) {
    if (isBound() && !lane.urlGroup().isEmpty()) {
      heldByTenant.merge(lane.tenant(), units, Integer::sum);
      held.merge(Group.of(lane), units, Integer::sum);
      heldByAll += units;
    }
  }
}
