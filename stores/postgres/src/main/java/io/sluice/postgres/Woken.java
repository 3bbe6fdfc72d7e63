package io.sluice.postgres;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * What went on because others ended: jobs that became ready or were cancelled, whether one has a moment of
 * its own to wait for, and batches that may be over once it is committed.
 */
record Woken(Set<UUID> ready, Set<UUID> cancelled, boolean planned, Set<UUID> asked) {
  static final Woken NOTHING = new Woken(Set.of(), Set.of(), false, Set.of());

  static Woken read(ResultSet row) throws SQLException {
    return new Woken(
        ids(row, "ready"), ids(row, "cancelled"), row.getBoolean("planned"), ids(row, "asked"));
  }

  static Set<UUID> ids(ResultSet row, String column) throws SQLException {
    Array array = row.getArray(column);
    return array == null ? Set.of() : new HashSet<>(List.of((UUID[]) array.getArray()));
  }

  Woken and(Woken other) {
    return new Woken(
        both(ready, other.ready),
        both(cancelled, other.cancelled),
        planned || other.planned,
        both(asked, other.asked));
  }

  /** The same, and these became ready as well, or may have been passed over while they were held. */
  Woken andReady(Collection<UUID> more) {
    return more.isEmpty() ? this : and(new Woken(Set.copyOf(more), Set.of(), false, Set.of()));
  }

  private static Set<UUID> both(Set<UUID> one, Set<UUID> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    List<UUID> all = new ArrayList<>(one);
    all.addAll(other);
    return Set.copyOf(all);
  }
}
