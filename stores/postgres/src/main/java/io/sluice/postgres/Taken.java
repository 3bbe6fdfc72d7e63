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
import io.sluice.store.Summaries;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A job as the claim statement answers it; {@code whole} unless its payload is large and not read yet. */
record Taken(
    ClaimRef ref,
    int lane,
    JobSpec spec,
    boolean whole,
    Instant createdAt,
    Instant claimedAt,
    int attempt,
    Strikes strikes,
    @Nullable Instant leaseUntil) {
  Place place() {
    return new Place(lane, spec.priority().value());
  }

  Taken withPayload(String payload) {
    return new Taken(
        ref,
        lane,
        spec.withPayload(payload),
        true,
        createdAt,
        claimedAt,
        attempt,
        strikes,
        leaseUntil);
  }

  ClaimedJob in(Map<Integer, Catalog.KnownLane> lanes) {
    return new ClaimedJob(
        ref, Catalog.laneOf(lanes, lane), spec, createdAt, claimedAt, attempt, strikes, leaseUntil);
  }

  /** Reads the rows of one claim, whose jobs are all taken at one moment, by one worker and for one lease. */
  static final class Rows {
    private final long worker;
    private final @Nullable Duration lease;
    private @Nullable Instant claimedAt;
    private @Nullable Instant leaseUntil;

    Rows(long worker, @Nullable Duration lease) {
      this.worker = worker;
      this.lease = lease;
    }

    Taken read(ResultSet row) throws SQLException {
      if (claimedAt == null) {
        claimedAt = Times.read(row, "claimed_at");
        leaseUntil = lease == null ? null : claimedAt.plus(Times.micros(lease), ChronoUnit.MICROS);
      }
      ClaimRef ref = new ClaimRef(row.getObject("id", UUID.class), row.getInt("turn"), worker);
      return Taken.read(row, ref, claimedAt, leaseUntil);
    }
  }

  static Taken read(ResultSet row) throws SQLException {
    return read(row, ref(row), Times.read(row, "claimed_at"), Times.readOrNull(row, "lease_until"));
  }

  private static Taken read(
      ResultSet row, ClaimRef ref, Instant claimedAt, @Nullable Instant leaseUntil)
      throws SQLException {
    return new Taken(
        ref,
        row.getInt("lane"),
        spec(row),
        row.getString("payload") != null,
        Times.read(row, "created_at"),
        claimedAt,
        row.getInt("attempt"),
        new Strikes(row.getInt("strikes"), row.getInt("suspect")),
        leaseUntil);
  }

  /** The token of a claim, of the columns that statements have for it. */
  static ClaimRef ref(ResultSet row) throws SQLException {
    return new ClaimRef(row.getObject("id", UUID.class), row.getInt("turn"), row.getLong("worker"));
  }

  static JobSpec spec(ResultSet row) throws SQLException {
    String metadata = row.getString("metadata");
    String retry = row.getString("retry");
    String payload = row.getString("payload");
    return new JobSpec(
        payload == null ? Summaries.NO_PAYLOAD : payload,
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
