package io.sluice.postgres;

import io.sluice.BatchCounts;
import io.sluice.BatchRecord;
import io.sluice.BatchStarted;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.store.ClaimRef;
import io.sluice.store.NewBatch;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of batches: who makes or adds to one holds it, and the claim by which that is done. */
final class BatchRows {
  private static final int TRIES = 20;

  private record Known(UUID id, @Nullable UUID callback, boolean expired) {}

  private record Standing(String tenant, boolean open) {}

  /** A claim, with the batch that its job is in. */
  private record Claimed(@Nullable UUID batch) {}

  private final Database database;

  BatchRows(Database database) {
    this.database = database;
  }

  /** Makes a batch without members as yet, or answers with the one that has its key. */
  Optional<BatchStarted> make(Connection connection, NewBatch batch) throws SQLException {
    UUID parent = batch.parent();
    if (parent != null) {
      hold(connection, parent, batch.tenant(), batch.by());
      grow(connection, parent);
    } else if (batch.by() != null) {
      claim(connection, batch.by());
    }
    for (int tries = 0; tries < TRIES; tries++) {
      if (insert(connection, batch)) {
        return Optional.empty();
      }
      Known known = known(connection, batch);
      if (known != null && !known.expired()) {
        return Optional.of(new BatchStarted(known.id(), true, known.callback(), List.of()));
      }
      if (known != null) {
        freeKey(connection, known.id());
      }
    }
    throw new SQLException("the key of a batch changes too fast", "40001");
  }

  private boolean insert(Connection connection, NewBatch batch) throws SQLException {
    var callback = batch.callback();
    try (Call call = database.call(connection, "insert-batch")) {
      return !call.set("id", batch.id())
          .set("tenant", batch.tenant())
          .set("name", batch.name())
          .setOrNull("parent", batch.parent())
          .setOrNull("callback", callback == null ? null : callback.id())
          .set("key", batch.idempotencyKey())
          .set("keep", Times.micros(batch.keepFor()))
          .set("open", batch.open())
          .list(row -> row.getObject("id"))
          .isEmpty();
    }
  }

  private @Nullable Known known(Connection connection, NewBatch batch) throws SQLException {
    try (Call call = database.call(connection, "batch-of-key")) {
      List<Known> found = call.set("tenant", batch.tenant())
          .set("key", batch.idempotencyKey())
          .list(row -> new Known(
              row.getObject("id", UUID.class),
              row.getObject("callback", UUID.class),
              row.getBoolean("expired")));
      return found.isEmpty() ? null : found.getFirst();
    }
  }

  private void freeKey(Connection connection, UUID batch) throws SQLException {
    try (Call call = database.call(connection, "free-batch-key")) {
      call.set("id", batch).update();
    }
  }

  /**
   * Takes hold of a batch that is to get more members: one that is open, or that of the job by which they
   * come. Held until they are written: neither the batch nor that claim ends before.
   */
  void hold(Connection connection, UUID batch, String tenant, @Nullable ClaimRef by)
      throws SQLException {
    Standing standing = hold(connection, batch);
    if (standing == null || !standing.tenant().equals(tenant)) {
      throw new SluiceException(ErrorCode.NOT_FOUND, "tenant " + tenant + " has no batch " + batch);
    }
    if (by != null) {
      if (!batch.equals(claim(connection, by).batch())) {
        throw new SluiceException(
            ErrorCode.LEASE_LOST, "job " + by.job() + " is not of batch " + batch);
      }
    } else if (!standing.open()) {
      throw new SluiceException(
          ErrorCode.CONFLICT,
          "batch " + batch + " is closed: only its own running jobs may add to it");
    }
  }

  private void grow(Connection connection, UUID batch) throws SQLException {
    try (Call call = database.call(connection, "grow-batch")) {
      call.set("id", batch).set("members", 1L).update();
    }
  }

  private @Nullable Standing hold(Connection connection, UUID batch) throws SQLException {
    try (Call call = database.call(connection, "hold-batch")) {
      List<Standing> found = call.set("id", batch)
          .list(row -> new Standing(row.getString("tenant"), row.getBoolean("open")));
      return found.isEmpty() ? null : found.getFirst();
    }
  }

  private Claimed claim(Connection connection, ClaimRef by) throws SQLException {
    try (Call call = database.call(connection, "hold-claim")) {
      List<Claimed> found = call.set("id", by.job())
          .set("turn", by.turn())
          .set("worker", by.worker())
          .list(row -> new Claimed(row.getObject("batch", UUID.class)));
      if (found.isEmpty()) {
        throw new SluiceException(
            ErrorCode.LEASE_LOST, "the claim on job " + by.job() + " is over");
      }
      return found.getFirst();
    }
  }

  boolean close(UUID batch) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "close-batch")) {
        return call.set("id", batch).update() == 1;
      }
    });
  }

  /** Closes a batch and those in it, and returns those that were open. */
  Set<UUID> closeAll(UUID batch) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "close-batches")) {
        return Set.copyOf(call.set("id", batch).list(row -> row.getObject("id", UUID.class)));
      }
    });
  }

  Optional<BatchRecord> find(UUID batch) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "find-batch")) {
        return call.set("id", batch).list(BatchRows::read).stream().findFirst();
      }
    });
  }

  List<BatchRecord> list(String tenant, @Nullable UUID before, int limit) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "list-batches")) {
        return call.set("tenant", tenant)
            .setOrNull("before", before)
            .set("limit", limit)
            .list(BatchRows::read);
      }
    });
  }

  List<UUID> unfinished(UUID batch, int max) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "unfinished")) {
        return call.set("id", batch).set("max", max).list(row -> row.getObject("id", UUID.class));
      }
    });
  }

  private static BatchRecord read(ResultSet row) throws SQLException {
    return new BatchRecord(
        row.getObject("id", UUID.class),
        row.getString("tenant"),
        row.getString("name"),
        row.getObject("parent", UUID.class),
        row.getObject("callback", UUID.class),
        counts(row),
        row.getBoolean("open"),
        Times.read(row, "created_at"),
        Times.readOrNull(row, "ended_at"));
  }

  static BatchCounts counts(ResultSet row) throws SQLException {
    return new BatchCounts(
        row.getLong("total"),
        row.getLong("completed"),
        row.getLong("failed"),
        row.getLong("cancelled"));
  }
}
