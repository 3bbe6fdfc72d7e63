package io.sluice.postgres;

import io.sluice.Defaults;
import io.sluice.ErrorCode;
import io.sluice.Lane;
import io.sluice.Names;
import io.sluice.Ordering;
import io.sluice.Scope;
import io.sluice.SluiceException;
import io.sluice.store.LockTimeout;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of queues and lanes. What the number of a lane stands for never changes. What
 * is remembered of a queue may be out of date, and a lane may be closed, so every insert checks it inside its
 * own write.
 */
final class Catalog {
  private static final int MOST_LANES = 200_000;

  /** A queue as an insert needs it. */
  record Queue(int id, boolean capped, boolean tenantCapped, boolean ordered) {}

  /** A lane with the numbers that the tables know it by. */
  record KnownLane(int id, int queue, Lane lane) {}

  /** The number of a lane that jobs may go into, as long as the epoch is this one. */
  record OpenLane(int id, long epoch) {}

  /** Where a job goes: its queue and its lane. */
  record Home(Queue queue, OpenLane lane) {}

  private record QueueName(String tenant, String name) {}

  private final Database database;
  /** On connections that wait for locks only briefly. */
  private final Database shared;

  private final Map<QueueName, Queue> queues = new ConcurrentHashMap<>();
  private final Map<Lane, OpenLane> lanes = new ConcurrentHashMap<>();
  private final Map<Integer, KnownLane> lanesById = new ConcurrentHashMap<>();
  private volatile @Nullable Rules rules;
  private volatile @Nullable Long epoch;

  Catalog(Database database, Database shared) {
    this.database = database;
    this.shared = shared;
  }

  /** Forgets what may have changed. */
  void forgetQueues() {
    queues.clear();
    rules = null;
  }

  /** Forgets which lanes are open: some were closed since. */
  void forgetLanes() {
    epoch = null;
    lanes.clear();
  }

  /**
   * The limits and orders, as far as is known here. A claim checks it again: what is out of date costs a
   * claim that takes nothing, never one too many.
   */
  Rules rules() {
    Rules known = rules;
    return known != null ? known : readRules();
  }

  /** These rules, or those of now if they have changed since. */
  Rules rulesSince(Rules known) {
    long version = database.run(connection -> {
      try (Call call = database.call(connection, "rules-version")) {
        return call.one(row -> row.getLong("version"));
      }
    });
    return version == known.version() ? known : readRules();
  }

  /** The rules as they are now. */
  Rules rulesNow() {
    return rulesSince(rules());
  }

  private Rules readRules() {
    Rules found = database.run(connection -> {
      List<LimitRow> rows = new ArrayList<>();
      Set<Scope> pending = new HashSet<>();
      AtomicLong version = new AtomicLong();
      try (Call call = database.call(connection, "rules")) {
        call.each(row -> {
          version.set(row.getLong("version"));
          if (row.getBoolean("pending")) {
            pending.add(LimitRow.read(row).scope());
          } else if (row.getString("kind") != null) {
            rows.add(LimitRow.read(row));
          }
        });
      }
      return new Rules(version.get(), rows, pending);
    });
    rules = found;
    return found;
  }

  /** Where a job of this lane goes, looked up on a connection of its own and made if need be. */
  Home home(Lane lane) {
    return home(database, lane);
  }

  /**
   * The same for a write that many callers share. Fails with {@link LockTimeout} where the queue or the lane is new and
   * somebody's transaction is making it, by the SQL function.
   */
  Home homeBriefly(Lane lane) {
    return home(shared, lane);
  }

  private Home home(Database by, Lane lane) {
    Queue queue = queue(by, lane.tenant(), lane.queue());
    return new Home(queue, lane(by, lane, queue));
  }

  /**
   * The same for a caller that holds a connection: what is there is looked up on that, because another one may
   * not be had where those who hold the others of a pool wait, too. What its own transaction wrote is not
   * remembered: it may be rolled back.
   */
  Home home(Connection connection, Lane lane) throws SQLException {
    Queue queue = queues.get(new QueueName(lane.tenant(), lane.queue()));
    OpenLane open = lanes.get(lane);
    if (queue != null && open != null) {
      return new Home(queue, open);
    }
    Optional<Home> found;
    try (Call call = database.call(connection, "find-lane")) {
      found = call
          .set("tenant", lane.tenant())
          .set("queue", lane.queue())
          .set("type", lane.type())
          .set("url_group", lane.urlGroup())
          .set("limit_key", lane.limitKey())
          .list(row -> readHome(row, lane))
          .stream()
          .findFirst();
    }
    return found.isPresent() ? found.get() : home(lane);
  }

  private Home readHome(ResultSet row, Lane lane) throws SQLException {
    Home home = new Home(readQueue(row), new OpenLane(row.getInt("lane"), row.getLong("epoch")));
    if (row.getBoolean("committed")) {
      queues.put(new QueueName(lane.tenant(), lane.queue()), home.queue());
      remember(new KnownLane(home.lane().id(), home.queue().id(), lane), home.lane());
    }
    return home;
  }

  /** A queue, if it is known here. */
  Optional<Queue> known(String tenant, String name) {
    return Optional.ofNullable(queues.get(new QueueName(tenant, name)));
  }

  boolean isKnown(Lane lane) {
    return lanes.containsKey(lane);
  }

  Queue queue(String tenant, String name) {
    return queue(database, tenant, name);
  }

  private Queue queue(Database by, String tenant, String name) {
    QueueName key = new QueueName(tenant, name);
    Queue known = queues.get(key);
    if (known == null) {
      known = by.run(connection -> load(connection, tenant, name))
          .orElseThrow(() -> Names.unknownQueue(tenant, name));
      queues.put(key, known);
    }
    return known;
  }

  private Optional<Queue> load(Connection connection, String tenant, String name)
      throws SQLException {
    try (Call call = database.call(connection, "find-queue")) {
      List<Queue> found = call.set("tenant", tenant).set("name", name).list(Catalog::readQueue);
      if (!found.isEmpty()) {
        return Optional.of(found.getFirst());
      }
    }
    if (!name.equals(Defaults.QUEUE)) {
      return Optional.empty();
    }
    try (Call call = database.call(connection, "make-default-queue")) {
      return Optional.of(call.set("tenant", tenant).one(Catalog::readQueue));
    }
  }

  private static Queue readQueue(ResultSet row) throws SQLException {
    return new Queue(
        row.getInt("id"),
        row.getObject("max_size") != null,
        row.getBoolean("tenant_capped"),
        !row.getString("ordered").equals(Ordering.NONE.name()));
  }

  /** The number of a lane, which is made in a short transaction of its own when it is new or was closed. */
  private OpenLane lane(Database by, Lane lane, Queue queue) {
    OpenLane known = lanes.get(lane);
    if (known != null) {
      return known;
    }
    // Read first: a lane that is closed after it was found belongs to a later epoch.
    long now = epoch();
    int id = by.run(connection -> {
      try (Call call = by.call(connection, "lane-for")) {
        return call.set("queue", queue.id())
            .set("type", lane.type())
            .set("url_group", lane.urlGroup())
            .set("limit_key", lane.limitKey())
            .one(row -> row.getInt("id"));
      }
    });
    OpenLane open = new OpenLane(id, now);
    remember(new KnownLane(id, queue.id(), lane), open);
    return open;
  }

  private long epoch() {
    Long known = epoch;
    if (known == null) {
      known = database.run(connection -> {
        try (Call call = database.call(connection, "lane-epoch")) {
          return call.one(row -> row.getLong("epoch"));
        }
      });
      epoch = known;
    }
    return known;
  }

  /** As {@link #lanes(Connection, Collection)}, on a connection of its own if need be. */
  Map<Integer, KnownLane> lanes(Collection<Integer> ids) {
    Map<Integer, KnownLane> found = known(ids);
    return found.keySet().containsAll(ids)
        ? found
        : database.run(connection -> lanes(connection, ids));
  }

  /** Lanes by their numbers, read where they are not known. */
  Map<Integer, KnownLane> lanes(Connection connection, Collection<Integer> ids)
      throws SQLException {
    Map<Integer, KnownLane> found = known(ids);
    Integer[] missing =
        ids.stream().distinct().filter(id -> !found.containsKey(id)).toArray(Integer[]::new);
    if (missing.length > 0) {
      try (Call call = database.call(connection, "lanes-by-id")) {
        call.set("ids", "int4", missing).each(row -> {
          KnownLane lane = remember(readLane(row));
          found.put(lane.id(), lane);
        });
      }
    }
    return found;
  }

  /** What these lanes are, as far as it is known here. */
  Map<Integer, Lane> named(Collection<Integer> ids) {
    Map<Integer, Lane> named = new HashMap<>();
    known(ids).forEach((id, known) -> named.put(id, known.lane()));
    return named;
  }

  private Map<Integer, KnownLane> known(Collection<Integer> ids) {
    Map<Integer, KnownLane> found = new HashMap<>();
    for (Integer id : ids) {
      KnownLane lane = lanesById.get(id);
      if (lane != null) {
        found.put(id, lane);
      }
    }
    return found;
  }

  private static KnownLane readLane(ResultSet row) throws SQLException {
    return new KnownLane(row.getInt("id"), row.getInt("queue_id"), laneOf(row));
  }

  static Lane laneOf(ResultSet row) throws SQLException {
    return new Lane(
        row.getString("tenant"),
        row.getString("queue"),
        row.getString("type"),
        row.getString("url_group"),
        row.getString("limit_key"));
  }

  static Lane laneOf(Map<Integer, KnownLane> known, int id) {
    @Nullable KnownLane lane = known.get(id);
    if (lane == null) {
      throw new SluiceException(ErrorCode.PERSISTENCE_FAILURE, "there is no lane " + id);
    }
    return lane.lane();
  }

  private void remember(KnownLane lane, OpenLane open) {
    remember(lane);
    lanes.put(lane.lane(), open);
  }

  private KnownLane remember(KnownLane lane) {
    if (lanesById.size() >= MOST_LANES) {
      lanes.clear();
      lanesById.clear();
    }
    lanesById.put(lane.id(), lane);
    return lane;
  }
}
