package io.sluice.server.config;

/** Where jobs are kept. What belongs to the server itself is in PostgreSQL whichever it is. */
public enum Store {
  POSTGRES,
  /** Lost when the process is killed; a stop in order leaves a snapshot in the data folder. */
  MEMORY
}
