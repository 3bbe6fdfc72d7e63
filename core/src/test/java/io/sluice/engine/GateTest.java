package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.HealthRules;
import io.sluice.JobType;
import io.sluice.Lane;
import io.sluice.Ordering;
import io.sluice.Priority;
import io.sluice.QueueSettings;
import io.sluice.Scope;
import io.sluice.memory.MemoryStore;
import io.sluice.store.Claim;
import io.sluice.store.Claimed;
import io.sluice.store.ClaimedJob;
import io.sluice.store.ForwardingStore;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneQuota;
import io.sluice.store.LaneView;
import io.sluice.store.Look;
import io.sluice.store.SpentLimit;
import io.sluice.store.Strikes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which lanes are let through, and how many of each. */
class GateTest {
  private final MemoryStore store = MemoryStore.create();
  private final CountDownLatch end = new CountDownLatch(1);
  private final Dispatcher dispatcher =
      new Dispatcher(10, () -> 0, unit -> awaitEnd(), new Waiting(lane -> 1), () -> {}, () -> {});
  private final List<LaneHead> heads = new ArrayList<>();
  private final Set<Lane> held = new HashSet<>();
  private int urlGroupSlots = Integer.MAX_VALUE;
  private Valve valve = Valve.OPEN;
  private long time;
  private long news;

  /** A store in which these lanes have ready work. */
  private final ForwardingStore looked = new ForwardingStore(store) {
    @Override
    public LaneView look(Look look) {
      return new LaneView(heads, LaneView.END);
    }
  };

  private void awaitEnd() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @BeforeEach
  void open() {
    store.open();
  }

  @AfterEach
  void close() {
    end.countDown();
    store.close();
  }

  private void queue(QueueSettings settings) {
    store.queues().save(settings);
  }

  /** Adds a lane with ready work; its id is its place from 1. */
  private int head(String queue, String type, int priority) {
    int id = heads.size() + 1;
    heads.add(new LaneHead(id, Pieces.lane(queue, type), priority, new UUID(0, id)));
    return id;
  }

  private Gate gate(Set<String> only, Map<String, Integer> queueSlots, JobType<?>... types) {
    EngineSettings settings = new EngineSettings(
        "test",
        10,
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        queueSlots,
        only,
        HealthRules.DEFAULT,
        true,
        true,
        new LaneRules(held::contains, urlGroupSlots));
    QueueCache queues = new QueueCache(store.queues(), Duration.ofSeconds(1), () -> {});
    queues.runOnce();
    Map<String, JobType<?>> byName = new HashMap<>();
    for (JobType<?> type : types) {
      byName.put(type.name(), type);
    }
    return new Gate(byName, settings, queues, dispatcher, valve);
  }

  private Gate gate(JobType<?>... types) {
    return gate(Set.of(), Map.of(), types);
  }

  private List<LaneQuota> claim(Gate gate, int room) {
    gate.look(looked, () -> time);
    return gate.claim(Pieces.WORKER, room, time, news).map(Claim::lanes).orElse(List.of());
  }

  private Map<Integer, Integer> quotas(Gate gate, int room) {
    return claim(gate, room).stream()
        .collect(Collectors.toMap(LaneQuota::laneId, LaneQuota::quota, Integer::sum));
  }

  private void inHand(JobType<?> type, String queue, int n) {
    for (int i = 0; i < n; i++) {
      Attempt attempt = Pieces.attempt(i, Pieces.lane(queue, type.name()), type, Strikes.NONE);
      dispatcher.submit(List.of(new Unit(List.of(attempt), 0, 0)));
    }
  }

  @Test
  void unhandledPausedAndUnwantedLanes_areLeftOut() {
    queue(QueueSettings.of("a"));
    queue(QueueSettings.of("paused").withPaused(true));
    queue(QueueSettings.of("b"));
    int runs = head("a", "known", 10);
    head("a", "unknown", 0);
    head("paused", "known", 0);
    head("b", "known", 0);
    Gate gate = gate(Set.of("a", "paused"), Map.of(), Pieces.type("known"));
    assertThat(quotas(gate, 4)).containsOnly(Map.entry(runs, 4));
    heads.clear();
    assertThat(claim(gate, 4)).isEmpty();
  }

  @Test
  void heldLane_isLeftOut_untilItIsHeldNoMore() {
    int free = head("a", "x", 10);
    int other = head("b", "x", 0);
    held.add(Pieces.lane("b", "x"));
    Gate gate = gate(Pieces.type("x"));
    assertThat(quotas(gate, 4)).containsOnlyKeys(free);
    held.clear();
    assertThat(quotas(gate, 4)).containsOnlyKeys(free, other);
  }

  @Test
  void urgentLanesOfAQueue_goFirst_andTheEquallyUrgentTakeTurns() {
    int late = head("a", "x", 10);
    int urgent = head("a", "y", 0);
    int later = head("a", "z", 10);
    Gate gate = gate(Pieces.type("x"), Pieces.type("y"), Pieces.type("z"));
    assertThat(quotas(gate, 3)).containsOnly(Map.entry(urgent, 3));
    heads.remove(1);
    assertThat(quotas(gate, 3)).containsOnly(Map.entry(late, 2), Map.entry(later, 1));
    assertThat(quotas(gate, 3)).containsOnly(Map.entry(late, 1), Map.entry(later, 2));
  }

  @Test
  void roomIsNeverExceeded_andNeverLeftWhenOneShareIsShort() {
    head("a", "x", 10);
    head("b", "x", 10);
    head("c", "x", 10);
    Gate gate = gate(Pieces.type("x"));
    for (int room = 1; room < 20; room++) {
      int given = claim(gate, room).stream().mapToInt(LaneQuota::quota).sum();
      assertThat(given).isEqualTo(room);
    }
  }

  /** What a heavy and a light queue get of so many rounds with this room, the light one last. */
  private List<Integer> heavyAndLight(int rounds, int room) {
    queue(QueueSettings.of("heavy").withPriority(new Priority(3)));
    queue(QueueSettings.of("light").withPriority(new Priority(19)));
    int heavy = head("heavy", "x", 10);
    int light = head("light", "x", 10);
    Gate gate = gate(Pieces.type("x"));
    Map<Integer, Integer> given = new HashMap<>();
    for (int i = 0; i < rounds; i++) {
      quotas(gate, room).forEach((lane, n) -> given.merge(lane, n, Integer::sum));
    }
    return List.of(given.get(heavy), given.get(light));
  }

  @Test
  void priorityOfAQueue_countsAlsoWhenThereIsRoomForOneOnly() {
    List<Integer> given = heavyAndLight(1000, 1);
    assertThat(given.getFirst()).isBetween(880, 920);
    assertThat(given.getLast()).isBetween(80, 120);
  }

  @Test
  void priorityOfAQueue_counts_howeverLittleItsLanesGaveBefore() {
    List<Integer> given = heavyAndLight(20, 100);
    assertThat(given.getFirst()).isBetween(1750, 1850);
    assertThat(given.getLast()).isBetween(150, 250);
  }

  @Test
  void lanesThatAreNamedForTheirOrder_winItNoTurns() {
    queue(QueueSettings.of("strict").withOrdered(Ordering.QUEUE));
    head("strict", "x", 10);
    head("strict", "y", 10);
    head("strict", "z", 10);
    head("free", "x", 10);
    Gate gate = gate(Pieces.type("x"), Pieces.type("y"), Pieces.type("z"));
    Map<String, Integer> served = new HashMap<>();
    for (int i = 0; i < 200; i++) {
      Lane lane = heads.get(claim(gate, 1).getFirst().laneId() - 1).lane();
      served.merge(lane.queue(), 1, Integer::sum);
      ClaimedJob job = Pieces.attempt(i, lane, Pieces.type(lane.type()), Strikes.NONE).claimed;
      gate.learn(new Claimed(List.of(job), List.of()), time, news);
    }
    assertThat(served).isEqualTo(Map.of("strict", 100, "free", 100));
  }

  @Test
  void queueSlots_boundWhatIsInHand() {
    JobType<Object> type = Pieces.type("x");
    int narrow = head("narrow", "x", 10);
    Gate gate = gate(Set.of(), Map.of("narrow", 3), type);
    assertThat(quotas(gate, 10)).containsOnly(Map.entry(narrow, 3));
    inHand(type, "narrow", 2);
    assertThat(quotas(gate, 10)).containsOnly(Map.entry(narrow, 1));
    inHand(type, "narrow", 1);
    assertThat(quotas(gate, 10)).isEmpty();
  }

  @Test
  void fullType_takesNobodysTurn() {
    JobType<Object> single = Pieces.type("single").slots(1);
    JobType<Object> free = Pieces.type("free");
    inHand(single, "a", 1);
    head("a", "single", 0);
    int open = head("b", "free", 10);
    Gate gate = gate(single, free);
    for (int i = 0; i < 5; i++) {
      assertThat(quotas(gate, 1)).containsOnly(Map.entry(open, 1));
    }
  }

  @Test
  void slotsOfAType_holdOverSeveralLanes() {
    JobType<Object> type = Pieces.type("x").slots(3);
    head("a", "x", 0);
    head("a", "x", 5);
    head("b", "x", 0);
    int given = quotas(gate(type), 10).values().stream().mapToInt(n -> n).sum();
    assertThat(given).isEqualTo(3);
  }

  @Test
  void slotsOfAUrlGroup_holdOverQueuesAndPriorities_andLeaveOthersAlone() {
    urlGroupSlots = 3;
    Lane lane = new Lane("default", "a", "x", "shop", "");
    Lane elsewhere = new Lane("default", "b", "x", "shop", "");
    heads.add(new LaneHead(1, lane, 0, new UUID(0, 1)));
    heads.add(new LaneHead(2, lane, 5, new UUID(0, 2)));
    heads.add(new LaneHead(3, elsewhere, 0, new UUID(0, 3)));
    heads.add(new LaneHead(4, new Lane("acme", "a", "x", "shop", ""), 0, new UUID(0, 4)));
    heads.add(new LaneHead(5, new Lane("default", "c", "x", "", ""), 0, new UUID(0, 5)));
    Map<Integer, Integer> quotas = quotas(gate(Pieces.type("x")), 100);
    int ofTheGroup =
        List.of(1, 2, 3).stream().mapToInt(n -> quotas.getOrDefault(n, 0)).sum();
    assertThat(ofTheGroup).isEqualTo(3);
    assertThat(quotas).containsEntry(4, 3);
    assertThat(quotas.get(5)).isGreaterThan(3);
  }

  private void inHandOf(String group, int n) {
    inHandOf(new Lane("default", "q", "x", group, ""), n);
  }

  private void inHandOf(Lane lane, int n) {
    JobType<Object> type = Pieces.type("x");
    for (int i = 0; i < n; i++) {
      Attempt attempt = Pieces.attempt(i, lane, type, Strikes.NONE);
      dispatcher.submit(List.of(new Unit(List.of(attempt), 0, 0)));
    }
  }

  @Test
  void groupsThatHang_leaveSlotsToOthers_howeverManyTheyAre() {
    urlGroupSlots = 2;
    for (int i = 1; i <= 8; i++) {
      Lane lane = new Lane("default", "q", "x", "hangs" + i, "");
      heads.add(new LaneHead(i, lane, 10, new UUID(0, i)));
    }
    Gate gate = gate(Pieces.type("x"));
    int held = 0;
    for (int round = 0; round < 20; round++) {
      for (Map.Entry<Integer, Integer> given : quotas(gate, 10 - held).entrySet()) {
        inHandOf("hangs" + given.getKey(), given.getValue());
        held += given.getValue();
      }
    }
    assertThat(held).as("one for each of eight groups, and two stay free").isEqualTo(8);
  }

  @Test
  void receiversOfATenantThatHang_leaveSlotsToOtherTenants_howeverManyTheyAre() {
    urlGroupSlots = 2;
    for (int i = 1; i <= 20; i++) {
      Lane lane = new Lane("noisy", "q", "x", "hangs" + i, "");
      heads.add(new LaneHead(i, lane, 10, new UUID(0, i)));
    }
    LaneHead quiet =
        new LaneHead(21, new Lane("quiet", "q", "x", "answers", ""), 10, new UUID(0, 21));
    List<LaneHead> noisy = List.copyOf(heads);
    Gate gate = gate(Pieces.type("x"));
    // The quiet tenant has had work, which has ended, before the noisy one comes for the first
    // time.
    heads.clear();
    heads.add(quiet);
    assertThat(quotas(gate, 1)).containsOnly(Map.entry(21, 1));
    heads.clear();
    heads.addAll(noisy);
    int held = 0;
    for (int round = 0; round < 20; round++) {
      for (Map.Entry<Integer, Integer> given : quotas(gate, 10 - held).entrySet()) {
        inHandOf(heads.get(given.getKey() - 1).lane(), given.getValue());
        held += given.getValue();
      }
    }
    assertThat(held).as("in the hands of the noisy tenant").isEqualTo(8);
    heads.add(quiet);
    assertThat(quotas(gate, 10 - held)).containsOnly(Map.entry(21, 1));
  }

  @Test
  void queueWithNothingInHand_isLetIn_whenThereIsNoRoom() {
    JobType<Object> type = Pieces.type("x");
    inHand(type, "busy", 10);
    head("busy", "x", 0);
    int quiet = head("quiet", "x", 10);
    Gate gate = gate(type);
    assertThat(quotas(gate, 0)).containsOnly(Map.entry(quiet, 2));
    inHand(type, "quiet", 1);
    assertThat(quotas(gate, -1)).isEmpty();
  }

  @Test
  void queueWithNothingInHand_isNotLetIn_beforeItsTurn() {
    queue(QueueSettings.of("heavy").withPriority(new Priority(3)));
    queue(QueueSettings.of("light").withPriority(new Priority(19)));
    JobType<Object> type = Pieces.type("x");
    int heavy = head("heavy", "x", 10);
    int light = head("light", "x", 10);
    Gate gate = gate(type);
    Map<Integer, Integer> given = new HashMap<>();
    inHand(type, "heavy", 1);
    for (int i = 0; i < 1000; i++) {
      int room = i % 2;
      quotas(gate, room).forEach((lane, n) -> given.merge(lane, n, Integer::sum));
    }
    assertThat(given.get(light)).isLessThan(given.get(heavy) / 5);
  }

  @Test
  void placeThatGaveLittle_isAskedForLittle_whileOthersHaveMore() {
    int little = head("q", "x", 10);
    int much = head("q", "y", 10);
    Gate gate = gate(Pieces.type("x"), Pieces.type("y"));
    claim(gate, 100);
    gate.learn(claimed("x", 1, "y", 50), time, news);
    Map<Integer, Integer> next = quotas(gate, 100);
    assertThat(next.get(little)).isLessThanOrEqualTo(8);
    assertThat(next.get(much)).isGreaterThanOrEqualTo(92);
  }

  private static Claimed claimed(String one, int ofOne, String other, int ofOther) {
    List<ClaimedJob> jobs = new ArrayList<>();
    for (int i = 0; i < ofOne; i++) {
      jobs.add(Pieces.attempt(i, Pieces.lane("q", one), Pieces.type(one), Strikes.NONE).claimed);
    }
    for (int i = 0; i < ofOther; i++) {
      jobs.add(
          Pieces.attempt(i, Pieces.lane("q", other), Pieces.type(other), Strikes.NONE).claimed);
    }
    return new Claimed(jobs, List.of());
  }

  @Test
  void newcomerThatHasMuch_getsItsShare_inTheThirdClaim() {
    queue(QueueSettings.of("q").withPriority(new Priority(19)));
    queue(QueueSettings.of("heavy").withPriority(new Priority(3)));
    int light = head("q", "x", 10);
    Gate gate = gate(Pieces.type("x"), Pieces.type("y"));
    assertThat(quotas(gate, 256)).containsOnly(Map.entry(light, 256));
    gate.learn(claimed("x", 256, "y", 0), time, news);
    int heavy = head("heavy", "y", 10);
    Map<Integer, Integer> quotas = quotas(gate, 256);
    assertThat(quotas.get(heavy)).isEqualTo(8);
    List<ClaimedJob> jobs =
        new ArrayList<>(claimed("x", quotas.get(light), "y", 0).jobs());
    for (int i = 0; i < 8; i++) {
      jobs.add(Pieces.attempt(1_000 + i, Pieces.lane("heavy", "y"), Pieces.type("y"), Strikes.NONE)
          .claimed);
    }
    gate.learn(new Claimed(jobs, List.of()), time, news);
    assertThat(quotas(gate, 256).get(heavy)).isEqualTo(128);
  }

  @Test
  void slowClaims_areSmall_whileQueuesShare_andWholeAgainWhenOneIsAlone() {
    head("other", "z", 10);
    int x = head("q", "x", 10);
    int y = head("q", "y", 10);
    Gate gate = gate(Pieces.type("x"), Pieces.type("y"), Pieces.type("z"));
    assertThat(claimSlowly(gate)).as("nothing is known yet").isEqualTo(1_000);
    for (int i = 0; i < 20; i++) {
      claimSlowly(gate);
    }
    assertThat(claimSlowly(gate)).isEqualTo(64);
    heads.removeFirst();
    time += Duration.ofSeconds(10).toNanos();
    assertThat(claimSlowly(gate)).as("two lanes of one queue").isEqualTo(1_000);
    assertThat(quotas(gate, 1_000)).containsOnlyKeys(x, y);
  }

  /** The size of a claim that takes a second and brings 50 of each lane. */
  private int claimSlowly(Gate gate) {
    int size = claim(gate, 1_000).stream().mapToInt(LaneQuota::quota).sum();
    time += Duration.ofSeconds(1).toNanos();
    gate.learn(claimed("x", 50, "y", 50), time, news);
    return size;
  }

  @Test
  void spentLimit_leavesItsLanesOut_untilThereIsNews() {
    int limited = head("narrow", "x", 0);
    int open = head("open", "x", 10);
    Gate gate = gate(Pieces.type("x"));
    assertThat(quotas(gate, 4)).containsOnlyKeys(limited, open);
    SpentLimit spent = new SpentLimit(Scope.queue("default", "narrow"), List.of(limited), null);
    gate.learn(new Claimed(List.of(), List.of(spent)), time, news);
    assertThat(quotas(gate, 4)).containsOnly(Map.entry(open, 4));
    time += Duration.ofSeconds(1).toNanos();
    assertThat(quotas(gate, 4)).containsOnly(Map.entry(open, 4));
    news++;
    assertThat(quotas(gate, 4)).containsOnlyKeys(limited, open);
  }

  @Test
  void orderedQueue_isAskedForOneJob_inAllItsLanesAndPriorities() {
    queue(QueueSettings.of("q").withOrdered(Ordering.QUEUE));
    int one = head("q", "x", 0);
    int other = head("q", "y", 10);
    int free = head("free", "x", 10);
    Gate gate = gate(Pieces.type("x"), Pieces.type("y"));
    assertThat(quotas(gate, 10))
        .containsOnly(Map.entry(one, 1), Map.entry(other, 1), Map.entry(free, 9));
  }

  @Test
  void orderedKeys_areAskedForOneJobEach() {
    queue(QueueSettings.of("q").withOrdered(Ordering.KEY));
    heads.add(new LaneHead(1, new Lane("default", "q", "x", "", "a"), 0, new UUID(0, 1)));
    heads.add(new LaneHead(2, new Lane("default", "q", "x", "", "a"), 10, new UUID(0, 2)));
    heads.add(new LaneHead(3, new Lane("default", "q", "x", "", "b"), 0, new UUID(0, 3)));
    heads.add(new LaneHead(4, new Lane("default", "q", "x", "", ""), 0, new UUID(0, 4)));
    Map<Integer, Integer> quotas = quotas(gate(Pieces.type("x")), 10);
    assertThat(quotas)
        .containsOnly(Map.entry(1, 1), Map.entry(2, 1), Map.entry(3, 1), Map.entry(4, 8));
  }

  /** One job at a time by a limit that all share: whoever is named first in the claim gets it. */
  private List<String> servedOneByOne(Gate gate, int rounds) {
    List<String> served = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      int first = claim(gate, 10).getFirst().laneId();
      LaneHead head = heads.get(first - 1);
      served.add(head.lane().tenant() + head.lane().urlGroup());
      ClaimedJob job = Pieces.attempt(i, head.lane(), Pieces.type("x"), Strikes.NONE).claimed;
      SpentLimit spent = new SpentLimit(Scope.global(), List.of(1, 2), null);
      gate.learn(new Claimed(List.of(job), List.of(spent)), time, news);
      time += Duration.ofSeconds(1).toNanos();
      news++;
    }
    return served;
  }

  @Test
  void limitThatTenantsShare_isUsedByThemInTurn() {
    heads.add(new LaneHead(1, Lane.of("a", "q", "x"), 10, new UUID(0, 1)));
    heads.add(new LaneHead(2, Lane.of("b", "q", "x"), 10, new UUID(0, 2)));
    assertThat(servedOneByOne(gate(Pieces.type("x")), 6))
        .containsExactly("a", "b", "a", "b", "a", "b");
  }

  @Test
  void limitThatLanesShare_isUsedByThemInTurn() {
    heads.add(new LaneHead(1, new Lane("t", "q", "x", "one", ""), 10, new UUID(0, 1)));
    heads.add(new LaneHead(2, new Lane("t", "q", "x", "two", ""), 10, new UUID(0, 2)));
    assertThat(servedOneByOne(gate(Pieces.type("x")), 6))
        .containsExactly("tone", "ttwo", "tone", "ttwo", "tone", "ttwo");
  }

  @Test
  void valve_boundsALane_andIsToldWhatCameOfTheClaim() {
    int lane = head("q", "x", 10);
    List<String> told = new ArrayList<>();
    valve = new Valve() {
      @Override
      public int room(Lane of) {
        return 3;
      }

      @Override
      public void claimed(Lane of, int asked, int got) {
        told.add(asked + " " + got);
      }
    };
    Gate gate = gate(Pieces.type("x"));
    assertThat(quotas(gate, 10)).containsOnly(Map.entry(lane, 3));
    gate.learn(claimed("x", 2, "y", 0), time, news);
    assertThat(told).containsExactly("3 2");
  }

  @Test
  void batchType_getsItsSizeForEachUnit() {
    JobType<Object> batch = JobType.of("batch", Object.class).batch(20, b -> {});
    int lane = head("a", "batch", 10);
    assertThat(quotas(gate(batch), 2)).containsOnly(Map.entry(lane, 40));
  }
}
