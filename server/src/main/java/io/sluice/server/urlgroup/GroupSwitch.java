package io.sluice.server.urlgroup;

import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.postgres.Times;
import io.sluice.server.access.Caller;
import io.sluice.server.access.Role;
import io.sluice.server.audit.AuditLog;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches groups off whose receivers are gone. Their jobs wait then. Word of an attempt that began before
 * somebody switched the group on again switches nothing off.
 */
public final class GroupSwitch {
  private static final Logger LOG = LoggerFactory.getLogger(GroupSwitch.class);
  /** Who does what nobody asked for. */
  static final Caller SYSTEM = new Caller("", Role.ADMIN, "system");
  /** Fewer failures than these may be bad luck, however long ago they began. */
  private static final int FEWEST_FAILURES = 5;

  private record Failing(UrlGroup group, String reason) {}

  private final Database database;
  private final UrlGroups groups;
  private final AuditLog audit;
  private final GroupHolds holds;

  public GroupSwitch(Database database, UrlGroups groups, AuditLog audit, GroupHolds holds) {
    this.database = database;
    this.groups = groups;
    this.audit = audit;
    this.holds = holds;
  }

  /**
   * Switches off a group whose receiver said 410 to a job that began with the group as it is here; false when
   * somebody has switched it since.
   */
  boolean gone(UrlGroup group, UUID job) {
    return disable(group, "the receiver answered 410 Gone to job " + job);
  }

  /** Switches off groups that had nothing but failures for too long; to be called every few seconds. */
  public void round() {
    List<Failing> failing = database.run(connection -> {
      try (Call call = database.call(connection, "failing-url-groups")) {
        return new ArrayList<>(call.set("fewest", FEWEST_FAILURES)
            .list(row -> new Failing(
                groups.read(row),
                "nothing but failures since " + Times.read(row, "first_failure_at") + ", "
                    + row.getLong("failures") + " of them")));
      }
    });
    failing.forEach(one -> disable(one.group, one.reason));
  }

  private boolean disable(UrlGroup group, String reason) {
    boolean disabled = database.transact(connection -> {
      try (Call call = database.call(connection, "disable-url-group")) {
        boolean changed = !call.set("id", group.id())
            .set("epoch", group.power().epoch())
            .set("reason", reason)
            .list(groups::read)
            .isEmpty();
        if (changed) {
          audit.write(
              connection,
              audit.entry(SYSTEM, group.tenant(), "url-group.disable", group.name(), reason));
        }
        return changed;
      }
    });
    if (disabled) {
      LOG.warn(
          "URL group {} of tenant {} is disabled and its jobs wait: {}",
          group.name(),
          group.tenant(),
          reason);
      holds.look();
    }
    return disabled;
  }
}
