package io.sluice.server.delivery;

import io.sluice.Job;
import io.sluice.Outcome;
import io.sluice.http.HttpCall;

/** Stands around each attempt to deliver a job, and sees what comes of it. */
@FunctionalInterface
public interface Attempts {
  /** Makes the attempt, and answers or throws what it does. */
  Outcome make(Job<HttpCall> job, Attempt attempt) throws Exception;

  /** The attempt itself. */
  @FunctionalInterface
  interface Attempt {
    Outcome make() throws Exception;
  }
}
