package io.sluice.server.urlgroup;

import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.postgres.Times;
import io.sluice.server.rest.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where the health of groups is kept, for all instances: whose turn a check is, and what it found. */
public final class GroupHealth {
  static final String UNKNOWN = "unknown";
  static final String PASSING = "passing";
  static final String FAILING = "failing";

  private static final int CHECKS_KEPT = 10;
  /** Receivers that hang keep the checks of one tenant waiting, and not those of others. */
  static final int SHARE = 4;

  /**
   * One look at an endpoint.
   *
   * @param reason why it did not pass
   */
  record Check(
      Instant at,
      boolean passed,
      @Nullable Integer status,
      long durationMs,
      @Nullable String reason) {}

  /** How checks stand in their column. */
  private record Checks(List<Check> checks) {}

  /** The health of a group, with its last checks, the newest first. */
  record State(String state, Instant since, boolean holds, Instant dueAt, List<Check> checks) {}

  /** A check that is this instance's to make. */
  record Turn(UUID claim, UrlGroup group, String state, int inRow, List<Check> checks) {}

  private final Database database;
  private final UrlGroups groups;
  private final Json json;

  public GroupHealth(Database database, UrlGroups groups, Json json) {
    this.database = database;
    this.groups = groups;
    this.json = json;
  }

  /** Takes checks that are due, so that no tenant has more than its share under way on all instances. */
  List<Turn> claim(UUID claim, int limit) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "claim-health-checks")) {
        return call.set("claim", claim)
            .set("share", SHARE)
            .set("limit", limit)
            .list(row -> turn(claim, row));
      }
    });
  }

  private Turn turn(UUID claim, ResultSet row) throws SQLException {
    return new Turn(
        claim, groups.read(row), row.getString("health_state"), row.getInt("in_row"), checks(row));
  }

  private List<Check> checks(ResultSet row) throws SQLException {
    return json.read("{\"checks\":" + row.getString("checks") + "}", Checks.class)
        .checks();
  }

  /**
   * Says what a check found; empty when it is no longer this instance's to say.
   *
   * @param wait until the next one
   * @return the state from now on
   */
  Optional<String> report(Turn turn, HealthRules rules, Check check, Duration wait) {
    int inRow = check.passed ? Math.max(0, turn.inRow) + 1 : Math.min(0, turn.inRow) - 1;
    String state = rules.next(turn.state, inRow);
    List<Check> checks = new ArrayList<>(turn.checks);
    checks.addFirst(check);
    String kept = json.text(checks.subList(0, Math.min(CHECKS_KEPT, checks.size())));
    return database.run(connection -> {
      try (Call call = database.call(connection, "report-health-check")) {
        int said = call.set("id", turn.group.id())
            .set("claim", turn.claim)
            .set("state", state)
            .set("in_row", inRow)
            .set("checks", kept)
            .set("wait_ms", wait.toMillis())
            .update();
        return said > 0 ? Optional.of(state) : Optional.empty();
      }
    });
  }

  Optional<State> read(UUID group) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "read-health")) {
        return call
            .set("id", group)
            .list(row -> new State(
                row.getString("state"),
                Times.read(row, "since"),
                row.getBoolean("holds"),
                Times.read(row, "due_at"),
                checks(row)))
            .stream()
            .findFirst();
      }
    });
  }
}
