package io.sluice.server;

import io.sluice.http.Cidr;
import io.sluice.server.rest.Listen;
import io.sluice.server.secret.MasterKey;
import java.util.List;

/** Everything a server must be told, checked and complete. */
public record ServerSettings(
    DatabaseSettings database, Listen listen, String adminKey, Delivering delivering) {
  /** Where the database is, and the schema in it that holds everything. */
  public record DatabaseSettings(String url, String user, String password, String schema) {}

  /** What secrets are encrypted with, and where jobs may go beyond public addresses. */
  public record Delivering(MasterKey masterKey, List<Cidr> allowTargets) {
    public Delivering {
      allowTargets = List.copyOf(allowTargets);
    }
  }
}
