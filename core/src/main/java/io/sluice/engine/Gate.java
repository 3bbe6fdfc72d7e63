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
import java.util.stream.Collectors;

/**
 * Deals the room of an engine to the lanes that have work, unit by unit as the turns go. What may not run
 * is left out: its queue is paused, its type has no handler here, a limit is spent, something holds it
 * back. While there is no room, a queue that has nothing in hand may still have a little.
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
  /** How many places that may not run are looked at in a round; others have their turn in the next. */
  private static final int MOST_PASSED = 512;

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
    this.book = new LaneBook(turns);
  }

  /** Looks which lanes have work. */
  void look(JobStore store, long now) {
    book.look(store, now);
  }

  /** True when nothing is known to be left out of the last look. */
  boolean hasSeenAll() {
    return book.isRound();
  }

  /** The claim to make, for a worker with room for so many units; none when nothing may run. */
  Optional<Claim> claim(long worker, int room, long now, long news) {
    spent.refresh(now, news);
    deal(size.of(room, now), now);
    if (dealt.isEmpty()) {
      return Optional.empty();
    }
    size.dealt(dealt.stream().map(place -> Share.of(place.lane)).collect(Collectors.toSet()), now);
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
      if (other.dealt == 0 && mayRun(other)) {
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
    spent.note(claimed.spent(), now, news);
    Map<Origin, Integer> got = new HashMap<>();
    claimed.jobs().forEach(job -> got.merge(Origin.of(job), 1, Integer::sum));
    List<Place> without = new ArrayList<>();
    int units = 0;
    for (Place place : dealt) {
      int gave = got.getOrDefault(new Origin(place.lane, place.priority), 0);
      valve.claimed(place.lane, asked(place), gave);
      place.gave(gave, asked(place));
      units += Math.ceilDiv(gave, batchSize(place.lane));
      if (gave > 0) {
        settle(place, gave);
      } else {
        without.add(place);
      }
    }
    // From the last to the first, each to the head of its line: they keep their order there.
    without.reversed().forEach(place -> settle(place, 0));
    size.took(units, now - dealtAt);
  }

  private void settle(Place place, int gave) {
    turns.settle(place, Math.ceilDiv(gave, batchSize(place.lane)));
    if (gave < asked(place) && !spent.holds(place)) {
      book.emptied(place);
    }
  }

  /** The time after which another round may find more, and at most this. */
  Duration pause(Duration most, long now, long news) {
    return spent.next(most, now, news);
  }

  private void deal(int room, long now) {
    dealt.forEach(place -> place.dealt = 0);
    dealt.clear();
    Room limits = new Room(room);
    List<Place> sated = new ArrayList<>();
    deal(limits, true, sated, now);
    if (limits.left > 0 && !sated.isEmpty()) {
      turns.readmit(sated);
      deal(limits, false, new ArrayList<>(), now);
    }
    turns.endRound();
  }

  /** Deals until there is no more room or nobody left; the modest get no more than they can use. */
  private void deal(Room limits, boolean modest, List<Place> sated, long now) {
    int passed = 0;
    while (limits.left > 0 && passed < MOST_PASSED) {
      Place place = turns.next(now);
      if (place == null) {
        return;
      }
      int units = limits.of(place);
      int wanted = modest ? Math.min(units, place.wants() - place.dealt) : units;
      if (wanted <= 0) {
        turns.passOver(place, units > 0 || limits.scarce);
        passed++;
        if (units > 0) {
          sated.add(place);
        }
      } else {
        int given = Math.min(wanted, limits.step);
        limits.take(place, given);
        place.dealt += given;
        dealt.add(place);
        turns.served(place, given, now);
      }
    }
  }

  private boolean mayRun(Place place) {
    Lane lane = place.lane;
    return types.containsKey(lane.type())
        && (settings.onlyQueues().isEmpty() || settings.onlyQueues().contains(lane.queue()))
        && !queues.of(lane).paused()
        && !settings.lanes().held().test(lane)
        && !spent.holds(place);
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

    Room(int room) {
      scarce = room <= 0;
      left = scarce ? Math.max(1, settings.slots() / 2) : room;
      step = Math.max(1, left / STEPS);
      groups = new GroupSlots(settings, dispatcher);
    }

    /** How many more units of a place may be claimed. */
    int of(Place place) {
      Lane lane = place.lane;
      int most = Math.min(left, laneRoom.computeIfAbsent(place.laneId, id -> ofLane(place)));
      most = Math.min(most, Math.min(ofQueue(lane.queue()), ofType(lane.type())));
      most = Math.min(most, groups.room(lane));
      return scarce && most > 0 ? Math.min(most, ofNewcomer(place)) : most;
    }

    private int ofLane(Place place) {
      if (!mayRun(place)) {
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
