package io.sluice.crashtest;

import io.sluice.JacksonCodec;
import io.sluice.JobState;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the tables of the store as they are, past the store's own code. */
final class Rows {
  private static final Pattern FAILURE = Pattern.compile("run (\\S+) failed as told");

  private static final String ALL = """
      with place as (
        select id, 2 as state, attempt, turn, strikes, null::text as result, null::text as reason, 0 as ends
        from sluice.ready
        union all
        select id, kind, attempt, turn, strikes, null, null, 0 from sluice.later
        union all
        select id, 3, attempt, turn, strikes, null, null, 0 from sluice.running
        union all
        select id, state, attempt, turn, strikes, result #>> '{}', reason, 1 from sluice.done
      ),
      placed as (
        select id, count(*) as places, sum(ends) as ends, max(state) as state, max(attempt) as attempt,
          max(turn) as turn, max(strikes) as strikes, max(result) as result, max(reason) as reason
        from place group by id
      )
      select j.id, j.idempotency_key, j.payload::text as payload, coalesce(p.places, 0) as places,
        coalesce(p.ends, 0) as ends, p.state, p.attempt, p.turn, p.strikes, p.result, p.reason,
        array(select e.turn || ' ' || (e.error ->> 'attempt') || ' ' || (e.error ->> 'message')
          from sluice.job_error e where e.job = j.id order by e.turn) as errors
      from sluice.job j left join placed p on p.id = j.id
      where j.lane not in (select l.id from sluice.lane l where l.type = 'old')
      """;

  private static final List<JobState> BY_CODE = List.of(
      JobState.SCHEDULED,
      JobState.PENDING,
      JobState.RUNNING,
      JobState.RETRYING,
      JobState.COMPLETED,
      JobState.FAILED,
      JobState.DEAD,
      JobState.CANCELLED);

  private Rows() {}

  /** What a handler throws, so that the failure can be traced to its run. */
  static String failure(String run) {
    return "run " + run + " failed as told";
  }

  static List<Row> read(Connection connection) throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(ALL)) {
      while (result.next()) {
        rows.add(row(result));
      }
    }
    rows.sort(Comparator.comparing(Row::key));
    return rows;
  }

  private static Row row(ResultSet result) throws SQLException {
    int state = result.getInt("state");
    Row.Status status = new Row.Status(
        state == 0 ? null : BY_CODE.get(state - 1),
        result.getInt("attempt"),
        result.getInt("turn"),
        result.getInt("strikes"),
        result.getString("result"),
        result.getString("reason"));
    Work work = work(result.getString("payload"));
    String key = result.getString("idempotency_key");
    // A job of a batch has no key.
    String name = key == null && work != null ? work.key() : String.valueOf(key);
    return new Row(
        result.getObject("id", UUID.class),
        name,
        work,
        result.getInt("places"),
        result.getInt("ends"),
        status,
        failures(result.getArray("errors")));
  }

  private static @Nullable Work work(String payload) {
    Work work = new JacksonCodec().decode(payload, Work.class);
    return work != null && work.isIntact() ? work : null;
  }

  private static List<Row.Failure> failures(Array errors) throws SQLException {
    List<Row.Failure> failures = new ArrayList<>();
    for (String error : (String[]) errors.getArray()) {
      String[] parts = error.split(" ", 3);
      Matcher run = FAILURE.matcher(parts[2]);
      failures.add(new Row.Failure(
          Integer.parseInt(parts[0]),
          Integer.parseInt(parts[1]),
          run.find() ? run.group(1) : null));
    }
    return failures;
  }
}
