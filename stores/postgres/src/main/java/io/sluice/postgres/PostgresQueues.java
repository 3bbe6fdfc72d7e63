package io.sluice.postgres;

import io.sluice.Defaults;
import io.sluice.ErrorCode;
import io.sluice.Names;
import io.sluice.QueueSettings;
import io.sluice.SluiceException;
import io.sluice.store.QueueLoad;
import io.sluice.store.QueueRecord;
import io.sluice.store.QueueSize;
import io.sluice.store.Queues;
import io.sluice.store.TenantCap;
import io.sluice.store.TenantSize;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Queues, the counters of those that are capped, and the marks of those that are limited. */
final class PostgresQueues implements Queues {
  private static final int TRIES = 5;

  /** What was counted of a queue before a change of it. */
  private record Before(boolean counted, boolean limited) {}

  private final Database database;
  private final TenantCaps caps;
  private final Catalog catalog;
  private final Runnable changed;

  PostgresQueues(Database database, Catalog catalog, Runnable changed) {
    this.database = database;
    this.caps = new TenantCaps(database);
    this.catalog = catalog;
    this.changed = changed;
  }

  @Override
  public QueueRecord save(QueueSettings settings) {
    QueueRecord saved = holding(connection -> {
      Before before = before(connection, settings);
      QueueRow row = write(connection, settings);
      boolean counts = settings.maxSize() != null && !before.counted();
      boolean limits = settings.maxConcurrent() != null && !before.limited();
      if (counts || limits) {
        hold(connection);
      }
      if (counts) {
        update(connection, "count-ends", row.id());
        update(connection, "count-queue", row.id());
      } else if (settings.maxSize() == null) {
        update(connection, "uncount-queue", row.id());
        update(connection, "uncount-ends", row.id());
      }
      TenantCaps.follow(database, connection, row.id());
      if (limits) {
        update(connection, "mark-limited", row.id());
      }
      return row.queue();
    });
    announce();
    return saved;
  }

  @Override
  public Optional<QueueRecord> find(String tenant, String name) {
    if (name.equals(Defaults.QUEUE)) {
      catalog.queue(tenant, name);
    }
    return database.run(connection -> {
      try (Call call = database.call(connection, "find-queue")) {
        return call.set("tenant", tenant).set("name", name).list(PostgresQueues::read).stream()
            .findFirst();
      }
    });
  }

  @Override
  public Optional<QueueRecord> find(String tenant, UUID id) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "find-queue-by-id")) {
        return call.set("tenant", tenant).set("uid", id).list(PostgresQueues::read).stream()
            .findFirst();
      }
    });
  }

  @Override
  public List<QueueRecord> list() {
    return database.run(connection -> {
      try (Call call = database.call(connection, "list-queues")) {
        return call.list(PostgresQueues::read);
      }
    });
  }

  @Override
  public List<QueueRecord> list(String tenant, @Nullable String afterName, int limit) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "list-queues-of")) {
        return call.set("tenant", tenant)
            .set("after", afterName)
            .set("limit", limit)
            .list(PostgresQueues::read);
      }
    });
  }

  private static QueueRecord read(ResultSet row) throws SQLException {
    return QueueRow.read(row).queue();
  }

  @Override
  public boolean pause(String tenant, String name, boolean paused) {
    if (name.equals(Defaults.QUEUE)) {
      catalog.queue(tenant, name);
    }
    boolean found = database.run(connection -> {
      try (Call call = database.call(connection, "pause-queue")) {
        return call.set("tenant", tenant)
                .set("name", name)
                .set("paused", paused)
                .update()
            == 1;
      }
    });
    announce();
    return found;
  }

  @Override
  public boolean delete(String tenant, String name) {
    boolean gone = holding(connection -> {
      List<Integer> ids;
      try (Call call = database.call(connection, "find-queue")) {
        ids = call.set("tenant", tenant).set("name", name).list(row -> row.getInt("id"));
      }
      if (ids.isEmpty()) {
        return false;
      }
      hold(connection);
      return close(connection, ids.getFirst());
    });
    announce();
    return gone;
  }

  @Override
  public List<QueueLoad> loads() {
    return database.run(connection -> {
      try (Call call = database.call(connection, "queue-loads")) {
        return call.list(row -> new QueueLoad(
            row.getString("tenant"),
            row.getString("name"),
            row.getInt("running"),
            row.getInt("max_concurrent")));
      }
    });
  }

  @Override
  public List<QueueSize> sizes() {
    return database.run(connection -> {
      try (Call call = database.call(connection, "queue-sizes")) {
        return call.list(row -> new QueueSize(
            row.getString("tenant"),
            row.getString("name"),
            row.getLong("unfinished"),
            row.getLong("max_size"),
            QueueRow.marks(row),
            row.getLong("ended")));
      }
    });
  }

  @Override
  public void capTenant(String tenant, @Nullable TenantCap cap) {
    Names.check("tenant", tenant);
    holding(connection -> caps.set(connection, tenant, cap));
    announce();
  }

  @Override
  public List<TenantSize> tenantSizes() {
    return database.run(caps::sizes);
  }

  private boolean close(Connection connection, int id) throws SQLException {
    try (Call call = database.call(connection, "holds-jobs")) {
      if (call.set("queue", id).one(row -> row.getBoolean("holds"))) {
        return false;
      }
    }
    update(connection, "uncount-queue", id);
    update(connection, "uncount-ends", id);
    update(connection, "close-queue", id);
    return true;
  }

  private void announce() {
    catalog.forgetQueues();
    changed.run();
  }

  /** Work that may wait for the state tables, briefly, and again when it waited in vain. */
  private <T> T holding(Database.Work<T> work) {
    for (int tries = 1; ; tries++) {
      try {
        return database.attempt(false, work);
      } catch (SQLException e) {
        if (!Failures.isPassing(e) && !Failures.isLockTimeout(e)) {
          throw Failures.of(e);
        }
        if (tries == TRIES) {
          throw new SluiceException(
              ErrorCode.PERSISTENCE_FAILURE, "the tables were too busy to count the jobs", e);
        }
      }
    }
  }

  private void hold(Connection connection) throws SQLException {
    TenantCaps.hold(database, connection, "wait-briefly", "hold-states");
  }

  private Before before(Connection connection, QueueSettings settings) throws SQLException {
    try (Call call = database.call(connection, "hold-queue")) {
      return call
          .set("tenant", settings.tenant())
          .set("name", settings.name())
          .list(row -> new Before(row.getBoolean("counted"), row.getBoolean("limited")))
          .stream()
          .findFirst()
          .orElse(new Before(false, false));
    }
  }

  private void update(Connection connection, String query, int id) throws SQLException {
    try (Call call = database.call(connection, query)) {
      call.set("queue", id).update();
    }
  }

  private QueueRow write(Connection connection, QueueSettings settings) throws SQLException {
    try (Call call = database.call(connection, "save-queue")) {
      return QueueRow.write(call, settings).one(QueueRow::read);
    }
  }
}
