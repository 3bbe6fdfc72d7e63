package io.sluice.postgres;

import io.sluice.Uuid7;
import io.sluice.postgres.LowWater.Mark;
import io.sluice.postgres.LowWater.Place;
import io.sluice.store.Claim;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
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

  private final Database database;
  private final LowWater lowWater;
  private final FullLooks fullLooks;

  Taker(Database database, LowWater lowWater, FullLooks fullLooks) {
    this.database = database;
    this.lowWater = lowWater;
    this.fullLooks = fullLooks;
  }

  List<Taken> take(Connection connection, Claim claim, Batch batch) throws SQLException {
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
          .list(new Taken.Rows()::read);
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
