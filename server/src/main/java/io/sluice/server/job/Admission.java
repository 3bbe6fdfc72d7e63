package io.sluice.server.job;

/** Says whether a tenant may have more jobs. */
@FunctionalInterface
public interface Admission {
  /** Lets a tenant enqueue so many more jobs, or throws QUEUE_FULL. */
  void admit(String tenant, int jobs);
}
