package io.sluice.server.audit;

import io.sluice.Page;
import io.sluice.Uuid7;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.postgres.Times;
import io.sluice.server.access.Caller;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The audit log in the database. Lines are added to it; the database refuses to change or drop one. */
public final class AuditLog implements Audit {
  private static final int LONGEST = 512;
  private static final int LONGEST_DETAILS = 4_000;

  /** Which lines to show; what is null does not narrow. */
  record Filter(
      @Nullable String tenant,
      @Nullable String actor,
      @Nullable String action,
      @Nullable Instant from,
      @Nullable Instant to) {}

  private final Database database;
  private final Uuid7 ids;
  private final InstantSource clock;

  public AuditLog(Database database, Uuid7 ids, InstantSource clock) {
    this.database = database;
    this.ids = ids;
    this.clock = clock;
  }

  @Override
  public void write(AuditLine line) {
    write(line.caller(), line.tenant(), line.action(), line.object(), line.details());
  }

  @Override
  public void write(Connection connection, AuditLine line) throws SQLException {
    write(
        connection,
        entry(line.caller(), line.tenant(), line.action(), line.object(), line.details()));
  }

  /** As the other, with what else is worth knowing, and no secret in it. */
  public void write(
      Caller caller, String tenant, String action, String object, @Nullable String details) {
    database.run(connection -> {
      write(connection, entry(caller, tenant, action, object, details));
      return true;
    });
  }

  /** The line that says so, for {@link #write(Connection, AuditEntry)}. */
  public AuditEntry entry(
      Caller caller, String tenant, String action, String object, @Nullable String details) {
    return new AuditEntry(
        ids.next(),
        clock.instant(),
        tenant,
        shortened(caller.id(), LONGEST),
        caller.role().label(),
        action,
        shortened(object, LONGEST),
        details == null ? null : shortened(details, LONGEST_DETAILS));
  }

  /** Writes a line in the transaction of what it tells of, so that there is never one without the other. */
  public void write(Connection connection, AuditEntry entry) throws SQLException {
    try (Call call = database.call(connection, "write-audit")) {
      call.set("id", entry.id())
          .set("at", entry.at())
          .set("tenant", entry.tenant())
          .set("actor", entry.actor())
          .set("role", entry.role())
          .set("action", entry.action())
          .set("object", entry.object())
          .set("details", entry.details())
          .update();
    }
  }

  private static String shortened(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest) + "…";
  }

  /** Lines that fit, newest first, from the one after the given. */
  Page<AuditEntry> page(Filter filter, @Nullable UUID before, int limit) {
    List<AuditEntry> found = database.run(connection -> {
      try (Call call = database.call(connection, "read-audit")) {
        return call.plannedAnew()
            .set("tenant", filter.tenant)
            .set("actor", filter.actor)
            .set("action", filter.action)
            .set("from", filter.from)
            .set("to", filter.to)
            .setOrNull("before", before)
            .set("limit", limit + 1)
            .list(AuditLog::read);
      }
    });
    List<AuditEntry> shown = found.subList(0, Math.min(limit, found.size()));
    return new Page<>(shown, found.size() > limit ? shown.getLast().id().toString() : null);
  }

  private static AuditEntry read(ResultSet row) throws SQLException {
    return new AuditEntry(
        row.getObject("id", UUID.class),
        Times.read(row, "at"),
        row.getString("tenant"),
        row.getString("actor"),
        row.getString("role"),
        row.getString("action"),
        row.getString("object"),
        row.getString("details"));
  }
}
