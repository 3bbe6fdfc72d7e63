package io.sluice.postgres;

import io.sluice.JobSpec;
import io.sluice.Metadata;
import io.sluice.Priority;
import io.sluice.Ties;
import io.sluice.postgres.LowWater.Place;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Documents;
import io.sluice.store.Strikes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A job as the claim statement answers it. */
record Taken(
    ClaimRef ref,
    int lane,
    JobSpec spec,
    Instant createdAt,
    Instant claimedAt,
    int attempt,
    Strikes strikes,
    @Nullable Instant leaseUntil) {
  Place place() {
    return new Place(lane, spec.priority().value());
  }

  ClaimedJob in(Map<Integer, Catalog.KnownLane> lanes) {
    return new ClaimedJob(
        ref, Catalog.laneOf(lanes, lane), spec, createdAt, claimedAt, attempt, strikes, leaseUntil);
  }

  /** Reads the rows of one statement, whose jobs were all claimed at the same moment. */
  static final class Rows {
    private @Nullable Instant moment;

    Taken read(ResultSet row) throws SQLException {
      if (moment == null) {
        moment = Times.read(row, "claimed_at");
      }
      return Taken.read(row, moment);
    }
  }

  static Taken read(ResultSet row) throws SQLException {
    return read(row, Times.read(row, "claimed_at"));
  }

  private static Taken read(ResultSet row, Instant claimedAt) throws SQLException {
    return new Taken(
        ref(row),
        row.getInt("lane"),
        spec(row),
        Times.read(row, "created_at"),
        claimedAt,
        row.getInt("attempt"),
        new Strikes(row.getInt("strikes"), row.getInt("suspect")),
        Times.readOrNull(row, "lease_until"));
  }

  /** The token of a claim, of the columns that every statement has for it. */
  static ClaimRef ref(ResultSet row) throws SQLException {
    return new ClaimRef(row.getObject("id", UUID.class), row.getInt("turn"), row.getLong("worker"));
  }

  static JobSpec spec(ResultSet row) throws SQLException {
    String metadata = row.getString("metadata");
    String retry = row.getString("retry");
    return new JobSpec(
        row.getString("payload"),
        new Priority(row.getInt("priority")),
        retry == null ? null : Documents.retryPolicy(retry),
        millis(row, "timeout_ms"),
        row.getString("idempotency_key"),
        Times.readOrNull(row, "expires_at"),
        metadata == null ? Metadata.NONE : Documents.metadata(metadata),
        Math.max(1, row.getInt("cost")),
        ties(row));
  }

  private static Ties ties(ResultSet row) throws SQLException {
    UUID batch = row.getObject("batch", UUID.class);
    String after = row.getString("after");
    if (after != null) {
      return Documents.ties(after, batch);
    }
    return batch == null ? Ties.NONE : Ties.NONE.in(batch);
  }

  static @Nullable Duration millis(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : Duration.ofMillis(value);
  }
}
