package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.HealthRules;
import io.sluice.JobType;
import io.sluice.Lane;
import io.sluice.Priority;
import io.sluice.QueueSettings;
import io.sluice.memory.MemoryStore;
import io.sluice.store.Claim;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneQuota;
import io.sluice.store.QueueLoad;
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
  private final Dispatcher dispatcher = new Dispatcher(10, () -> 0, unit -> awaitEnd(), () -> {});
  private final List<LaneHead> heads = new ArrayList<>();
  private final Set<Lane> held = new HashSet<>();
  private int urlGroupSlots = Integer.MAX_VALUE;
  private final List<QueueLoad> loads = new ArrayList<>();

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
    return new Gate(byName, settings, queues, dispatcher, Valve.OPEN);
  }

  private Gate gate(JobType<?>... types) {
    return gate(Set.of(), Map.of(), types);
  }

  private Map<Integer, Integer> quotas(Gate gate, int room) {
    return gate.claims(Pieces.WORKER, heads, loads, room).stream()
        .flatMap(c -> c.lanes().stream())
        .collect(Collectors.toMap(LaneQuota::laneId, LaneQuota::quota));
  }

  @Test
  void fullQueues_areLeftOut_andOthersGetNoMoreThanIsFree() {
    int full = head("full", "x", 0);
    int nearly = head("nearly", "x", 10);
    int open = head("open", "x", 20);
    loads.add(new QueueLoad("default", "full", 4, 3));
    loads.add(new QueueLoad("default", "nearly", 1, 3));
    loads.add(new QueueLoad("other", "open", 1, 1));
    Gate gate = gate(Pieces.type("x"));
    assertThat(quotas(gate, 10)).doesNotContainKey(full).containsKeys(nearly, open);
    assertThat(gate.claims(Pieces.WORKER, heads, loads, 10))
        .filteredOn(claim -> claim.lanes().getFirst().laneId() == nearly)
        .extracting(Claim::max)
        .containsExactly(2);
  }

  @Test
  void freeJobs_boundBatches_andAreSharedByTheTypesOfAQueue() {
    head("q", "many", 10);
    head("q", "x", 10);
    loads.add(new QueueLoad("default", "q", 0, 7));
    Gate gate = gate(Pieces.type("x"), JobType.of("many", Object.class).batch(5, batch -> {}));
    assertThat(gate.claims(Pieces.WORKER, heads, loads, 10).stream()
            .mapToInt(Claim::max)
            .sum())
        .isEqualTo(7);
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
    assertThat(gate.claims(Pieces.WORKER, heads, loads, 4)).isEmpty();
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
  void lanesOfAQueue_goByPriorityThenAge() {
    int late = head("a", "x", 10);
    int urgent = head("a", "y", 0);
    int later = head("a", "z", 10);
    Gate gate = gate(Pieces.type("x"), Pieces.type("y"), Pieces.type("z"));
    List<Claim> claims = gate.claims(Pieces.WORKER, heads, loads, 3);
    assertThat(claims).hasSize(1);
    assertThat(claims.getFirst().max()).isEqualTo(3);
    assertThat(claims.getFirst().lanes())
        .extracting(LaneQuota::laneId)
        .containsExactly(urgent, late, later);
  }

  @Test
  void roomIsNeverExceeded_andNeverLeftWhenOneShareIsShort() {
    head("a", "x", 10);
    head("b", "x", 10);
    head("c", "x", 10);
    Gate gate = gate(Pieces.type("x"));
    for (int room = 1; room < 20; room++) {
      int given = gate.claims(Pieces.WORKER, heads, loads, room).stream()
          .mapToInt(Claim::max)
          .sum();
      assertThat(given).isEqualTo(room);
    }
  }

  @Test
  void priorityOfAQueue_countsAlsoWhenThereIsRoomForOneOnly() {
    queue(QueueSettings.of("heavy").withPriority(new Priority(3)));
    queue(QueueSettings.of("light").withPriority(new Priority(19)));
    int heavy = head("heavy", "x", 10);
    int light = head("light", "x", 10);
    Gate gate = gate(Pieces.type("x"));
    Map<Integer, Integer> given = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      quotas(gate, 1).forEach((lane, n) -> given.merge(lane, n, Integer::sum));
    }
    assertThat(given.get(heavy)).isBetween(880, 920);
    assertThat(given.get(light)).isBetween(80, 120);
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

  @Test
  void batchType_getsItsSizeForEachUnit() {
    JobType<Object> batch = JobType.of("batch", Object.class).batch(20, b -> {});
    int lane = head("a", "batch", 10);
    assertThat(quotas(gate(batch), 2)).containsOnly(Map.entry(lane, 40));
  }
}
