package io.sluice.server;

import io.sluice.server.rest.Listen;

/** Everything a server must be told, checked and complete. */
public record ServerSettings(DatabaseSettings database, Listen listen, String adminKey) {
  /** Where the database is, and the schema in it that holds everything. */
  public record DatabaseSettings(String url, String user, String password, String schema) {}
}
