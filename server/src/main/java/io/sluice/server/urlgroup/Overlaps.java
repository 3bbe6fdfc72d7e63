package io.sluice.server.urlgroup;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.server.audit.Audit;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;

/** Takes signing secrets away, also where they are kept sealed, when the time beside their successor is over. */
public final class Overlaps {
  private final UrlGroups groups;
  private final Audit audit;
  private final InstantSource clock;

  public Overlaps(UrlGroups groups, Audit audit, InstantSource clock) {
    this.groups = groups;
    this.audit = audit;
    this.clock = clock;
  }

  /** Ends what is over by the database's clock; to be called every so often. */
  public void round() {
    groups.found("overlapped-url-groups").forEach(this::end);
  }

  /** Ends what is over of a group as it was seen, unless somebody changed that since. */
  void end(UrlGroup group) {
    Instant until = group.previousUntil();
    if (until == null) {
      return;
    }
    Instant now = clock.instant();
    // The database says that it is over, wherever this clock stands.
    Instant then = now.isBefore(until) ? until : now;
    AtomicBoolean ended = new AtomicBoolean();
    try {
      groups.change(group.tenant(), group.id(), before -> {
        Draft after = before.at(then);
        ended.set(!after.equals(before));
        return after;
      });
    } catch (SluiceException e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        return;
      }
      throw e;
    }
    if (ended.get()) {
      audit.write(GroupSwitch.SYSTEM, group.tenant(), "url-group.secret.end", group.name());
    }
  }
}
