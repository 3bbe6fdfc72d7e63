package io.sluice.postgres;

import io.sluice.Detail;
import io.sluice.JobError;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.JobStatus;
import io.sluice.Page;
import io.sluice.PageSize;
import io.sluice.Progress;
import io.sluice.SluiceException;
import io.sluice.store.Documents;
import io.sluice.store.ReasonCount;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** What people look at: jobs one by one and in pages. */
final class Reader {
  /** With more lanes than this, their jobs are first sought among the newest of all. */
  private static final int MANY_LANES = 200;

  private static final int MOST_SEEN = 5_000;

  private record Found(UUID id, int shelf) {}

  private final Database database;
  private final Searches searches;

  Reader(Database database, Searches searches) {
    this.database = database;
    this.searches = searches;
  }

  Optional<JobRecord> find(UUID job, Detail detail) {
    boolean whole = detail == Detail.FULL;
    return database.run(connection -> {
      try (Call call = database.call(connection, whole ? "find" : "find-summary")) {
        if (!whole) {
          call.set("calls", detail == Detail.SUMMARY);
        }
        return call.set("id", job).list(Reader::read).stream().findFirst();
      }
    });
  }

  Page<JobRecord> page(JobFilter filter, @Nullable String cursor, PageSize size) {
    UUID before = cursor == null ? null : idOf(cursor);
    return reading(filter, connection -> {
      Integer[] lanes = lanes(connection, filter);
      if (lanes != null && lanes.length == 0) {
        return new Page<>(List.of(), null);
      }
      try (Call call = database.call(connection, "plan-for-lists")) {
        call.execute();
      }
      List<Found> found = ids(connection, filter, lanes, before, size.jobs() + 1);
      boolean more = found.size() > size.jobs();
      List<Found> wanted = more ? found.subList(0, size.jobs()) : found;
      return size.detail() == Detail.FULL
          ? whole(connection, wanted, more, size.bytes())
          : summaries(connection, wanted, more, size);
    });
  }

  /** Whole jobs: how large they are is looked at first, so that no more are read than the page may have. */
  private Page<JobRecord> whole(Connection connection, List<Found> wanted, boolean more, long bytes)
      throws SQLException {
    List<Found> shown =
        bytes == Long.MAX_VALUE ? wanted : wanted.subList(0, fitting(connection, wanted, bytes));
    boolean goesOn = more || shown.size() < wanted.size();
    String next = goesOn && !shown.isEmpty() ? shown.getLast().id().toString() : null;
    try (Call call = database.call(connection, "find-all")) {
      return new Page<>(about(call, shown).list(Reader::read), next);
    }
  }

  private int fitting(Connection connection, List<Found> wanted, long bytes) throws SQLException {
    try (Call call = database.call(connection, "fitting")) {
      return about(call, wanted).set("bytes", bytes).one(row -> row.getInt("jobs"));
    }
  }

  /** Summaries, which the statement itself stops at this many bytes. */
  private Page<JobRecord> summaries(
      Connection connection, List<Found> wanted, boolean more, PageSize size) throws SQLException {
    List<JobRecord> shown;
    try (Call call = database.call(connection, "find-summaries")) {
      shown = about(call, wanted)
          .set("bytes", size.bytes())
          .set("calls", size.detail() == Detail.SUMMARY)
          .list(Reader::read);
    }
    if (wanted.isEmpty() || shown.isEmpty()) {
      return new Page<>(shown, more ? wanted.getLast().id().toString() : null);
    }
    UUID last = shown.getLast().id();
    boolean goesOn = more || !last.equals(wanted.getLast().id());
    return new Page<>(shown, goesOn ? last.toString() : null);
  }

  /** One transaction; a filter for which the jobs themselves must be looked at makes it a search. */
  private <T> T reading(JobFilter filter, Database.Work<T> work) {
    return narrowsFurther(filter)
        ? searches.run(
            filter, () -> database.transact(connection -> search(connection, filter, work)))
        : database.transact(work);
  }

  private <T> T search(Connection connection, JobFilter filter, Database.Work<T> work)
      throws SQLException {
    try (Call call = database.call(connection, "take-time")) {
      call.set("millis", (int) searches.longest().toMillis()).execute();
    }
    try {
      return work.on(connection);
    } catch (SQLException e) {
      if (Failures.isOutOfTime(e)) {
        throw searches.tookTooLong(filter);
      }
      throw e;
    }
  }

  private static UUID idOf(String cursor) {
    try {
      return UUID.fromString(cursor);
    } catch (IllegalArgumentException e) {
      throw SluiceException.invalid("cursor", "is not one that a page gave");
    }
  }

  private List<Found> ids(
      Connection connection,
      JobFilter filter,
      Integer @Nullable [] lanes,
      @Nullable UUID before,
      int limit)
      throws SQLException {
    String query = statement(filter, lanes != null);
    if (lanes != null && lanes.length > MANY_LANES && query.equals("page-of-lanes")) {
      Optional<List<Found>> newest = newest(connection, filter, lanes, before, limit);
      if (newest.isPresent()) {
        return newest.get();
      }
    }
    try (Call call = database.call(connection, query).plannedAnew()) {
      set(call, query, filter, lanes);
      return call.setOrNull("before", before)
          .set("limit", limit)
          .list(row -> new Found(row.getObject("id", UUID.class), row.getInt("shelf")));
    }
  }

  /** A page that the newest jobs of all fill, or that has all there is; empty when they do not reach. */
  private Optional<List<Found>> newest(
      Connection connection, JobFilter filter, Integer[] lanes, @Nullable UUID before, int limit)
      throws SQLException {
    Set<JobState> states = filter.states();
    boolean completed = states.isEmpty() || states.contains(JobState.COMPLETED);
    boolean failed = !completed && states.stream().allMatch(JobState::isFinal);
    if (!completed && !failed) {
      return Optional.empty();
    }
    String query = failed ? "page-of-newest-failures" : "page-of-newest";
    List<Found> found = new ArrayList<>();
    AtomicBoolean more = new AtomicBoolean();
    try (Call call = database.call(connection, query).plannedAnew()) {
      set(call, query, filter, lanes);
      call.set("lanes", "int4", lanes)
          .setOrNull("before", before)
          .set("limit", limit)
          .set("seen", MOST_SEEN)
          .each(row -> {
            more.set(row.getBoolean("more"));
            UUID id = row.getObject("id", UUID.class);
            if (id != null) {
              found.add(new Found(id, row.getInt("shelf")));
            }
          });
    }
    return found.size() == limit || !more.get() ? Optional.of(found) : Optional.empty();
  }

  /** Sets what a statement that finds jobs wants to know of the filter. */
  static void set(Call call, String query, JobFilter filter, Integer @Nullable [] lanes)
      throws SQLException {
    narrow(call, filter);
    switch (query) {
      case "page-by-batch" ->
        call.setOrNull("batch", filter.batch())
            .set("key", filter.idempotencyKey())
            .set("lanes", "int4", lanes);
      case "page-by-key" -> call.set("key", filter.idempotencyKey()).set("lanes", "int4", lanes);
      case "page-of-lanes" -> call.set("lanes", "int4", lanes).set("all", narrowsFurther(filter));
      case "page-by-state" -> call.set("all", narrowsFurther(filter));
      default -> {
        // The others ask for nothing more.
      }
    }
    Set<JobState> states =
        filter.states().isEmpty() ? EnumSet.allOf(JobState.class) : filter.states();
    call.set("states", "int2", States.codes(states));
  }

  /** A batch or a key leads the way, else the lanes where they are named, else the ids or the states. */
  static String statement(JobFilter filter, boolean ofLanes) {
    if (filter.batch() != null) {
      return "page-by-batch";
    }
    if (filter.idempotencyKey() != null) {
      return "page-by-key";
    }
    if (ofLanes) {
      return "page-of-lanes";
    }
    boolean completed = filter.states().isEmpty() || filter.states().contains(JobState.COMPLETED);
    return completed ? "page" : "page-by-state";
  }

  /** True when a job of the right lane and state may still not fit. */
  private static boolean narrowsFurther(JobFilter filter) {
    return filter.from() != null
        || filter.to() != null
        || !filter.metadata().isEmpty()
        || filter.text() != null;
  }

  private static Call about(Call call, List<Found> found) throws SQLException {
    return call.set("ids", found.stream().map(Found::id).toList())
        .set("shelves", "int4", found.stream().map(Found::shelf).toArray(Integer[]::new));
  }

  /** The lanes that a filter names; null when it names none. */
  private Integer @Nullable [] lanes(Connection connection, JobFilter filter) throws SQLException {
    if (filter.tenant() == null
        && filter.queue() == null
        && filter.type() == null
        && filter.urlGroup() == null
        && filter.limitKey() == null) {
      return null;
    }
    try (Call call = database.call(connection, "lanes-of")) {
      return call.set("tenant", filter.tenant())
          .set("queue", filter.queue())
          .set("type", filter.type())
          .set("url_group", filter.urlGroup())
          .set("limit_key", filter.limitKey())
          .list(row -> row.getInt("id"))
          .toArray(Integer[]::new);
    }
  }

  private static Call narrow(Call call, JobFilter filter) throws SQLException {
    List<Map.Entry<String, String>> metadata = List.copyOf(filter.metadata().entrySet());
    return call.set("from", filter.from())
        .set("to", filter.to())
        .set("names", "text", metadata.stream().map(Map.Entry::getKey).toArray(String[]::new))
        .set("values", "text", metadata.stream().map(Map.Entry::getValue).toArray(String[]::new))
        .set("text", filter.text())
        .set("escaped", filter.escapedText());
  }

  List<ReasonCount> deadReasons(JobFilter filter) {
    return reading(filter, connection -> {
      Integer[] lanes = lanes(connection, filter);
      try (Call call = database.call(connection, "dead-reasons").plannedAnew()) {
        return narrow(call, filter)
            .set("lanes", "int4", lanes)
            .set("key", filter.idempotencyKey())
            .setOrNull("batch", filter.batch())
            .list(row -> new ReasonCount(row.getString("reason"), row.getLong("jobs")));
      }
    });
  }

  private static JobRecord read(ResultSet row) throws SQLException {
    Instant created = Times.read(row, "created_at");
    JobStatus status = status(row);
    return new JobRecord(
        row.getObject("id", UUID.class),
        Catalog.laneOf(row),
        Taken.spec(row),
        created,
        updatedAt(created, status),
        status);
  }

  /** When the job last moved, by the latest time that is kept of it. */
  private static Instant updatedAt(Instant created, JobStatus status) {
    Instant latest = created;
    for (JobError error : status.errors()) {
      latest = later(latest, error.at());
    }
    return later(later(latest, status.startedAt()), status.finishedAt());
  }

  private static Instant later(Instant time, @Nullable Instant other) {
    return other != null && other.isAfter(time) ? other : time;
  }

  private static JobStatus status(ResultSet row) throws SQLException {
    JobState state = States.state(row.getInt("state"));
    return new JobStatus(
        state,
        row.getInt("attempt"),
        row.getInt("strikes"),
        row.getInt("replays"),
        Times.readOrNull(row, "run_at"),
        Times.readOrNull(row, "started_at"),
        Times.readOrNull(row, "finished_at"),
        Times.readOrNull(row, "lease_until"),
        row.getString("worker_name"),
        row.getString("result"),
        row.getString("reason"),
        errors(row),
        progress(row));
  }

  private static List<JobError> errors(ResultSet row) throws SQLException {
    List<JobError> errors = new ArrayList<>();
    for (String error : (String[]) row.getArray("errors").getArray()) {
      errors.add(Documents.error(error));
    }
    return errors;
  }

  private static @Nullable Progress progress(ResultSet row) throws SQLException {
    Instant at = Times.readOrNull(row, "progress_at");
    return at == null ? null : new Progress(row.getInt("percent"), row.getString("message"), at);
  }
}
