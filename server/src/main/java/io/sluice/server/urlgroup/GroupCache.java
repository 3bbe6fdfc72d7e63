package io.sluice.server.urlgroup;

import io.sluice.http.Group;
import io.sluice.http.Groups;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * The groups as the delivery finds them: as they were at most two seconds ago. One that was deleted by this
 * server is not found any more. What is remembered is sealed; it is opened for each request.
 */
public final class GroupCache implements Groups {
  private static final long FRESH_NANOS = Duration.ofSeconds(2).toNanos();
  private static final int MOST = 10_000;

  private record Key(String tenant, String name) {}

  private record Entry(UrlGroup group, long read, long deletions) {}

  private final UrlGroups groups;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final ConcurrentMap<Key, Entry> entries = new ConcurrentHashMap<>();

  public GroupCache(UrlGroups groups, InstantSource clock, LongSupplier nanoTime) {
    this.groups = groups;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  @Override
  public Optional<Group> find(String tenant, String name) {
    return look(tenant, name)
        .map(group -> groups.opened(group).at(clock.instant()).group());
  }

  /** The group with its secrets sealed. */
  Optional<UrlGroup> look(String tenant, String name) {
    Key key = new Key(tenant, name);
    long now = nanoTime.getAsLong();
    long deletions = groups.deletions();
    Entry known = entries.get(key);
    if (known != null && known.deletions == deletions && now - known.read < FRESH_NANOS) {
      return Optional.of(known.group);
    }
    if (entries.size() > MOST) {
      entries.values().removeIf(entry -> now - entry.read >= FRESH_NANOS);
    }
    // A group that is not there is not remembered: it may be made any moment, and used at once.
    Optional<UrlGroup> group = groups.byName(key.tenant, key.name);
    group.ifPresentOrElse(
        found -> entries.put(key, new Entry(found, now, deletions)), () -> entries.remove(key));
    return group;
  }
}
