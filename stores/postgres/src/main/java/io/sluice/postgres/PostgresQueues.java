package io.sluice.postgres;

import io.sluice.Defaults;
import io.sluice.Names;
import io.sluice.Ordering;
import io.sluice.QueueSettings;
import io.sluice.Scope;
import io.sluice.store.QueueRecord;
import io.sluice.store.QueueSize;
import io.sluice.store.Queues;
import io.sluice.store.TenantCap;
import io.sluice.store.TenantSize;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Queues, the counters of those that are capped, and the marks of those that are limited. */
final class PostgresQueues implements Queues {
  /** A queue before a change of it, and whether what it holds is counted. */
  private record Before(@Nullable QueueSettings settings, boolean sized) {
    static Before read(ResultSet row) throws SQLException {
      return new Before(QueueRow.read(row).queue().settings(), row.getBoolean("counted"));
    }

    /** True when limits or orders are no longer the same. */
    boolean differs(QueueSettings now) {
      return settings == null
          ? now.maxConcurrent() != null || now.rateLimit() != null || now.ordered() != Ordering.NONE
          : !Objects.equals(settings.maxConcurrent(), now.maxConcurrent())
              || !Objects.equals(settings.rateLimit(), now.rateLimit())
              || settings.ordered() != now.ordered();
    }

    /** True when jobs run in an order that did not before. */
    boolean ordersMore(QueueSettings now) {
      return now.ordered() != Ordering.NONE
          && (settings == null || settings.ordered() != now.ordered());
    }

    @Nullable
    Integer maxConcurrent() {
      return settings == null ? null : settings.maxConcurrent();
    }
  }

  private final Database database;
  private final TenantCaps caps;
  private final TenantUse use;
  private final Catalog catalog;
  private final Rulings rulings;

  PostgresQueues(Database database, Catalog catalog, Rulings rulings) {
    this.database = database;
    this.caps = new TenantCaps(database, rulings);
    this.use = new TenantUse(database);
    this.catalog = catalog;
    this.rulings = rulings;
  }

  @Override
  public QueueRecord save(QueueSettings settings) {
    QueueRecord saved = rulings.change(connection ->
        save(connection, before(connection, settings.tenant(), settings.name()), settings));
    rulings.announce();
    return saved;
  }

  /** Changes the settings of a queue; false when it is not there. */
  boolean change(String tenant, String name, UnaryOperator<QueueSettings> change) {
    if (name.equals(Defaults.QUEUE)) {
      catalog.queue(tenant, name);
    }
    boolean found = rulings.change(connection -> {
      Before before = before(connection, tenant, name);
      QueueSettings settings = before.settings();
      if (settings != null) {
        save(connection, before, change.apply(settings));
      }
      return settings != null;
    });
    rulings.announce();
    return found;
  }

  private QueueRecord save(Connection connection, Before before, QueueSettings settings)
      throws SQLException {
    QueueRow row = write(connection, settings);
    if (before.ordersMore(settings)
        || Rulings.mustCount(before.maxConcurrent(), settings.maxConcurrent())) {
      rulings.renewAndCount(connection, Scope.queue(settings.tenant(), settings.name()));
    } else if (before.differs(settings)) {
      rulings.renew(connection);
    }
    if (settings.maxSize() != null && !before.sized()) {
      rulings.hold(connection);
      update(connection, "count-ends", row.id());
      update(connection, "count-queue", row.id());
    } else if (settings.maxSize() == null) {
      update(connection, "uncount-queue", row.id());
      update(connection, "uncount-ends", row.id());
    }
    caps.follow(connection, row.id());
    return row.queue();
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
    rulings.announce();
    return found;
  }

  @Override
  public boolean delete(String tenant, String name) {
    boolean gone = rulings.change(connection -> {
      List<Integer> ids;
      try (Call call = database.call(connection, "hold-queue")) {
        ids = call.set("tenant", tenant).set("name", name).list(row -> row.getInt("id"));
      }
      if (ids.isEmpty()) {
        return false;
      }
      rulings.renew(connection);
      rulings.hold(connection);
      return close(connection, ids.getFirst());
    });
    rulings.announce();
    return gone;
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
    rulings.change(connection -> caps.set(connection, tenant, cap));
    rulings.announce();
  }

  @Override
  public List<TenantSize> tenantSizes() {
    return database.run(caps::sizes);
  }

  @Override
  public Map<String, Long> crowded(long lanes) {
    return use.crowded(lanes);
  }

  @Override
  public Map<String, Long> bytes(Set<String> tenants) {
    return use.bytes(tenants);
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

  private Before before(Connection connection, String tenant, String name) throws SQLException {
    try (Call call = database.call(connection, "hold-queue")) {
      return call.set("tenant", tenant).set("name", name).list(Before::read).stream()
          .findFirst()
          .orElse(new Before(null, false));
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
