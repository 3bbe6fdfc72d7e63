package io.sluice.postgres;

import io.sluice.When;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Moments and spans as PostgreSQL knows them: to the microsecond, and not beyond the year 9999. */
public final class Times {
  private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");
  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Duration LONGEST = Duration.ofDays(365_000);

  private Times() {}

  /** The time by the database's clock. */
  static Instant now(Database database) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "now")) {
        return call.one(row -> read(row, "now"));
      }
    });
  }

  static @Nullable OffsetDateTime offset(@Nullable Instant time) {
    return time == null ? null : OffsetDateTime.ofInstant(bounded(time), ZoneOffset.UTC);
  }

  static Instant bounded(Instant time) {
    if (time.isAfter(LATEST)) {
      return LATEST;
    }
    return time.isBefore(EARLIEST) ? EARLIEST : time.truncatedTo(ChronoUnit.MICROS);
  }

  static long micros(Duration span) {
    Duration kept = span.compareTo(LONGEST) > 0 ? LONGEST : span;
    kept = kept.compareTo(LONGEST.negated()) < 0 ? LONGEST.negated() : kept;
    return TimeUnit.SECONDS.toMicros(kept.getSeconds()) + kept.getNano() / 1000;
  }

  /** The delay in microseconds, of a moment that is told as one. */
  static @Nullable Long delay(When when) {
    return when instanceof When.In in ? micros(in.delay()) : null;
  }

  /** The moment, where it is told as one. */
  static @Nullable OffsetDateTime at(When when) {
    return when instanceof When.At at ? offset(at.time()) : null;
  }

  public static Instant read(ResultSet row, String column) throws SQLException {
    Instant time = readOrNull(row, column);
    if (time == null) {
      throw new SQLException("no value in " + column);
    }
    return time;
  }

  public static @Nullable Instant readOrNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
