package io.sluice.postgres;

import io.sluice.SluiceException;
import io.sluice.postgres.LowWater.Mark;
import io.sluice.postgres.LowWater.Place;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneView;
import io.sluice.store.Look;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks which lanes have ready work, and which job is the first of each. */
final class Heads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Heads.class);
  /** Before all priorities there are. */
  private static final int NONE = -1;

  private static final int NO_LANE = Integer.MAX_VALUE;
  private static final int NO_PRIORITY = Short.MAX_VALUE;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  /** Nobody waits for a look aside; one that is cut off never finds what is behind the marks. */
  private static final Duration LONGEST_LOOK = Duration.ofMinutes(10);

  /** How many lanes one look aside takes in: however many have work, it takes little of the database's time. */
  private static final int MOST_ASIDE = 5_000;

  /** The first job of a place; {@code last} when the look at its gap of the window went no further. */
  private record Head(Place place, UUID id, boolean last) {}

  /** Where a look goes: places that are marked, gaps of its window, and lanes that are asked for beside it. */
  private record Way(Map<Place, Mark> marks, List<Gap> window, List<Gap> beside, int laneEnd) {
    static Way from(int lane) {
      return new Way(Map.of(), Heads.gaps(lane, List.of(), NO_LANE), List.of(), NO_LANE);
    }

    List<Gap> gaps() {
      List<Gap> all = new ArrayList<>(window);
      all.addAll(beside);
      return all;
    }
  }

  /** What a look found, and up to which lane it went. */
  private record Found(List<Head> heads, int upTo) {}

  /** Where unknown places may be: after this one, in its lane and in the lanes after that. */
  private record Gap(Place after, int laneEnd, int priorityEnd) {}

  private final Database database;
  private final Database patient;
  private final Catalog catalog;
  private final LowWater lowWater;
  private final FullLooks fullLooks;
  private final Runnable onFound;
  private volatile @Nullable Thread aside;
  /** The lane after which the next look aside begins; there is one at a time. */
  private volatile int asideAfter;

  private volatile boolean closed;

  /** With {@code onFound}, whoever waits for work is told that there is some behind the marks. */
  Heads(
      Database database,
      Catalog catalog,
      LowWater lowWater,
      FullLooks fullLooks,
      Runnable onFound) {
    this.database = database;
    this.patient = database.untimed();
    this.catalog = catalog;
    this.lowWater = lowWater;
    this.fullLooks = fullLooks;
    this.onFound = onFound;
  }

  LaneView look(Look look) {
    boolean full = fullLooks.isAffordable();
    if (!full && !closed && fullLooks.begin()) {
      aside = Thread.ofVirtual().name("sluice-look").start(this::lookAside);
    }
    return database.run(connection -> {
      Found found = full ? fromStart(connection, look) : fromMarks(connection, look);
      var lanes = catalog.lanes(
          connection, found.heads.stream().map(h -> h.place.lane()).toList());
      return new LaneView(
          found.heads.stream()
              .map(h -> new LaneHead(
                  h.place.lane(), Catalog.laneOf(lanes, h.place.lane()), h.place.priority(), h.id))
              .toList(),
          found.upTo);
    });
  }

  /** The heads of one queue. Where it is dear to look from the start, places that are known begin at their marks. */
  List<LaneHead> ofQueue(String tenant, String queue) {
    boolean full = fullLooks.isAffordable();
    NavigableMap<Place, Mark> marks =
        full ? Collections.emptyNavigableMap() : lowWater.window(0, Integer.MAX_VALUE);
    List<Place> places = List.copyOf(marks.keySet());
    return database.run(connection -> {
      try (Call call = database.call(connection, "heads-of-queue")) {
        return call.set("tenant", tenant)
            .set("queue", queue)
            .set("full", full)
            .set("lanes", "int4", column(places, Place::lane))
            .set("priorities", "int2", column(places, Place::priority))
            .set("lows", places.stream().map(p -> LowWater.idOf(marks.get(p))).toList())
            .list(row -> new LaneHead(
                row.getInt("lane_id"),
                Catalog.laneOf(row),
                row.getInt("priority"),
                row.getObject("first", UUID.class)));
      }
    });
  }

  /** Waits for a look that is under way, so that its connection is not cut. */
  @Override
  public void close() {
    closed = true;
    Thread look = aside;
    try {
      if (look != null && !look.join(PATIENCE)) {
        LOG.debug("A look at all ready work is still under way");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Found fromStart(Connection connection, Look look) throws SQLException {
    long start = fullLooks.now();
    List<Gap> beside = look.also().stream().map(Heads::only).toList();
    Way way = new Way(Map.of(), window(look, List.of(), NO_LANE), beside, NO_LANE);
    Found found = find(database, connection, look, way);
    fullLooks.ended(start);
    found.heads.forEach(head -> lowWater.found(head.place, head.id));
    return found;
  }

  private Found fromMarks(Connection connection, Look look) throws SQLException {
    NavigableMap<Place, Mark> marks = lowWater.window(look.after(), look.max());
    int end = lowWater.laneAfter(marks);
    List<Gap> window = window(look, List.copyOf(marks.keySet()), end);
    List<Gap> beside = new ArrayList<>();
    for (int lane : look.also()) {
      Map<Place, Mark> known = lowWater.window(lane - 1, 1).headMap(justBefore(lane + 1), true);
      beside.addAll(known.isEmpty() ? List.of(only(lane)) : List.of());
      marks.putAll(known);
    }
    Found found = find(database, connection, look, new Way(marks, window, beside, end));
    Map<Place, Head> byPlace = found.heads.stream()
        .collect(Collectors.toMap(Head::place, Function.identity(), (one, same) -> one));
    byPlace.forEach((place, head) -> lowWater.advance(place, marks.get(place), head.id));
    marks.forEach((place, mark) -> {
      if (!byPlace.containsKey(place)) {
        lowWater.emptied(place, mark, null);
      }
    });
    return found;
  }

  void lookAside() {
    lookAside(MOST_ASIDE);
  }

  /** Looks at this many lanes from the very start of each, however long that takes, and at others next time. */
  void lookAside(int lanes) {
    long start = fullLooks.now();
    int after = asideAfter;
    Look look = new Look(after, lanes, Set.of());
    try {
      Found found = patient.patiently(
          LONGEST_LOOK, connection -> find(patient, connection, look, Way.from(after)));
      asideAfter = found.upTo == LaneView.END ? 0 : found.upTo;
      List<Head> heads = found.heads;
      boolean behind = heads.stream().anyMatch(this::isBehind);
      heads.forEach(head -> lowWater.found(head.place, head.id));
      if (behind) {
        onFound.run();
      }
    } catch (SluiceException e) {
      LOG.debug("A look at all ready work failed; there will be another", e);
    } finally {
      fullLooks.endedAside(start);
    }
  }

  private boolean isBehind(Head head) {
    Mark mark = lowWater.of(head.place);
    return mark != null && LowWater.isBefore(head.id, mark.id());
  }

  /** Looks at the places that are marked, and into the gaps. */
  private static Found find(Database database, Connection connection, Look look, Way way)
      throws SQLException {
    List<Place> places = List.copyOf(way.marks.keySet());
    List<Gap> gaps = way.gaps();
    List<Head> heads;
    try (Call call = database.call(connection, "heads")) {
      heads = call.set("lanes", "int4", column(places, Place::lane))
          .set("priorities", "int2", column(places, Place::priority))
          .set("lows", places.stream().map(p -> LowWater.idOf(way.marks.get(p))).toList())
          .set("gap_lanes", "int4", column(gaps, gap -> gap.after.lane()))
          .set("gap_priorities", "int2", column(gaps, gap -> gap.after.priority()))
          .set("lane_ends", "int4", column(gaps, Gap::laneEnd))
          .set("priority_ends", "int2", column(gaps, Gap::priorityEnd))
          .set("max", Math.max(1, look.max()))
          .list(row -> new Head(
              new Place(row.getInt("lane"), row.getInt("priority")),
              row.getObject("id", UUID.class),
              row.getInt("seen") >= look.max() && row.getInt("gap") <= way.window.size()));
    }
    if (look.max() == 0) {
      return new Found(seen(heads, look, look.after()), look.after());
    }
    int upTo = heads.stream()
        .filter(Head::last)
        .mapToInt(head -> head.place.lane())
        .min()
        .orElse(way.laneEnd == NO_LANE ? LaneView.END : way.laneEnd - 1);
    return new Found(seen(heads, look, upTo), upTo);
  }

  /** What is within the window or was asked for beside it, each once. */
  private static List<Head> seen(List<Head> heads, Look look, int upTo) {
    Map<Place, Head> seen = new LinkedHashMap<>();
    for (Head head : heads) {
      if (head.place.lane() <= upTo || look.also().contains(head.place.lane())) {
        seen.putIfAbsent(head.place, head);
      }
    }
    return List.copyOf(seen.values());
  }

  private static <T> Integer[] column(List<T> rows, Function<T, Integer> value) {
    return rows.stream().map(value).toArray(Integer[]::new);
  }

  /** Where a walk begins that finds a lane as its next. */
  private static Place justBefore(int lane) {
    return new Place(lane - 1, NO_PRIORITY);
  }

  /** All of a lane and nothing else. */
  private static Gap only(int lane) {
    return new Gap(justBefore(lane), lane + 1, NO_PRIORITY);
  }

  /** The gaps between known places of a window; none where the look has no window. */
  private static List<Gap> window(Look look, List<Place> places, int laneEnd) {
    return look.max() == 0 ? List.of() : gaps(look.after(), places, laneEnd);
  }

  private static List<Gap> gaps(int afterLane, List<Place> places, int laneEnd) {
    List<Gap> gaps = new ArrayList<>();
    Place after = justBefore(afterLane + 1);
    for (Place place : places) {
      if (place.lane() != after.lane()) {
        gaps.add(new Gap(after, place.lane(), NO_PRIORITY));
        after = new Place(place.lane(), NONE);
      }
      gaps.add(new Gap(after, after.lane(), place.priority()));
      after = place;
    }
    gaps.add(new Gap(after, laneEnd, NO_PRIORITY));
    return gaps;
  }
}
