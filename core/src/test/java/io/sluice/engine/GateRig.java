package io.sluice.engine;

import io.sluice.HealthRules;
import io.sluice.JobType;
import io.sluice.Lane;
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
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A gate before lanes that never run empty, with everything that can hold them. A claim gives what it is asked
 * for, but for lanes under a limit that is used up.
 */
final class GateRig implements AutoCloseable {
  static final String TYPE = "known";
  /** The type of which this engine may run none beside what is in flight already. */
  static final String FULL_TYPE = "full";

  static final String OTHER_TYPE = "other";
  static final String FULL_QUEUE = "full";
  private static final int SLOTS = 100;

  final Set<String> heldTenants = new HashSet<>();
  final Set<String> heldGroups = new HashSet<>();
  final Set<String> openBreakers = new HashSet<>();
  final Set<Scope> usedUp = new HashSet<>();
  /** How often it was asked whether a lane is held. */
  int asked;
  /** True when limits that are used up are asked again as soon as something has ended. */
  boolean limitsNameNoTime;

  final List<Look> looks = new ArrayList<>();
  private final MemoryStore store = MemoryStore.create();
  private final NavigableMap<Integer, LaneHead> ready = new TreeMap<>();
  private final Set<Share> known = new HashSet<>();
  private final QueueCache queues;
  private final Gate gate;
  private long time;
  private int lastLane;

  private final ForwardingStore looked = new ForwardingStore(store) {
    @Override
    public LaneView look(Look look) {
      looks.add(look);
      var after = ready.tailMap(look.after(), false);
      List<LaneHead> window = after.values().stream().limit(look.max()).toList();
      int upTo = look.max() == 0
          ? look.after()
          : window.isEmpty() || window.getLast().laneId() == ready.lastKey()
              ? LaneView.END
              : window.getLast().laneId();
      Stream<LaneHead> also = look.also().stream()
          .filter(lane -> lane <= look.after() || lane > upTo)
          .flatMap(lane -> Stream.ofNullable(ready.get(lane)));
      return new LaneView(Stream.concat(window.stream(), also).toList(), upTo);
    }
  };

  GateRig() {
    store.open();
    queues = new QueueCache(store.queues(), Duration.ofSeconds(1), () -> {});
    Valve valve = lane -> openBreakers.contains(lane.groupName()) ? 0 : Integer.MAX_VALUE;
    Dispatcher dispatcher =
        new Dispatcher(0, () -> 0, unit -> {}, new Waiting(lane -> 1), () -> {}, () -> {});
    gate = new Gate(
        Map.of(
            TYPE, Pieces.type(TYPE),
            OTHER_TYPE, Pieces.type(OTHER_TYPE),
            FULL_TYPE, Pieces.type(FULL_TYPE).slots(1)),
        settings(),
        queues,
        dispatcher,
        valve);
    inHand(dispatcher, Lane.of("somebody", "q", FULL_TYPE));
    inHand(dispatcher, Lane.of("somebody", FULL_QUEUE, TYPE));
  }

  private EngineSettings settings() {
    return new EngineSettings(
        "test",
        SLOTS,
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        Map.of(FULL_QUEUE, 1),
        Set.of(),
        HealthRules.DEFAULT,
        true,
        true,
        new LaneRules(this::isHeld, SLOTS));
  }

  private boolean isHeld(Lane lane) {
    asked++;
    return heldTenants.contains(lane.tenant()) || heldGroups.contains(lane.groupName());
  }

  private static void inHand(Dispatcher dispatcher, Lane lane) {
    JobType<?> type = Pieces.type(lane.type());
    dispatcher.submit(
        List.of(new Unit(List.of(Pieces.attempt(0, lane, type, Strikes.NONE)), 0, 0)));
  }

  /** Adds a lane that has work for ever. */
  Lane add(Lane lane) {
    if (known.add(Share.of(lane))) {
      pause(lane.tenant(), lane.queue(), false);
    }
    int id = ++lastLane;
    ready.put(id, new LaneHead(id, lane, 10, new UUID(0, id)));
    return lane;
  }

  /** Adds a lane that nobody knows of until it is named. */
  void arrive(Lane lane) {
    add(lane);
    gate.book().arrived(Map.of(lastLane, lane));
  }

  void pause(String tenant, String queue, boolean paused) {
    known.add(new Share(tenant, queue));
    store.queues().save(QueueSettings.of(tenant, queue).withPaused(paused));
    queues.runOnce();
  }

  /** Looks until all lanes were seen, and deals nothing. */
  void lookAtAll() {
    do {
      gate.look(looked, () -> time);
    } while (looks.getLast().after() + (long) LaneBook.WINDOW < lastLane);
  }

  /** One round with this room: which tenants got how many jobs. */
  Map<String, Integer> round(int room) {
    time += Duration.ofMillis(10).toNanos();
    gate.look(looked, () -> time);
    List<LaneQuota> quotas =
        gate.claim(Pieces.WORKER, room, time, time).map(Claim::lanes).orElse(List.of());
    Map<String, Integer> served = new HashMap<>();
    List<ClaimedJob> jobs = new ArrayList<>();
    Map<Scope, List<Integer>> spent = new HashMap<>();
    for (LaneQuota quota : quotas) {
      Lane lane = ready.get(quota.laneId()).lane();
      Scope by = usedUpFor(lane);
      if (by != null) {
        spent.computeIfAbsent(by, s -> new ArrayList<>()).add(quota.laneId());
        continue;
      }
      for (int i = 0; i < quota.quota(); i++) {
        jobs.add(Pieces.attempt(i, lane, Pieces.type(lane.type()), Strikes.NONE).claimed);
        served.merge(lane.tenant(), 1, Integer::sum);
      }
    }
    List<SpentLimit> limits = new ArrayList<>();
    Duration retryIn = limitsNameNoTime ? null : Duration.ofMinutes(1);
    spent.forEach((scope, lanes) -> limits.add(new SpentLimit(scope, lanes, retryIn)));
    gate.learn(new Claimed(jobs, limits), time, time);
    return served;
  }

  private @Nullable Scope usedUpFor(Lane lane) {
    return usedUp.stream().filter(scope -> scope.covers(lane)).findFirst().orElse(null);
  }

  @Override
  public void close() {
    store.close();
  }
}
