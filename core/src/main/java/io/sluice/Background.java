package io.sluice;

import java.util.List;
import java.util.Optional;

/** What an application knows of its jobs that the store does not; asked when a job is explained. */
public interface Background {
  /** Nothing. */
  Background NONE = job -> List.of();

  /** Why the application holds back a job that waits. */
  List<Reason> reasons(JobRecord job);

  /** The policy of retries in force for a job that has none of its own, before those of type and queue. */
  default Optional<RetryPolicy> retry(JobRecord job) {
    return Optional.empty();
  }
}
