package io.sluice.server.quota;

import io.sluice.Defaults;
import io.sluice.postgres.Call;
import io.sluice.server.rest.Checks;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The quotas of a tenant, by kind; null for any number. */
public record Quotas(
    @Nullable Long queues,
    @Nullable Long urlGroups,
    @Nullable Long keys,
    @Nullable Long schedules,
    @Nullable Long triggers,
    @Nullable Long limits,
    @Nullable Long lanes,
    @Nullable Long bytes) {
  /** Those of a tenant that may see no others. */
  public static final Quotas DEFAULT = new Quotas(
      Defaults.QUOTA_OF_NAMED,
      Defaults.QUOTA_OF_NAMED,
      Defaults.QUOTA_OF_NAMED,
      Defaults.QUOTA_OF_NAMED,
      Defaults.QUOTA_OF_NAMED,
      Defaults.QUOTA_OF_LIMITS,
      Defaults.QUOTA_OF_LANES,
      null);

  public static final Quotas NONE = new Quotas(null, null, null, null, null, null, null, null);

  /** The quota of one kind. */
  public @Nullable Long of(Quota quota) {
    return switch (quota) {
      case QUEUES -> queues;
      case URL_GROUPS -> urlGroups;
      case KEYS -> keys;
      case SCHEDULES -> schedules;
      case TRIGGERS -> triggers;
      case LIMITS -> limits;
      case LANES -> lanes;
      case BYTES -> bytes;
    };
  }

  public void check(Checks checks) {
    for (Quota quota : Quota.values()) {
      Long most = of(quota);
      checks.require(
          most == null || most >= 0,
          "quotas." + quota.field(),
          "must be 0 or more, or null for any number");
    }
  }

  public static Quotas read(ResultSet row) throws SQLException {
    return new Quotas(
        row.getObject("quota_queues", Long.class),
        row.getObject("quota_url_groups", Long.class),
        row.getObject("quota_keys", Long.class),
        row.getObject("quota_schedules", Long.class),
        row.getObject("quota_triggers", Long.class),
        row.getObject("quota_limits", Long.class),
        row.getObject("quota_lanes", Long.class),
        row.getObject("quota_bytes", Long.class));
  }

  /** Sets the parameters of a statement that writes them. */
  public Call set(Call call) throws SQLException {
    return call.setOrNull("quota_queues", queues)
        .setOrNull("quota_url_groups", urlGroups)
        .setOrNull("quota_keys", keys)
        .setOrNull("quota_schedules", schedules)
        .setOrNull("quota_triggers", triggers)
        .setOrNull("quota_limits", limits)
        .setOrNull("quota_lanes", lanes)
        .setOrNull("quota_bytes", bytes);
  }
}
