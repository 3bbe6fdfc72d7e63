package io.sluice.server.quota;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.store.Queues;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Refuses jobs of tenants that have more lanes or bytes than their quotas allow. To count them on every
 * enqueue would cost more than the enqueue, so they are counted every few seconds: a tenant may get as far
 * beyond its quota as it comes in that time.
 */
public final class QuotaWatch {
  private final Database database;
  private final Queues queues;
  /** Why jobs are refused, by tenant. */
  private volatile Map<String, String> refusals = Map.of();

  public QuotaWatch(Database database, Queues queues) {
    this.database = database;
    this.queues = queues;
  }

  /** Throws QUOTA_EXCEEDED when the tenant had too much at the last look. */
  public void require(String tenant) {
    String refusal = refusals.get(tenant);
    if (refusal != null) {
      throw new SluiceException(ErrorCode.QUOTA_EXCEEDED, refusal);
    }
  }

  /** Counts; to be called every few seconds. */
  public void look() {
    Map<String, String> found = new HashMap<>();
    OptionalLong least = leastLanes();
    if (least.isPresent()) {
      Map<String, Long> crowded = queues.crowded(Math.max(1, least.getAsLong()));
      if (!crowded.isEmpty()) {
        compare(Quota.LANES, crowded, quotas("quotas-of-lanes"), found);
      }
    }
    Map<String, Long> quotas = quotas("quotas-of-bytes");
    if (!quotas.isEmpty()) {
      compare(Quota.BYTES, queues.bytes(Set.copyOf(quotas.keySet())), quotas, found);
    }
    refusals = Map.copyOf(found);
  }

  private static void compare(
      Quota quota, Map<String, Long> had, Map<String, Long> quotas, Map<String, String> found) {
    had.forEach((tenant, have) -> {
      Long most = quotas.get(tenant);
      if (most != null && have >= most) {
        found.put(tenant, quota.usedUp(have, most));
      }
    });
  }

  private OptionalLong leastLanes() {
    return database.run(connection -> {
      try (Call call = database.call(connection, "least-quota-of-lanes")) {
        return call.one(row -> {
          long least = row.getLong("least");
          return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(least);
        });
      }
    });
  }

  private Map<String, Long> quotas(String query) {
    Map<String, Long> quotas = new HashMap<>();
    database.run(connection -> {
      try (Call call = database.call(connection, query)) {
        call.each(row -> quotas.put(row.getString("name"), row.getLong("quota")));
        return true;
      }
    });
    return quotas;
  }
}
