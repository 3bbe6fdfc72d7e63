package io.sluice.engine;

import io.sluice.JobType;
import io.sluice.Lane;
import io.sluice.QueueSettings;
import io.sluice.Uuid7;
import io.sluice.store.Claim;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneQuota;
import io.sluice.store.QueueLoad;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Names the lanes that may run now and how many jobs of each. What may not run, for its queue is
 * paused, its queue or URL group runs as many as it may or its type has no handler here, is left out.
 * Queues take turns and share the room by their weight; inside a queue the lanes go by the priority and
 * age of their first job.
 */
final class Gate {
  /** Lanes that share room: those of one queue, or of one batch type in it. */
  private record Share(String tenant, String queue, String batchType) {}

  /** The URL group of a tenant, whatever the queue. */
  private record Group(String tenant, String name) {
    static Group of(Lane lane) {
      return new Group(lane.tenant(), lane.urlGroup());
    }

    boolean has(Lane lane) {
      return lane.tenant().equals(tenant) && lane.urlGroup().equals(name);
    }
  }

  /** The most urgent first, and the oldest among the equally urgent. */
  static final Comparator<LaneHead> BY_URGENCY =
      Comparator.comparingInt(LaneHead::priority).thenComparing(LaneHead::first, Uuid7.ORDER);

  private final Map<String, JobType<?>> types;
  private final EngineSettings settings;
  private final QueueCache queues;
  private final Dispatcher dispatcher;
  private final Valve valve;
  /** What each share was due and did not get, in units; below zero what it got before its turn. */
  private final Map<Share, Double> credits = new HashMap<>();

  Gate(
      Map<String, JobType<?>> types,
      EngineSettings settings,
      QueueCache queues,
      Dispatcher dispatcher,
      Valve valve) {
    this.types = types;
    this.settings = settings;
    this.queues = queues;
    this.dispatcher = dispatcher;
    this.valve = valve;
  }

  /** The claims to make, in order, for a worker with room for so many units. */
  List<Claim> claims(long worker, List<LaneHead> heads, List<QueueLoad> loads, int room) {
    Room limits = new Room(loads);
    Map<Share, List<LaneHead>> shares = shares(heads, limits);
    credit(shares, room);
    List<Claim> claims = new ArrayList<>();
    int left = room;
    for (Share share : byCredit(shares.keySet())) {
      List<LaneHead> lanes = shares.getOrDefault(share, List.of());
      int part = (int) Math.max(1, Math.ceil(credits.getOrDefault(share, 0.0)));
      int units = Math.min(Math.min(left, part), limits.units(share, lanes));
      Claim claim = claim(worker, lanes, units, limits);
      if (!claim.lanes().isEmpty()) {
        claims.add(claim);
        limits.takeQueue(share, units, claim.max());
        credits.merge(share, (double) -units, Double::sum);
        left -= units;
      }
    }
    return claims;
  }

  /** Gives each share its part of the room; one that has no work keeps nothing for later. */
  private void credit(Map<Share, List<LaneHead>> shares, int room) {
    credits.keySet().retainAll(shares.keySet());
    int weights = shares.values().stream().mapToInt(this::weight).sum();
    shares.forEach((share, lanes) -> {
      double part = (double) room * weight(lanes) / weights;
      credits.merge(share, part, (had, more) -> Math.clamp(had + more, -room, room));
    });
  }

  private List<Share> byCredit(Set<Share> shares) {
    return shares.stream()
        .sorted(Comparator.comparingDouble((Share s) -> credits.getOrDefault(s, 0.0))
            .reversed())
        .toList();
  }

  private Map<Share, List<LaneHead>> shares(List<LaneHead> heads, Room limits) {
    Map<Share, List<LaneHead>> shares = new LinkedHashMap<>();
    heads.stream()
        .filter(h -> mayRun(h) && limits.haveRoom(h.lane()))
        .sorted(BY_URGENCY)
        .forEach(
            h -> shares.computeIfAbsent(share(h.lane()), s -> new ArrayList<>()).add(h));
    return shares;
  }

  private Share share(Lane lane) {
    return new Share(lane.tenant(), lane.queue(), batchSize(lane) > 1 ? lane.type() : "");
  }

  private boolean mayRun(LaneHead head) {
    Lane lane = head.lane();
    return types.containsKey(lane.type())
        && (settings.onlyQueues().isEmpty() || settings.onlyQueues().contains(lane.queue()))
        && !queues.of(lane).paused()
        && !settings.lanes().held().test(lane);
  }

  private int weight(List<LaneHead> lanes) {
    QueueSettings queue = queues.of(lanes.getFirst().lane());
    return queue.weight();
  }

  private Claim claim(long worker, List<LaneHead> lanes, int units, Room limits) {
    int batch = batchSize(lanes.getFirst().lane());
    List<LaneQuota> quotas = new ArrayList<>();
    for (LaneHead head : lanes) {
      int quota = Math.min(units, limits.of(head.lane()));
      if (quota > 0) {
        limits.take(head.lane(), quota);
        quotas.add(new LaneQuota(head.laneId(), head.priority(), quota * batch));
      }
    }
    return new Claim(
        worker, quotas, Math.min(units * batch, limits.free(lanes.getFirst().lane())));
  }

  private int batchSize(Lane lane) {
    JobType<?> type = types.get(lane.type());
    return type != null && type.work() instanceof JobType.Work.Many<?> many ? many.size() : 1;
  }

  /** What the limits of queues, types and URL groups leave, beside what is in hand already. */
  private final class Room {
    private final Map<String, Integer> queueRoom = new HashMap<>();
    private final Map<String, Integer> typeRoom = new HashMap<>();
    private final Map<Group, Integer> groupRoom = new HashMap<>();
    /** How many more jobs of a queue may run anywhere, where that is limited. */
    private final Map<Share, Integer> free = new HashMap<>();

    Room(List<QueueLoad> loads) {
      loads.forEach(load -> free.put(new Share(load.tenant(), load.queue(), ""), load.free()));
    }

    boolean haveRoom(Lane lane) {
      return ofQueue(lane.queue()) > 0 && of(lane) > 0 && free(lane) > 0;
    }

    int free(Lane lane) {
      return free.getOrDefault(new Share(lane.tenant(), lane.queue(), ""), Integer.MAX_VALUE);
    }

    /** How many units of a share may run, by the limits of its queue. */
    int units(Share share, List<LaneHead> lanes) {
      Lane lane = lanes.getFirst().lane();
      return Math.min(ofQueue(share.queue()), Math.ceilDiv(free(lane), batchSize(lane)));
    }

    int ofQueue(String queue) {
      Integer limit = settings.queueSlots().get(queue);
      return limit == null
          ? Integer.MAX_VALUE
          : queueRoom.computeIfAbsent(queue, q -> limit - inHand(u -> u.queue().equals(q)));
    }

    /** How many more units of a lane may run here, by the limits of its type and URL group. */
    int of(Lane lane) {
      return Math.min(Math.min(ofType(lane.type()), ofGroup(lane)), ofValve(lane));
    }

    private int ofValve(Lane lane) {
      int jobs = valve.room(lane);
      return jobs == Integer.MAX_VALUE ? jobs : Math.ceilDiv(jobs, batchSize(lane));
    }

    private int ofGroup(Lane lane) {
      int limit = settings.lanes().urlGroupSlots();
      return limit == Integer.MAX_VALUE || lane.urlGroup().isEmpty()
          ? Integer.MAX_VALUE
          : groupRoom.computeIfAbsent(Group.of(lane), g -> limit - inHand(g::has));
    }

    private int ofType(String type) {
      JobType<?> known = types.get(type);
      Integer limit = known == null ? null : known.slots().orElse(null);
      return limit == null
          ? Integer.MAX_VALUE
          : typeRoom.computeIfAbsent(type, t -> limit - inHand(u -> u.type().equals(t)));
    }

    void takeQueue(Share share, int units, int jobs) {
      queueRoom.computeIfPresent(share.queue(), (q, room) -> room - units);
      free.computeIfPresent(new Share(share.tenant(), share.queue(), ""), (q, room) -> room - jobs);
    }

    void take(Lane lane, int units) {
      typeRoom.computeIfPresent(lane.type(), (t, room) -> room - units);
      groupRoom.computeIfPresent(Group.of(lane), (g, room) -> room - units);
    }

    private int inHand(Predicate<Lane> which) {
      return dispatcher.inHand(u -> which.test(u.first().lane()));
    }
  }
}
