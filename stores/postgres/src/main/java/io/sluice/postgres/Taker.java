package io.sluice.postgres;

import io.sluice.Uuid7;
import io.sluice.postgres.LowWater.Mark;
import io.sluice.postgres.LowWater.Place;
import io.sluice.store.Claim;
import io.sluice.store.Finish;
import io.sluice.store.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes ready jobs from lanes, each place from where its jobs begin. */
final class Taker {
  /** What the statement itself stops at, for each lane. */
  private static final int LARGEST_QUOTA = 2000;

  /** Some jobs of a place, or only this one, and whether they count as running under a limit. */
  record Pick(
      Place place, int quota, boolean counted, @Nullable UUID only) {
    int most() {
      return Math.min(quota, LARGEST_QUOTA);
    }

    Pick atMost(int jobs) {
      return jobs >= quota ? this : new Pick(place, jobs, counted, only);
    }
  }

  /** What one statement is to take, by somebody who knows the rules of this version. */
  record Batch(long version, int max, List<Pick> picks) {}

  /** What was taken, and the lanes of which jobs were left because of their size. */
  record Haul(List<Taken> jobs, Set<Integer> left) {
    long bytes() {
      return jobs.stream().mapToLong(job -> job.spec().payload().length()).sum();
    }
  }

  private final Database database;
  private final LowWater lowWater;
  private final FullLooks fullLooks;
  private final Finisher finisher;

  Taker(Database database, LowWater lowWater, FullLooks fullLooks) {
    this.database = database;
    this.lowWater = lowWater;
    this.fullLooks = fullLooks;
    this.finisher = new Finisher(database, lowWater);
  }

  /** Takes jobs; of those with large payloads as many as the claim has bytes for. */
  Haul take(Connection connection, Claim claim, Batch batch) throws SQLException {
    List<Taken> taken = taken(connection, claim, batch);
    boolean small = taken.stream().allMatch(Taken::whole);
    return small ? new Haul(taken, Set.of()) : fitting(connection, taken, claim.bytes());
  }

  /** Reads the large payloads that fit. A job whose payload does not, and those behind it, are as they were before. */
  private Haul fitting(Connection connection, List<Taken> taken, long bytes) throws SQLException {
    long small = taken.stream()
        .filter(Taken::whole)
        .mapToLong(job -> job.spec().payload().length())
        .sum();
    List<UUID> large =
        taken.stream().filter(job -> !job.whole()).map(job -> job.ref().job()).toList();
    long room = bytes <= 0 ? 0 : Math.max(1, bytes - small);
    Map<UUID, String> payloads = payloads(connection, large, room);
    List<Taken> fit = new ArrayList<>();
    List<Finish> rest = new ArrayList<>();
    Set<Place> stopped = new HashSet<>();
    for (Taken job : taken) {
      String payload =
          job.whole() ? job.spec().payload() : payloads.get(job.ref().job());
      if (payload == null || stopped.contains(job.place())) {
        stopped.add(job.place());
        rest.add(new Finish(job.ref(), Verdict.unspent(job.strikes())));
      } else {
        fit.add(job.whole() ? job : job.withPayload(payload));
      }
    }
    if (!rest.isEmpty()) {
      finisher.finish(connection, rest);
    }
    return new Haul(fit, stopped.stream().map(Place::lane).collect(Collectors.toSet()));
  }

  private Map<UUID, String> payloads(Connection connection, List<UUID> jobs, long bytes)
      throws SQLException {
    Map<UUID, String> payloads = new HashMap<>();
    try (Call call = database.call(connection, "payloads-within")) {
      call.set("ids", jobs)
          .set("bytes", bytes)
          .set("small", Claim.SMALL)
          .each(row -> payloads.put(jobs.get(row.getInt("place") - 1), row.getString("payload")));
    }
    return payloads;
  }

  private List<Taken> taken(Connection connection, Claim claim, Batch batch) throws SQLException {
    List<Pick> picks = batch.picks();
    Map<Place, Mark> marks = lowWater.of(picks.stream().map(Pick::place).toList());
    List<UUID> lows =
        picks.stream().map(pick -> low(pick, marks.get(pick.place()))).toList();
    List<Taken> taken = take(connection, claim, batch, lows);
    note(batch, taken, marks);
    List<UUID> starts = picks.stream().map(pick -> low(pick, null)).toList();
    if (taken.isEmpty() && !starts.equals(lows) && fullLooks.isAffordable()) {
      // Nothing above the marks: there may be something below, and nobody need wait for it.
      taken = take(connection, claim, batch, starts);
    }
    return taken;
  }

  private static UUID low(Pick pick, @Nullable Mark mark) {
    UUID only = pick.only();
    return only == null ? LowWater.idOf(mark) : LowWater.justBefore(only);
  }

  private List<Taken> take(Connection connection, Claim claim, Batch batch, List<UUID> lows)
      throws SQLException {
    Duration lease = claim.lease();
    List<Pick> picks = batch.picks();
    try (Call call = database.call(connection, "claim")) {
      List<Taken> taken = call.set("worker", claim.worker())
          .setOrNull("lease", lease == null ? null : (Long) Times.micros(lease))
          .set("max", batch.max())
          .set("version", batch.version())
          .set("counted", "int4", counted(picks))
          .column("lanes", "int4", picks, pick -> pick.place().lane(), Integer[]::new)
          .column("priorities", "int2", picks, p -> (short) p.place().priority(), Short[]::new)
          .column("quotas", "int4", picks, Pick::most, Integer[]::new)
          .column("highs", "uuid", picks, Pick::only, UUID[]::new)
          .set("lows", lows)
          .list(new Taken.Rows(claim.worker(), lease)::read);
      return inOrder(picks, taken);
    }
  }

  private static Integer[] counted(List<Pick> picks) {
    return picks.stream()
        .filter(Pick::counted)
        .map(pick -> pick.place().lane())
        .distinct()
        .toArray(Integer[]::new);
  }

  /** Places in the order asked for; within a place, by id as PostgreSQL sorts ids. */
  private static List<Taken> inOrder(List<Pick> picks, List<Taken> taken) {
    Map<Place, Integer> order = new HashMap<>();
    for (Pick pick : picks) {
      order.putIfAbsent(pick.place(), order.size());
    }
    Comparator<Taken> byPlace =
        Comparator.comparing(job -> order.getOrDefault(job.place(), Integer.MAX_VALUE));
    List<Taken> sorted = new ArrayList<>(taken);
    sorted.sort(byPlace.thenComparing(job -> job.ref().job(), Uuid7.ORDER));
    return sorted;
  }

  private void note(Batch batch, List<Taken> taken, Map<Place, Mark> marks) {
    Map<Place, Integer> counts = new HashMap<>();
    Map<Place, UUID> lasts = new HashMap<>();
    for (Taken job : taken) {
      counts.merge(job.place(), 1, Integer::sum);
      lasts.put(job.place(), job.ref().job());
    }
    boolean stopped = taken.size() >= batch.max();
    for (Pick pick : batch.picks()) {
      Place place = pick.place();
      UUID last = lasts.get(place);
      if (pick.only() != null) {
        continue;
      }
      if (last != null && (stopped || counts.getOrDefault(place, 0) >= pick.most())) {
        lowWater.advance(place, marks.get(place), last);
      } else if (!stopped) {
        lowWater.emptied(place, marks.get(place), last);
      }
    }
  }
}
