package io.sluice.postgres;

import io.sluice.JobSpec;
import io.sluice.Metadata;
import io.sluice.Priority;
import io.sluice.RetryPolicy;
import io.sluice.Uuid7;
import io.sluice.postgres.LowWater.Mark;
import io.sluice.postgres.LowWater.Place;
import io.sluice.store.Claim;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Documents;
import io.sluice.store.LaneQuota;
import io.sluice.store.Strikes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes batches of ready work for a worker. */
final class Claimer {
  /** What the statement itself stops at, for each lane. */
  private static final int LARGEST_QUOTA = 1000;

  /** A job as the claim statement answers it. */
  record Taken(
      ClaimRef ref,
      int lane,
      JobSpec spec,
      Instant createdAt,
      int attempt,
      Strikes strikes,
      @Nullable Instant leaseUntil) {
    Place place() {
      return new Place(lane, spec.priority().value());
    }
  }

  private final Database database;
  private final Catalog catalog;
  private final LowWater lowWater;
  private final FullLooks fullLooks;

  Claimer(Database database, Catalog catalog, LowWater lowWater, FullLooks fullLooks) {
    this.database = database;
    this.catalog = catalog;
    this.lowWater = lowWater;
    this.fullLooks = fullLooks;
  }

  List<ClaimedJob> claim(Claim claim) {
    List<LaneQuota> lanes =
        claim.lanes().stream().filter(lane -> lane.quota() > 0).toList();
    if (lanes.isEmpty() || claim.max() <= 0) {
      return List.of();
    }
    Set<Integer> limited = catalog.limited();
    List<ClaimedJob> claimed = claim(claim, lanes, limited);
    if (claimed.isEmpty()) {
      // A queue that was limited meanwhile gives nothing to whoever does not know of it.
      Set<Integer> now = catalog.readLimited();
      claimed = now.equals(limited) ? claimed : claim(claim, lanes, now);
    }
    return claimed;
  }

  private List<ClaimedJob> claim(Claim claim, List<LaneQuota> lanes, Set<Integer> limited) {
    List<Run> runs = limited.isEmpty() ? List.of() : runs(lanes, limited);
    return runs.stream().allMatch(run -> run.queue() == null)
        ? database.run(
            connection -> known(connection, take(connection, claim, claim.max(), lanes, null)))
        : database.transact(connection -> known(connection, take(connection, claim, runs)));
  }

  /** Lanes that follow one another and are of one limited queue, or of none. */
  private record Run(@Nullable Integer queue, List<LaneQuota> lanes) {}

  private List<Run> runs(List<LaneQuota> lanes, Set<Integer> limited) {
    var known = database.run(connection ->
        catalog.lanes(connection, lanes.stream().map(LaneQuota::laneId).toList()));
    List<Run> runs = new ArrayList<>();
    for (LaneQuota lane : lanes) {
      Catalog.KnownLane home = known.get(lane.laneId());
      Integer queue = home != null && limited.contains(home.queue()) ? home.queue() : null;
      if (runs.isEmpty() || !Objects.equals(runs.getLast().queue(), queue)) {
        runs.add(new Run(queue, new ArrayList<>()));
      }
      runs.getLast().lanes().add(lane);
    }
    return runs;
  }

  /** Takes from limited queues as much as they have free, while nobody else can. */
  private List<Taken> take(Connection connection, Claim claim, List<Run> runs) throws SQLException {
    Map<Integer, Integer> free = free(connection, runs);
    List<Taken> taken = new ArrayList<>();
    for (Run run : runs) {
      Integer queue = run.queue();
      Integer room = queue == null ? null : free.get(queue);
      int left = claim.max() - taken.size();
      int most = room == null ? left : Math.min(left, room);
      if (most > 0) {
        List<Taken> some = take(connection, claim, most, run.lanes(), room == null ? null : queue);
        taken.addAll(some);
        free.computeIfPresent(queue == null ? 0 : queue, (q, had) -> had - some.size());
      }
    }
    return taken;
  }

  private Map<Integer, Integer> free(Connection connection, List<Run> runs) throws SQLException {
    Integer[] queues =
        runs.stream().map(Run::queue).filter(Objects::nonNull).distinct().toArray(Integer[]::new);
    Map<Integer, Integer> free = new HashMap<>();
    try (Call call = database.call(connection, "hold-limits")) {
      call.set("queues", "int4", queues)
          .each(row -> free.put(row.getInt("id"), row.getInt("max_concurrent")));
    }
    try (Call call = database.call(connection, "count-limited")) {
      call.set("queues", "int4", queues).each(row -> {
        int running = row.getInt("jobs");
        free.computeIfPresent(row.getInt("queue"), (queue, most) -> most - running);
      });
    }
    return free;
  }

  private List<Taken> take(
      Connection connection, Claim claim, int max, List<LaneQuota> lanes, @Nullable Integer limited)
      throws SQLException {
    Map<Place, Mark> marks = lowWater.of(lanes.stream().map(Claimer::place).toList());
    List<UUID> lows =
        lanes.stream().map(lane -> LowWater.idOf(marks.get(place(lane)))).toList();
    List<Taken> taken = take(connection, claim, max, lanes, lows, limited);
    note(lanes, taken, max, marks);
    boolean skipped = lows.stream().anyMatch(low -> !low.equals(LowWater.START));
    if (taken.isEmpty() && skipped && fullLooks.isAffordable()) {
      // Nothing above the marks: there may be something below, and nobody need wait for it.
      List<UUID> starts = lanes.stream().map(lane -> LowWater.START).toList();
      taken = take(connection, claim, max, lanes, starts, limited);
    }
    return taken;
  }

  private List<ClaimedJob> known(Connection connection, List<Taken> taken) throws SQLException {
    var known = catalog.lanes(connection, taken.stream().map(Taken::lane).toList());
    return taken.stream().map(job -> claimed(job, known)).toList();
  }

  private List<Taken> take(
      Connection connection,
      Claim claim,
      int max,
      List<LaneQuota> lanes,
      List<UUID> lows,
      @Nullable Integer limited)
      throws SQLException {
    Duration lease = claim.lease();
    try (Call call = database.call(connection, "claim")) {
      List<Taken> taken = call.set("worker", claim.worker())
          .setOrNull("lease", lease == null ? null : (Long) Times.micros(lease))
          .set("max", max)
          .setOrNull("limited", limited)
          .set("lanes", "int4", lanes.stream().map(LaneQuota::laneId).toArray(Integer[]::new))
          .set(
              "priorities",
              "int2",
              lanes.stream().map(lane -> (short) lane.priority()).toArray(Short[]::new))
          .set("quotas", "int4", lanes.stream().map(Claimer::quota).toArray(Integer[]::new))
          .set("lows", lows)
          .list(Claimer::read);
      return inOrder(lanes, taken);
    }
  }

  private static Place place(LaneQuota lane) {
    return new Place(lane.laneId(), lane.priority());
  }

  private static int quota(LaneQuota lane) {
    return Math.min(lane.quota(), LARGEST_QUOTA);
  }

  /** Lanes in the order asked for; within a lane, by id as PostgreSQL sorts ids. */
  private static List<Taken> inOrder(List<LaneQuota> lanes, List<Taken> taken) {
    Map<Place, Integer> order = new HashMap<>();
    for (LaneQuota lane : lanes) {
      order.putIfAbsent(place(lane), order.size());
    }
    Comparator<Taken> byLane =
        Comparator.comparing(job -> order.getOrDefault(job.place(), Integer.MAX_VALUE));
    List<Taken> sorted = new ArrayList<>(taken);
    sorted.sort(byLane.thenComparing(job -> job.ref().job(), Uuid7.ORDER));
    return sorted;
  }

  private void note(List<LaneQuota> lanes, List<Taken> taken, int max, Map<Place, Mark> marks) {
    Map<Place, Integer> counts = new HashMap<>();
    Map<Place, UUID> lasts = new HashMap<>();
    for (Taken job : taken) {
      counts.merge(job.place(), 1, Integer::sum);
      lasts.put(job.place(), job.ref().job());
    }
    boolean stopped = taken.size() >= max;
    for (LaneQuota lane : lanes) {
      Place place = place(lane);
      UUID last = lasts.get(place);
      if (last != null && (stopped || counts.getOrDefault(place, 0) >= quota(lane))) {
        lowWater.advance(place, marks.get(place), last);
      } else if (!stopped) {
        lowWater.emptied(place, marks.get(place), last);
      }
    }
  }

  static Taken read(ResultSet row) throws SQLException {
    return new Taken(
        new ClaimRef(row.getObject("id", UUID.class), row.getInt("turn")),
        row.getInt("lane"),
        spec(row),
        Times.read(row, "created_at"),
        row.getInt("attempt"),
        new Strikes(row.getInt("strikes"), row.getInt("suspect")),
        Times.readOrNull(row, "lease_until"));
  }

  static JobSpec spec(ResultSet row) throws SQLException {
    String metadata = row.getString("metadata");
    String retry = row.getString("retry");
    return new JobSpec(
        row.getString("payload"),
        new Priority(row.getInt("priority")),
        retry == null ? null : policy(retry),
        millis(row, "timeout_ms"),
        row.getString("idempotency_key"),
        Times.readOrNull(row, "expires_at"),
        metadata == null ? Metadata.NONE : Documents.metadata(metadata),
        Math.max(1, row.getInt("cost")));
  }

  static RetryPolicy policy(String json) {
    return Documents.retryPolicy(json);
  }

  static @Nullable Duration millis(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : Duration.ofMillis(value);
  }

  static ClaimedJob claimed(Taken job, Map<Integer, Catalog.KnownLane> lanes) {
    return new ClaimedJob(
        job.ref(),
        Catalog.laneOf(lanes, job.lane()),
        job.spec(),
        job.createdAt(),
        job.attempt(),
        job.strikes(),
        job.leaseUntil());
  }
}
