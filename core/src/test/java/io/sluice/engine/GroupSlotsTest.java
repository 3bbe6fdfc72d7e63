package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.HealthRules;
import io.sluice.Lane;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the URL groups of tenants may hold, of 100 slots of which one group may have 25. */
class GroupSlotsTest {
  private static final int SLOTS = 100;
  private static final int OF_A_GROUP = 25;
  private static final EngineSettings SETTINGS = new EngineSettings(
      "test",
      SLOTS,
      Duration.ofSeconds(1),
      Duration.ofSeconds(1),
      Map.of(),
      Set.of(),
      HealthRules.DEFAULT,
      true,
      true,
      new LaneRules(lane -> false, OF_A_GROUP));

  private static GroupSlots slots(boolean besideOthers) {
    Dispatcher dispatcher =
        new Dispatcher(0, () -> 0, unit -> {}, new Waiting(lane -> 1), () -> {}, () -> {});
    return new GroupSlots(SETTINGS, dispatcher, tenant -> besideOthers);
  }

  private static Lane lane(String tenant, String group) {
    return new Lane(tenant, "q", "http", group, "");
  }

  /** Has so many groups of a tenant take what they may, in turns, and returns how much that is. */
  private static int takeAll(GroupSlots slots, String tenant, int groups) {
    int taken = 0;
    boolean more = true;
    while (more && taken < SLOTS) {
      more = false;
      for (int i = 0; i < groups && taken < SLOTS; i++) {
        Lane lane = lane(tenant, "g" + i);
        if (slots.room(lane) > 0) {
          slots.take(lane, 1);
          taken++;
          more = true;
        }
      }
    }
    return taken;
  }

  @Test
  void tenantAlone_mayHaveAllSlots_byManyGroups() {
    assertThat(takeAll(slots(false), "a", 200)).isEqualTo(SLOTS);
  }

  @Test
  void tenantWithManyGroups_leavesTheShareOfOneToOtherTenants() {
    GroupSlots slots = slots(true);

    assertThat(takeAll(slots, "noisy", 200)).isEqualTo(SLOTS - OF_A_GROUP);
    assertThat(slots.isFull(lane("noisy", "another"))).isTrue();
    assertThat(takeAll(slots, "quiet", 1)).isEqualTo(7);
    assertThat(takeAll(slots, "third", 1)).isEqualTo(5);
  }

  @Test
  void tenantWithNothing_mayHaveOne_whenNothingIsFree() {
    GroupSlots slots = slots(true);
    slots.take(lane("noisy", "g"), SLOTS + 1);

    assertThat(slots.room(lane("noisy", "other"))).isZero();
    assertThat(takeAll(slots, "quiet", 3)).isEqualTo(1);
  }

  @Test
  void laneWithoutAGroup_isNotBound() {
    GroupSlots slots = slots(true);
    slots.take(lane("noisy", "g"), SLOTS);

    assertThat(slots.room(lane("noisy", ""))).isEqualTo(Integer.MAX_VALUE);
    assertThat(slots.isFull(lane("noisy", ""))).isFalse();
  }

  @Test
  void tenant_hasOthers_forSomeTimeAfterTheyHadWork() {
    long lately = ActiveTenants.LATELY.toNanos();
    ActiveTenants tenants = new ActiveTenants();
    tenants.dealt(lane("a", ""), 1);
    tenants.dealt(lane("a", ""), 2);
    assertThat(tenants.hasOthers("a", 2)).isFalse();
    assertThat(tenants.hasOthers("new", 2)).as("before it had anything").isTrue();
    assertThat(tenants.hasOthers("new", 2 + lately)).isFalse();
    tenants.dealt(lane("b", ""), 3);
    tenants.dealt(lane("b", ""), 4);
    assertThat(tenants.hasOthers("b", 2 + lately)).isTrue();
    assertThat(tenants.hasOthers("b", 3 + lately)).isFalse();
  }
}
