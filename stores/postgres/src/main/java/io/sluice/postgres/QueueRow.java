package io.sluice.postgres;

import io.sluice.Marks;
import io.sluice.Ordering;
import io.sluice.Priority;
import io.sluice.QueueSettings;
import io.sluice.Retention;
import io.sluice.store.Documents;
import io.sluice.store.QueueRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A queue with the number that the tables know it by. */
record QueueRow(int id, QueueRecord queue) {
  static QueueRow read(ResultSet row) throws SQLException {
    QueueRecord queue = new QueueRecord(
        row.getObject("uid", UUID.class),
        settings(row),
        Times.read(row, "created_at"),
        Times.read(row, "updated_at"));
    return new QueueRow(row.getInt("id"), queue);
  }

  private static QueueSettings settings(ResultSet row) throws SQLException {
    String retry = row.getString("retry");
    return new QueueSettings(
        row.getString("tenant"),
        row.getString("name"),
        row.getBoolean("paused"),
        new Priority(row.getInt("priority")),
        row.getObject("max_concurrent", Integer.class),
        row.getObject("max_size", Long.class),
        LimitRow.rate(row),
        Ordering.valueOf(row.getString("ordered")),
        Taken.millis(row, "timeout_ms"),
        retry == null ? null : Documents.retryPolicy(retry),
        row.getBoolean("dead_letter"),
        new Retention(
            Duration.ofMillis(row.getLong("keep_completed_ms")),
            Duration.ofMillis(row.getLong("keep_dead_ms"))),
        row.getString("url_group"),
        marks(row));
  }

  static @Nullable Marks marks(ResultSet row) throws SQLException {
    Double warning = row.getObject("warning_level", Double.class);
    Double high = row.getObject("high_level", Double.class);
    return warning == null || high == null ? null : new Marks(warning, high);
  }

  static Call write(Call call, @Nullable Marks marks) throws SQLException {
    return call.setOrNull("warning", marks == null ? null : (Double) marks.warning())
        .setOrNull("high", marks == null ? null : (Double) marks.high());
  }

  static Call write(Call call, QueueSettings settings) throws SQLException {
    var retry = settings.retry();
    return write(LimitRow.write(call, settings.rateLimit()), settings.levels())
        .set("tenant", settings.tenant())
        .set("name", settings.name())
        .set("paused", settings.paused())
        .set("priority", settings.priority().value())
        .setOrNull("max_concurrent", settings.maxConcurrent())
        .setOrNull("max_size", settings.maxSize())
        .set("ordered", settings.ordered().name())
        .setOrNull("timeout", millis(settings.timeout()))
        .set("retry", retry == null ? null : Documents.of(retry))
        .set("dead_letter", settings.deadLetter())
        .set("completed", settings.retention().completed().toMillis())
        .set("dead", settings.retention().dead().toMillis())
        .set("url_group", settings.urlGroup());
  }

  private static @Nullable Long millis(@Nullable Duration span) {
    return span == null ? null : span.toMillis();
  }
}
