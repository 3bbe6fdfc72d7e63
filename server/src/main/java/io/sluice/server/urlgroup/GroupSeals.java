package io.sluice.server.urlgroup;

import io.sluice.SluiceException;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.server.secret.SealedRows;
import io.sluice.server.secret.Vault;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sealed values of URL groups: credentials, headers, signing secrets. */
public final class GroupSeals implements SealedRows {
  private static final Logger LOG = LoggerFactory.getLogger(GroupSeals.class);
  private static final int GROUPS = 50;

  private record Value(
      UUID group, String tenant, String kind, @Nullable String sealed) {}

  private final Database database;
  private final Vault vault;

  public GroupSeals(Database database, Vault vault) {
    this.database = database;
    this.vault = vault;
  }

  @Override
  public long count() {
    return database.run(connection -> {
      try (Call call = database.call(connection, "count-groups")) {
        return call.one(row -> row.getLong("rows"));
      }
    });
  }

  @Override
  public Batch reseal(@Nullable String after) {
    List<Value> values = page(after);
    int resealed = 0;
    int unreadable = 0;
    for (Value value : values) {
      try {
        resealed += reseal(value) ? 1 : 0;
      } catch (SluiceException e) {
        LOG.warn("Left as it is: {}", e.getMessage());
        unreadable++;
      }
    }
    List<UUID> groups = values.stream().map(Value::group).distinct().toList();
    String last = groups.size() < GROUPS ? null : groups.getLast().toString();
    return new Batch(groups.size(), resealed, unreadable, last);
  }

  private List<Value> page(@Nullable String after) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "sealed-in-groups")) {
        return call.setOrNull("after", after == null ? null : UUID.fromString(after))
            .set("limit", GROUPS)
            .list(row -> new Value(
                row.getObject("id", UUID.class),
                row.getString("tenant"),
                row.getString("kind"),
                row.getString("sealed")));
      }
    });
  }

  private boolean reseal(Value value) {
    String before = value.sealed;
    Optional<String> renewed = before == null
        ? Optional.empty()
        : vault.renewed(UrlGroups.place(value.tenant, value.kind, value.group), before);
    return renewed.isPresent()
        && database.run(connection -> {
          try (Call call = database.call(connection, "reseal-in-group")) {
            return call.set("id", value.group)
                    .set("kind", value.kind)
                    .set("before", before)
                    .set("renewed", renewed.get())
                    .update()
                > 0;
          }
        });
  }
}
