package io.sluice.postgres;

import io.sluice.JobState;
import io.sluice.store.Count;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs there are. What is not over is counted. Of finished jobs no more than a certain number is
 * read, however many are kept: where there are more, those that did not complete are still counted as long as
 * they are few, and what remains is estimated from a sample of the blocks they are in, which is always the same.
 */
final class StoreFigures {
  private static final Comparator<Count> ORDER = Comparator.comparing(Count::tenant)
      .thenComparing(Count::queue)
      .thenComparing(Count::type)
      .thenComparing(Count::state);
  private static final Set<JobState> FINISHED =
      EnumSet.allOf(JobState.class).stream().filter(JobState::isFinal).collect(Collectors.toSet());

  private final Database database;
  private final long mostBlocks;
  private final long mostCounted;

  StoreFigures(Database database) {
    this(database, 4_096, 100_000);
  }

  /** Counts all outcomes in up to {@code mostBlocks} blocks, and those of one kind up to {@code mostCounted}. */
  StoreFigures(Database database, long mostBlocks, long mostCounted) {
    this.database = database;
    this.mostBlocks = mostBlocks;
    this.mostCounted = mostCounted;
  }

  List<Count> unfinished(@Nullable String tenant) {
    return sorted(reading(tenant, connection -> unfinished(connection, tenant)));
  }

  List<Count> counts(@Nullable String tenant) {
    return reading(tenant, connection -> {
      List<Count> counts = new ArrayList<>(unfinished(connection, tenant));
      counts.addAll(finished(connection, tenant));
      return sorted(counts);
    });
  }

  /** What is read of one tenant goes by its lanes, whatever the statistics say of the tables. */
  private <T> T reading(@Nullable String tenant, Database.Work<T> work) {
    return tenant == null
        ? database.run(work)
        : database.transact(connection -> {
          try (Call call = database.call(connection, "plan-for-figures")) {
            call.execute();
          }
          return work.on(connection);
        });
  }

  private static List<Count> sorted(List<Count> counts) {
    return counts.stream().sorted(ORDER).toList();
  }

  private List<Count> unfinished(Connection connection, @Nullable String tenant)
      throws SQLException {
    String query = tenant == null ? "count-unfinished" : "count-unfinished-of-tenant";
    try (Call call = database.call(connection, query)) {
      return (tenant == null ? call : call.set("tenant", tenant)).list(StoreFigures::read);
    }
  }

  private List<Count> finished(Connection connection, @Nullable String tenant) throws SQLException {
    long blocks = blocks(connection);
    if (blocks <= mostBlocks) {
      return sample(connection, tenant, 100, FINISHED);
    }
    if (tenant != null) {
      List<Count> own = few(connection, "count-outcomes-of-tenant", tenant);
      if (sum(own) < mostCounted) {
        return own;
      }
    }
    List<Count> rare = few(connection, "count-not-completed", null);
    boolean areFew = sum(rare) < mostCounted;
    Set<JobState> rest = areFew ? Set.of(JobState.COMPLETED) : FINISHED;
    List<Count> counts = new ArrayList<>(sample(connection, tenant, percent(blocks), rest));
    if (areFew) {
      rare.stream()
          .filter(count -> tenant == null || count.tenant().equals(tenant))
          .forEach(counts::add);
    }
    return counts;
  }

  /** Halved as often as it takes: so the sample stays the same while little is added. */
  private double percent(long blocks) {
    double percent = 100;
    for (long left = blocks; left > mostBlocks; left /= 2) {
      percent /= 2;
    }
    return percent;
  }

  private long blocks(Connection connection) throws SQLException {
    try (Call call = database.call(connection, "blocks-of-outcomes")) {
      return call.set("schema", database.sql().schema()).one(row -> row.getLong("blocks"));
    }
  }

  private List<Count> sample(
      Connection connection, @Nullable String tenant, double percent, Set<JobState> states)
      throws SQLException {
    try (Call call = database.call(connection, "count-sample").plannedAnew()) {
      return call.set("tenant", tenant)
          .setOrNull("percent", (Double) percent)
          .set("states", "int2", States.codes(states))
          .list(StoreFigures::read);
    }
  }

  private List<Count> few(Connection connection, String query, @Nullable String tenant)
      throws SQLException {
    try (Call call = database.call(connection, query).plannedAnew()) {
      if (tenant != null) {
        call.set("tenant", tenant);
      }
      return call.set("most", mostCounted).list(StoreFigures::read);
    }
  }

  private static long sum(List<Count> counts) {
    return counts.stream().mapToLong(Count::jobs).sum();
  }

  private static Count read(ResultSet row) throws SQLException {
    return new Count(
        row.getString("tenant"),
        row.getString("queue"),
        row.getString("type"),
        States.state(row.getInt("state")),
        row.getLong("jobs"));
  }

  Optional<Instant> oldestReady(@Nullable String tenant) {
    String query = tenant == null ? "oldest-ready" : "oldest-ready-of-tenant";
    return reading(tenant, connection -> {
      try (Call call = database.call(connection, query)) {
        return (tenant == null ? call : call.set("tenant", tenant))
            .one(row -> Optional.ofNullable(Times.readOrNull(row, "oldest")));
      }
    });
  }

  /** How many are dead, counted no further than this. */
  long deadLetters(long most) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "count-dead")) {
        return call.set("most", most).one(row -> row.getLong("jobs"));
      }
    });
  }
}
