package io.sluice.store;

import java.util.List;
import java.util.Set;

/**
 * A worker with claims that it lost: all of them when its lease ran out or it has no entry at all, and
 * of those that have a lease of their own the ones where that ran out.
 */
public record LostWorker(long id, String name, Set<String> fragileTypes, List<LostClaim> claims) {
  public LostWorker {
    fragileTypes = Set.copyOf(fragileTypes);
    claims = List.copyOf(claims);
  }
}
