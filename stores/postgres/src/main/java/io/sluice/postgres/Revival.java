package io.sluice.postgres;

import io.sluice.JobState;
import io.sluice.Uuid7;
import io.sluice.store.Comeback;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The return of jobs that were cancelled because of one that runs again, in one transaction. All that may come
 * back is found first and then held: batches, jobs that are over, and whom these wait for. What does come back
 * is written in one go, so that the cost is that of the links, however long the way from job to job is.
 */
final class Revival {
  /** What came back, the replayed job first, and what went on because of it. */
  record Revived(List<UUID> jobs, Woken woken) {}

  /** A job or a batch that may come back, and the batch that it is in. */
  private record Found(UUID id, @Nullable UUID home, boolean isBatch, String tenant) {}

  /** That a job waits for another, in its so-manieth place. */
  private record Link(UUID successor, int place, UUID predecessor, boolean broke) {}

  private final Database database;
  private final Connection connection;
  private final UUID replayed;
  private final Map<UUID, UUID> homes = new HashMap<>();
  /** The lanes of the jobs that are cancelled and may come back. */
  private final Map<UUID, Integer> lanes = new LinkedHashMap<>();

  private final Set<UUID> failed = new HashSet<>();
  private final Set<UUID> open = new HashSet<>();
  private final List<UUID> ready = new ArrayList<>();
  private final Set<UUID> batches = new HashSet<>();
  private final Set<UUID> waking = new HashSet<>();

  Revival(Database database, Connection connection, UUID replayed) {
    this.database = database;
    this.connection = connection;
    this.replayed = replayed;
  }

  /** Nothing comes back with a job that is not one to be replayed. */
  Revived run() throws SQLException {
    List<Found> found = find();
    holdBatches(found);
    if (Interventions.matching(database, connection, "replay", List.of(replayed))
        .isEmpty()) {
      return new Revived(List.of(), Woken.NOTHING);
    }
    ready.add(replayed);
    do {
      // A portion of successors that went on meanwhile may have cancelled some more.
      found = find();
      holdBatches(found);
      holdCancelled(found);
    } while (holdWaking(found));
    List<UUID> back = new ArrayList<>(List.of(replayed));
    Woken woken = Woken.NOTHING;
    if (!lanes.isEmpty()) {
      List<Link> links = links();
      holdOthers(links, found.getFirst().tenant());
      Set<UUID> all = new Comeback(candidates(links), homes, failed::contains).with(replayed);
      all.stream().filter(lanes::containsKey).forEach(back::add);
      open.addAll(all);
      woken = write(back.subList(1, back.size()), links);
    }
    return new Revived(back, woken.andReady(ready));
  }

  private List<Found> find() throws SQLException {
    try (Call call = database.call(connection, "broken-by")) {
      List<Found> found = call.set("id", replayed)
          .list(row -> new Found(
              row.getObject("id", UUID.class),
              row.getObject("home", UUID.class),
              row.getBoolean("is_batch"),
              row.getString("tenant")));
      for (Found one : found) {
        if (one.home() != null) {
          homes.put(one.id(), one.home());
        }
      }
      return found;
    }
  }

  private void holdBatches(List<Found> found) throws SQLException {
    List<UUID> more = found.stream()
        .filter(one -> one.isBatch() && batches.add(one.id()))
        .map(Found::id)
        .toList();
    if (!more.isEmpty()) {
      try (Call call = database.call(connection, "hold-batches")) {
        call.set("ids", more).each(this::note);
      }
    }
  }

  /** Keeps others from telling more jobs that these have ended; false when nobody was about to. */
  private boolean holdWaking(List<Found> found) throws SQLException {
    try (Call call = database.call(connection, "hold-waking")) {
      return waking.addAll(call.set("ids", found.stream().map(Found::id).toList())
          .list(row -> row.getObject("predecessor", UUID.class)));
    }
  }

  /** Notes how one stands that is held now. */
  private void note(ResultSet row) throws SQLException {
    UUID id = row.getObject("held", UUID.class);
    int outcome = row.getInt("outcome");
    if (row.wasNull()) {
      open.add(id);
    } else if (States.state(outcome) != JobState.COMPLETED) {
      failed.add(id);
    }
  }

  private void holdCancelled(List<Found> found) throws SQLException {
    List<UUID> jobs = found.stream()
        .filter(one -> !one.isBatch() && !one.id().equals(replayed))
        .map(Found::id)
        .sorted(Uuid7.ORDER)
        .toList();
    if (!jobs.isEmpty()) {
      try (Call call = database.call(connection, "hold-cancelled")) {
        call.set("ids", jobs)
            .each(row -> lanes.put(row.getObject("id", UUID.class), row.getInt("lane")));
      }
      failed.addAll(lanes.keySet());
    }
  }

  private List<Link> links() throws SQLException {
    try (Call call = database.call(connection, "links-of")) {
      return call.set("ids", List.copyOf(lanes.keySet()))
          .list(row -> new Link(
              row.getObject("successor", UUID.class),
              row.getInt("place"),
              row.getObject("predecessor", UUID.class),
              row.getBoolean("broke")));
    }
  }

  private static Collection<Comeback.Cancelled> candidates(List<Link> links) {
    Map<UUID, Comeback.Cancelled> jobs = new HashMap<>();
    for (Link link : links) {
      Comeback.Cancelled job = jobs.computeIfAbsent(
          link.successor(), id -> new Comeback.Cancelled(id, new ArrayList<>(), new HashSet<>()));
      job.after().add(link.predecessor());
      if (link.broke()) {
        job.because().add(link.predecessor());
      }
    }
    return jobs.values();
  }

  /** Takes hold of those that the candidates wait for and that are none of them. */
  private void holdOthers(List<Link> links, String tenant) throws SQLException {
    Set<UUID> others = new HashSet<>();
    links.forEach(link -> others.add(link.predecessor()));
    others.remove(replayed);
    others.removeAll(failed);
    others.removeAll(open);
    if (!others.isEmpty()) {
      try (Call call = database.call(connection, "hold-predecessors")) {
        call.set("ids", List.copyOf(others)).set("tenant", tenant).each(row -> {
          note(row);
          if (row.getBoolean("ready")) {
            ready.add(row.getObject("held", UUID.class));
          }
        });
      }
    }
  }

  private Woken write(List<UUID> jobs, List<Link> links) throws SQLException {
    if (jobs.isEmpty()) {
      return Woken.NOTHING;
    }
    Set<UUID> back = Set.copyOf(jobs);
    List<Link> opened = links.stream()
        .filter(link -> back.contains(link.successor()) && open.contains(link.predecessor()))
        .toList();
    Map<UUID, Integer> missing = new HashMap<>();
    opened.forEach(link -> missing.merge(link.successor(), 1, Integer::sum));
    try (Call call = database.call(connection, "come-back")) {
      return call.set("ids", jobs)
          .column("lanes", "int4", jobs, lanes::get, Integer[]::new)
          .set("homes", "uuid", jobs.stream().map(homes::get).toArray(UUID[]::new))
          .column("missing", "int4", jobs, id -> missing.getOrDefault(id, 0), Integer[]::new)
          .set("successors", opened.stream().map(Link::successor).toList())
          .column("places", "int4", opened, Link::place, Integer[]::new)
          .one(Woken::read);
    }
  }
}
