package io.sluice.store;

import java.util.List;
import java.util.Set;

/** A worker whose lease ran out, or that has no entry at all, with claims it still seems to hold. */
public record LostWorker(long id, String name, Set<String> fragileTypes, List<LostClaim> claims) {
  public LostWorker {
    fragileTypes = Set.copyOf(fragileTypes);
    claims = List.copyOf(claims);
  }
}
