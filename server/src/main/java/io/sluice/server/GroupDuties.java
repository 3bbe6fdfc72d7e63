package io.sluice.server;

import io.sluice.Lane;
import io.sluice.SluiceException;
import io.sluice.Uuid7;
import io.sluice.postgres.Database;
import io.sluice.server.audit.AuditLog;
import io.sluice.server.delivery.Attempts;
import io.sluice.server.rest.Json;
import io.sluice.server.urlgroup.GroupFigures;
import io.sluice.server.urlgroup.GroupHealth;
import io.sluice.server.urlgroup.GroupHolds;
import io.sluice.server.urlgroup.GroupMeter;
import io.sluice.server.urlgroup.GroupSwitch;
import io.sluice.server.urlgroup.GroupWatch;
import io.sluice.server.urlgroup.HealthChecks;
import io.sluice.server.urlgroup.Overlaps;
import io.sluice.server.urlgroup.Tallies;
import io.sluice.server.urlgroup.UrlGroups;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the server does for URL groups by itself, put together: holds, checks, figures, ends of secrets. */
final class GroupDuties implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GroupDuties.class);
  private static final Duration HELD = Duration.ofSeconds(1);
  private static final Duration CHECK = Duration.ofMillis(500);
  private static final Duration FLUSH = Duration.ofSeconds(2);
  private static final Duration OVERLAPS = Duration.ofSeconds(15);
  private static final Duration SETTLE = Duration.ofMinutes(1);

  private final InstantSource clock = InstantSource.system();
  private final UrlGroups groups;
  private final GroupHolds holds;
  private final GroupHealth health;
  private final HealthChecks checks;
  private final Tallies tallies;
  private final GroupFigures figures;
  private final GroupSwitch power;
  private final GroupWatch watch;
  private final Overlaps overlaps;
  private final Rounds rounds = new Rounds();

  /** On tables that are up to date. */
  GroupDuties(Outbound outbound, Database database, Json json, AuditLog audit, GroupMeter meter) {
    Uuid7 ids = Uuid7.seeded(clock, new SecureRandom());
    groups = outbound.urlGroups();
    holds = new GroupHolds(database);
    health = new GroupHealth(database, outbound.urlGroups(), json);
    checks = new HealthChecks(
        health,
        outbound.urlGroups(),
        outbound.probe(),
        holds,
        new HealthChecks.Tools(clock, System::nanoTime, ids));
    tallies = new Tallies(database, json, new Tallies.Tools(clock, System::nanoTime, ids));
    figures = new GroupFigures(database, tallies, json, clock);
    power = new GroupSwitch(database, outbound.urlGroups(), audit, holds);
    watch = new GroupWatch(outbound.groups(), tallies, power, meter, clock, System::nanoTime);
    overlaps = new Overlaps(outbound.urlGroups(), audit, clock);
    holds.look();
  }

  /** True when nothing of this lane may be started. */
  boolean holds(Lane lane) {
    return holds.isHeld(lane);
  }

  GroupHolds holds() {
    return holds;
  }

  GroupHealth health() {
    return health;
  }

  GroupFigures figures() {
    return figures;
  }

  /** What sees the deliveries of this instance. */
  Attempts attempts() {
    return watch;
  }

  /**
   * Begins the duties.
   *
   * @param delivers true where this instance sends requests, and so looks at receivers too
   */
  void start(boolean delivers) {
    rounds
        .every(HELD, "held-groups", holds::look)
        .every(SETTLE, "limits-of-groups", groups::settleLimits)
        .every(OVERLAPS, "secret-overlaps", overlaps::round);
    if (delivers) {
      rounds
          .every(CHECK, "health-checks", checks::round)
          .every(FLUSH, "group-figures", this::flush);
    }
  }

  private void flush() {
    tallies.flush();
    power.round();
  }

  /** Ends the duties and writes what is not written: after the last job. */
  @Override
  public void close() {
    rounds.close();
    checks.close();
    try {
      tallies.flush();
    } catch (SluiceException e) {
      LOG.warn("the last figures of URL groups could not be written: {}", e.getMessage());
    }
  }
}
