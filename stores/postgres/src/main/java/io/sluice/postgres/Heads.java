package io.sluice.postgres;

import io.sluice.SluiceException;
import io.sluice.postgres.LowWater.Mark;
import io.sluice.postgres.LowWater.Place;
import io.sluice.store.LaneHead;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks which lanes have ready work, and which job is the first of each. */
final class Heads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Heads.class);
  private static final Comparator<Place> ORDER =
      Comparator.comparingInt(Place::lane).thenComparingInt(Place::priority);
  /** Before all places there are. */
  private static final Place FIRST = new Place(0, -1);

  private static final int NO_LANE = Integer.MAX_VALUE;
  private static final int NO_PRIORITY = Short.MAX_VALUE;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private record Head(Place place, UUID id) {}

  /** Where unknown places may be: after this one, in its lane and in the lanes after that. */
  private record Gap(Place after, int laneEnd, int priorityEnd) {}

  private final Database database;
  private final Catalog catalog;
  private final LowWater lowWater;
  private final FullLooks fullLooks;
  private final Runnable onFound;
  private volatile @Nullable Thread aside;
  private volatile boolean closed;

  /** With {@code onFound}, whoever waits for work is told that there is some behind the marks. */
  Heads(
      Database database,
      Catalog catalog,
      LowWater lowWater,
      FullLooks fullLooks,
      Runnable onFound) {
    this.database = database;
    this.catalog = catalog;
    this.lowWater = lowWater;
    this.fullLooks = fullLooks;
    this.onFound = onFound;
  }

  List<LaneHead> list() {
    boolean full = fullLooks.isAffordable();
    if (!full && !closed && fullLooks.begin()) {
      aside = Thread.ofVirtual().name("sluice-look").start(this::lookAside);
    }
    return database.run(connection -> {
      List<Head> heads = full ? fromStart(connection) : fromMarks(connection);
      var lanes =
          catalog.lanes(connection, heads.stream().map(h -> h.place.lane()).toList());
      return heads.stream()
          .map(h -> new LaneHead(
              h.place.lane(), Catalog.laneOf(lanes, h.place.lane()), h.place.priority(), h.id))
          .toList();
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

  private List<Head> fromStart(Connection connection) throws SQLException {
    long start = fullLooks.now();
    List<Head> heads = look(connection, Map.of());
    fullLooks.ended(start);
    heads.forEach(head -> lowWater.found(head.place, head.id));
    return heads;
  }

  private List<Head> fromMarks(Connection connection) throws SQLException {
    Map<Place, Mark> marks = lowWater.all();
    List<Head> heads = look(connection, marks);
    Map<Place, Head> byPlace =
        heads.stream().collect(Collectors.toMap(Head::place, Function.identity()));
    heads.forEach(head -> lowWater.advance(head.place, marks.get(head.place), head.id));
    marks.forEach((place, mark) -> {
      if (!byPlace.containsKey(place)) {
        lowWater.emptied(place, mark, null);
      }
    });
    return heads;
  }

  private void lookAside() {
    long start = fullLooks.now();
    try {
      List<Head> heads = database.run(connection -> look(connection, Map.of()));
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

  private List<Head> look(Connection connection, Map<Place, Mark> marks) throws SQLException {
    List<Place> places = marks.keySet().stream().sorted(ORDER).toList();
    List<Gap> gaps = gaps(places);
    try (Call call = database.call(connection, "heads")) {
      return call.set("lanes", "int4", column(places, Place::lane))
          .set("priorities", "int2", column(places, Place::priority))
          .set("lows", places.stream().map(p -> LowWater.idOf(marks.get(p))).toList())
          .set("gap_lanes", "int4", column(gaps, gap -> gap.after.lane()))
          .set("gap_priorities", "int2", column(gaps, gap -> gap.after.priority()))
          .set("lane_ends", "int4", column(gaps, Gap::laneEnd))
          .set("priority_ends", "int2", column(gaps, Gap::priorityEnd))
          .list(row -> new Head(
              new Place(row.getInt("lane"), row.getInt("priority")),
              row.getObject("id", UUID.class)));
    }
  }

  private static <T> Integer[] column(List<T> rows, Function<T, Integer> value) {
    return rows.stream().map(value).toArray(Integer[]::new);
  }

  private static List<Gap> gaps(List<Place> places) {
    List<Gap> gaps = new ArrayList<>();
    Place after = FIRST;
    for (Place place : places) {
      if (place.lane() != after.lane()) {
        gaps.add(new Gap(after, place.lane(), NO_PRIORITY));
        after = new Place(place.lane(), FIRST.priority());
      }
      gaps.add(new Gap(after, after.lane(), place.priority()));
      after = place;
    }
    gaps.add(new Gap(after, NO_LANE, NO_PRIORITY));
    return gaps;
  }
}
