package io.sluice.testkit;

import io.sluice.store.JobStore;
import java.util.Optional;

/**
 * A store on the bench of the contract suite: fresh, empty, open, and built with this clock. A store's
 * test makes one for each test method, by a new store or by emptying an old one.
 */
public interface StoreLab extends AutoCloseable {
  JobStore store();

  /** The clock that the store, and the second one, judge time by. */
  ManualClock clock();

  /** Another instance on the same data, as another process would have it; empty if there is no such thing. */
  default Optional<JobStore> second() {
    return Optional.empty();
  }

  /** False for a store that is set up without wake-ups; their topic is then skipped. */
  default boolean hearsWakeups() {
    return true;
  }

  /** Called after each test. */
  @Override
  default void close() {
    second().ifPresent(JobStore::close);
    store().close();
  }

  /** A lab for a store that lives and dies with one test. */
  static StoreLab of(JobStore store, ManualClock clock) {
    return new OwnStore(store, clock);
  }

  /** The lab of a store that is not shared. */
  record OwnStore(JobStore store, ManualClock clock) implements StoreLab {}
}
