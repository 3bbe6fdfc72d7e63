package io.sluice.testkit;

import io.sluice.store.JobStore;
import java.util.Optional;

/**
 * A store on which the engine contract runs engines, in real time: fresh and empty. A store's test
 * makes one for each test method, by a new store or by emptying an old one.
 */
public interface EngineLab extends AutoCloseable {
  JobStore store();

  /**
   * One more instance on the same data, as another process would have it, or the same one where
   * engines of one process share it; empty where a store serves one engine only.
   */
  default Optional<JobStore> another() {
    return Optional.of(store());
  }

  /** Called after each test, when all engines have stopped. */
  @Override
  default void close() {
    store().close();
  }

  /** A lab for a store that lives and dies with one test, and that engines share. */
  static EngineLab of(JobStore store) {
    return () -> store;
  }
}
