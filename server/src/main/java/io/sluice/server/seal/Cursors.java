package io.sluice.server.seal;

import io.sluice.Page;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.Query;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cursors that fit only the list they came from: its kind, its tenant and its filter. */
public final class Cursors {
  private final Seal seal;

  public Cursors(Seal seal) {
    this.seal = seal;
  }

  /** Where the page before ended, or null for the first page of this list. */
  public @Nullable String open(String list, Query query) {
    return query
        .cursor()
        .map(cursor -> seal.open("cursor " + list, cursor)
            .orElseThrow(() -> new Invalid(
                "cursor", "must be the nextCursor of a page of this very list and filter")))
        .orElse(null);
  }

  /** A page of the list, with what follows it sealed. */
  public <T> Page<T> page(String list, List<T> items, @Nullable String next) {
    return new Page<>(items, next == null ? null : seal.seal("cursor " + list, next));
  }
}
