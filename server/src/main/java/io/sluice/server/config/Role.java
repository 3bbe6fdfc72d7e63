package io.sluice.server.config;

/** What a process does. Any number of each may share one database. */
public enum Role {
  /** Everything. */
  ALL,
  /** Serves the API and pull workers, and runs no handler of its own. */
  API,
  /** Runs handlers; of the API it serves health and metrics only. */
  WORKER;

  public boolean servesApi() {
    return this != WORKER;
  }

  public boolean runsJobs() {
    return this != API;
  }
}
