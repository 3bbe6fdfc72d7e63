package io.sluice.engine;

import io.sluice.JobType;
import io.sluice.Lane;
import io.sluice.store.Claim;
import io.sluice.store.Claimed;
import io.sluice.store.ClaimedJob;
import io.sluice.store.JobStore;
import io.sluice.store.LaneQuota;
import io.sluice.store.StartTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Deals the room of an engine to the lanes that have work, unit by unit as the turns go. What may not run
 * is no part of that: its type has no handler here, its queue is paused, a limit is spent, something holds it
 * back. It is put aside when it is met, and comes back when nothing holds it any more. While there is no room, a
 * queue that has nothing in flight may still have a little.
 */
final class Gate {
  /** Where a claimed job comes from. */
  private record Origin(Lane lane, int priority) {
    static Origin of(ClaimedJob job) {
      return new Origin(job.lane(), job.spec().priority().value());
    }
  }

  private static final StartTimes STARTS =
      new StartTimes(Duration.ofMillis(100), Duration.ofNanos(Unit.LATE));
  /** In how many steps room is dealt at most. */
  private static final int STEPS = 256;
  /** How many places are passed over in a round; the next one begins where this one ended. */
  static final int MOST_PASSED = 2_048;

  /** The slots of this engine that a queue or a type may have, as what holds a lane. */
  private record OwnSlots(String queue, String type) {}

  /** The slots that the URL groups of a tenant may have, as what holds a lane. */
  private record TenantSlots(String tenant) {}

  private final Map<String, JobType<?>> types;
  private final EngineSettings settings;
  private final QueueCache queues;
  private final Dispatcher dispatcher;
  private final Valve valve;
  private final Turns turns;
  private final LaneBook book;
  private final SpentLimits spent = new SpentLimits();
  private final Set<Place> dealt = new LinkedHashSet<>();
  private final ClaimSize size = new ClaimSize();
  private final ActiveTenants tenants = new ActiveTenants();
  private boolean dealtToAll = true;
  private long dealtAt;

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
    this.turns = new Turns(lane -> queues.of(lane).weight());
    this.book = new LaneBook(turns, this::isHandled, this::holderOfNew);
  }

  /** Looks which lanes have work. */
  void look(JobStore store, LongSupplier nanoTime) {
    book.look(store, nanoTime);
  }

  /** The lanes in which work comes in are noted here, from any thread. */
  LaneBook book() {
    return book;
  }

  /** True when another round would find no more without another look. */
  boolean isThrough() {
    return dealtToAll && book.hasSeenHeld();
  }

  /** The claim to make, for a worker with room for so many units; none when nothing may run. */
  Optional<Claim> claim(long worker, int room, long now, long news) {
    spent.refresh(now, news);
    deal(size.of(room, now), now);
    if (dealt.isEmpty()) {
      return Optional.empty();
    }
    size.dealt(dealt.stream().map(place -> Share.of(place.lane)).collect(Collectors.toSet()), now);
    dealt.forEach(place -> tenants.dealt(place.lane, now));
    dealtAt = now;
    int max = dealt.stream().mapToInt(this::asked).sum();
    List.copyOf(dealt).forEach(this::dealToKin);
    List<LaneQuota> quotas = dealt.stream()
        .map(place -> new LaneQuota(place.laneId, place.priority, asked(place)))
        .toList();
    return Optional.of(new Claim(worker, quotas, max, null, STARTS));
  }

  /** Names all places in which the next job of an order may be; no more than that one is given. */
  private void dealToKin(Place place) {
    for (Place other : ordered(place.lane)) {
      if (other.dealt == 0 && holder(other) == null) {
        other.dealt = 1;
        dealt.add(other);
      }
    }
  }

  /** The places of the order that the jobs of a lane run in, none when they run in none. */
  private Collection<Place> ordered(Lane lane) {
    return switch (queues.of(lane).ordered()) {
      case NONE -> List.of();
      case QUEUE -> book.kin().inQueue(lane);
      case KEY -> lane.limitKey().isEmpty() ? List.of() : book.kin().withKey(lane);
    };
  }

  private int asked(Place place) {
    return place.dealt * batchSize(place.lane);
  }

  /** Takes in what came of the claim, which was made when there was so much news. */
  void learn(Claimed claimed, long now, long news) {
    spent.noteLeft(claimed.left(), now, news);
    Map<Origin, Integer> got = new HashMap<>();
    claimed.jobs().forEach(job -> got.merge(Origin.of(job), 1, Integer::sum));
    if (!claimed.spent().isEmpty()) {
      List<Place> served = dealt.stream().filter(place -> gave(place, got) > 0).toList();
      spent.note(claimed.spent(), served, now, news);
    }
    List<Place> without = new ArrayList<>();
    int units = 0;
    for (Place place : dealt) {
      int gave = gave(place, got);
      valve.claimed(place.lane, asked(place), gave);
      place.gave(gave, asked(place));
      units += Math.ceilDiv(gave, batchSize(place.lane));
      if (gave > 0) {
        book.served(place);
        settle(place, gave);
      } else {
        without.add(place);
      }
    }
    // From the last to the first, each to the head of its line: they keep their order there.
    without.reversed().forEach(place -> settle(place, 0));
    size.took(units, now - dealtAt);
  }

  private static int gave(Place place, Map<Origin, Integer> got) {
    return got.getOrDefault(new Origin(place.lane, place.priority), 0);
  }

  private void settle(Place place, int gave) {
    turns.settle(place, Math.ceilDiv(gave, batchSize(place.lane)));
    if (gave < asked(place) && !spent.holds(place)) {
      book.emptied(place);
    }
  }

  /** The time after which another round may find more, and at most this. */
  Duration pause(Duration most, long now, long news) {
    book.rest();
    Duration look = book.untilLook(now);
    return spent.next(look.compareTo(most) < 0 ? look : most, now, news);
  }

  private void deal(int room, long now) {
    dealt.forEach(place -> place.dealt = 0);
    dealt.clear();
    Room limits = new Room(room, now);
    book.free(limits::holder);
    List<Place> sated = new ArrayList<>();
    boolean all = deal(limits, true, sated, now);
    if (limits.left > 0 && !sated.isEmpty()) {
      turns.readmit(sated);
      all &= deal(limits, false, new ArrayList<>(), now);
    }
    dealtToAll = turns.endRound() && all;
  }

  /**
   * Deals until there is no more room or nobody left; the modest get no more than they can use. False when
   * it stopped before, because too many were passed over.
   */
  private boolean deal(Room limits, boolean modest, List<Place> sated, long now) {
    int passed = 0;
    while (limits.left > 0) {
      Place place = turns.next(now);
      if (place == null) {
        return true;
      }
      int units = limits.of(place);
      int wanted = modest ? Math.min(units, place.wants() - place.dealt) : units;
      if (wanted > 0) {
        int given = Math.min(wanted, limits.step);
        limits.take(place, given);
        place.dealt += given;
        dealt.add(place);
        turns.served(place, given, now);
      } else if (units > 0) {
        turns.passOver(place, true);
        sated.add(place);
      } else if (++passed > MOST_PASSED) {
        return false;
      } else {
        leaveOut(place, limits);
      }
    }
    return true;
  }

  /** Leaves a place out that may not run: with its queue, until nothing holds it, or for this round. */
  private void leaveOut(Place place, Room limits) {
    if (limits.isFull(place) && place.queue != null) {
      turns.passOver(place.queue);
      return;
    }
    Object by = limits.holder(place);
    if (by != null && place.dealt == 0) {
      book.park(place, by);
    } else {
      turns.passOver(place, false);
    }
  }

  /** True when it can ever run here; what cannot is not kept in mind. */
  private boolean isHandled(Lane lane) {
    return types.containsKey(lane.type())
        && (settings.onlyQueues().isEmpty() || settings.onlyQueues().contains(lane.queue()));
  }

  /** What keeps a place from being run, whatever room there is; null when nothing does. */
  private @Nullable Object holder(Place place) {
    Lane lane = place.lane;
    if (queues.of(lane).paused()) {
      return Share.of(lane);
    }
    if (settings.lanes().held().test(lane)) {
      return new Lane(lane.tenant(), lane.queue(), lane.type(), lane.urlGroup(), "");
    }
    return spent.holder(place);
  }

  private @Nullable Object holderOfNew(Place place) {
    Object by = holder(place);
    return by == null && valve.room(place.lane) <= 0 ? receiver(place.lane) : by;
  }

  /** What breakers and slots of URL groups are for: the jobs of a type and a group, in all queues. */
  private static Lane receiver(Lane lane) {
    return new Lane(lane.tenant(), "", lane.type(), lane.urlGroup(), "");
  }

  private int batchSize(Lane lane) {
    JobType<?> type = types.get(lane.type());
    return type != null && type.work() instanceof JobType.Work.Many<?> many ? many.size() : 1;
  }

  /** What there is to deal, and what the limits of this engine leave beside what is in hand already. */
  private final class Room {
    private final boolean scarce;
    private final int step;
    private int left;
    private final Map<Integer, Integer> laneRoom = new HashMap<>();
    private final Map<String, Integer> queueRoom = new HashMap<>();
    private final Map<String, Integer> typeRoom = new HashMap<>();
    private final Map<Share, Integer> newcomers = new HashMap<>();
    private final GroupSlots groups;

    Room(int room, long now) {
      scarce = room <= 0;
      left = scarce ? Math.max(1, settings.slots() / 2) : room;
      step = Math.max(1, left / STEPS);
      groups = new GroupSlots(settings, dispatcher, tenant -> tenants.hasOthers(tenant, now));
    }

    /** How many more units of a place may be claimed. */
    int of(Place place) {
      Lane lane = place.lane;
      int most = Math.min(left, laneRoom.computeIfAbsent(place.laneId, id -> ofLane(place)));
      most = Math.min(most, Math.min(ofQueue(lane.queue()), ofType(lane.type())));
      most = Math.min(most, groups.room(lane));
      return scarce && most > 0 ? Math.min(most, ofNewcomer(place)) : most;
    }

    /** What keeps a place from being run now, with what is in flight and dealt; null when nothing does. */
    @Nullable
    Object holder(Place place) {
      Lane lane = place.lane;
      Object by = Gate.this.holder(place);
      if (by != null) {
        return by;
      }
      if (ofQueue(lane.queue()) <= 0 || ofType(lane.type()) <= 0) {
        return new OwnSlots(lane.queue(), lane.type());
      }
      if (groups.isFull(lane)) {
        return new TenantSlots(lane.tenant());
      }
      return valve.room(lane) <= 0 || groups.room(lane) <= 0 ? receiver(lane) : null;
    }

    /** True when there is no room for the queue of a place, which is no newcomer. */
    boolean isFull(Place place) {
      return scarce && newcomers.getOrDefault(Share.of(place.lane), 1) <= 0;
    }

    private int ofLane(Place place) {
      if (Gate.this.holder(place) != null) {
        return 0;
      }
      int most = Math.ceilDiv(valve.room(place.lane), batchSize(place.lane));
      return ordered(place.lane).isEmpty() ? most : Math.min(1, most);
    }

    /** A queue with nothing in hand whose turn it is need not wait until there is room again. */
    private int ofNewcomer(Place place) {
      return newcomers.computeIfAbsent(
          Share.of(place.lane),
          share -> turns.isFirst(place) && dispatcher.inHand(share) == 0 ? 2 : 0);
    }

    private int ofQueue(String queue) {
      Integer limit = settings.queueSlots().get(queue);
      return limit == null
          ? Integer.MAX_VALUE
          : queueRoom.computeIfAbsent(
              queue, q -> limit - dispatcher.inHand(l -> l.queue().equals(q)));
    }

    private int ofType(String type) {
      JobType<?> known = types.get(type);
      Integer limit = known == null ? null : known.slots().orElse(null);
      return limit == null
          ? Integer.MAX_VALUE
          : typeRoom.computeIfAbsent(
              type, t -> limit - dispatcher.inHand(l -> l.type().equals(t)));
    }

    void take(Place place, int units) {
      left -= units;
      laneRoom.computeIfPresent(
          place.laneId, (id, had) -> had == Integer.MAX_VALUE ? had : had - units);
      queueRoom.computeIfPresent(place.lane.queue(), (q, had) -> had - units);
      typeRoom.computeIfPresent(place.lane.type(), (t, had) -> had - units);
      newcomers.computeIfPresent(Share.of(place.lane), (s, had) -> had - units);
      groups.take(place.lane, units);
      ordered(place.lane).forEach(other -> laneRoom.put(other.laneId, 0));
    }
  }
}
