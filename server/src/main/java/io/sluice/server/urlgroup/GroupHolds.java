package io.sluice.server.urlgroup;

import io.sluice.Lane;
import io.sluice.Scope;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import java.util.Set;
import java.util.stream.Collectors;

/** The groups whose jobs wait, as of a moment ago: switched off, or failing a check that holds them. */
public final class GroupHolds {
  private record Key(String tenant, String name) {}

  private final Database database;
  private volatile Set<Key> held = Set.of();

  public GroupHolds(Database database) {
    this.database = database;
  }

  /** True when nothing of this lane may be started. */
  public boolean isHeld(Lane lane) {
    Set<Key> now = held;
    return !now.isEmpty()
        && lane.hasGroup()
        && now.contains(new Key(lane.tenant(), lane.groupName()));
  }

  /** The names of the tenant's groups that fail a check which holds their jobs, as of now. */
  Set<String> failing(String tenant) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "url-groups-held-by-check")) {
        return Set.copyOf(call.set("tenant", tenant).list(row -> row.getString("name")));
      }
    });
  }

  /** The groups that are held as of now, of all tenants. */
  public Set<Scope> held() {
    look();
    return held.stream()
        .map(key -> Scope.urlGroup(key.tenant, key.name))
        .collect(Collectors.toSet());
  }

  /** Looks which groups are held; to be called every second, and after a change here. */
  public void look() {
    held = database.run(connection -> {
      try (Call call = database.call(connection, "held-url-groups")) {
        return Set.copyOf(
            call.list(row -> new Key(row.getString("tenant"), row.getString("name"))));
      }
    });
  }
}
