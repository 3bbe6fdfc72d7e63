package io.sluice.store;

import java.util.Set;

/**
 * A worker that signs on: a name for people, how many jobs it runs at once, the types it handles, and
 * those among them that must not run twice.
 */
public record WorkerSpec(String name, int slots, Set<String> types, Set<String> fragileTypes) {
  public WorkerSpec {
    types = Set.copyOf(types);
    fragileTypes = Set.copyOf(fragileTypes);
  }
}
