package io.sluice.server;

import io.sluice.Defaults;
import io.sluice.HealthRules;
import io.sluice.http.Cidr;
import io.sluice.server.config.Config.JobDefaults;
import io.sluice.server.config.Config.Work;
import io.sluice.server.config.Role;
import io.sluice.server.config.Store;
import io.sluice.server.rest.Listen;
import io.sluice.server.secret.MasterKey;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything a server must be told, checked and complete. */
public record ServerSettings(
    DatabaseSettings database,
    Listen listen,
    Trust trust,
    Work work,
    JobDefaults jobs,
    @Nullable Path snapshot) {

  /** Where the database is, and the schema in it that holds everything. */
  public record DatabaseSettings(
      String url, @Nullable String user, @Nullable String password, String schema, boolean pooled) {
    public DatabaseSettings(
        String url, @Nullable String user, @Nullable String password, String schema) {
      this(url, user, password, schema, false);
    }

    @Override
    public String toString() {
      return "DatabaseSettings[schema=" + schema + "]"; // the others hold secrets
    }
  }

  /** Who may come in, what secrets are encrypted with, and where jobs may go beyond public addresses. */
  public record Trust(AccessSettings access, MasterKey masterKey, List<Cidr> allowTargets) {
    public Trust {
      allowTargets = List.copyOf(allowTargets);
    }

    @Override
    public String toString() {
      return "Trust[allowTargets=" + allowTargets + "]"; // the others hold secrets
    }
  }

  /** A server with every default. */
  public ServerSettings(DatabaseSettings database, Listen listen, Trust trust) {
    this(
        database,
        listen,
        trust,
        new Work(
            Role.ALL, Store.POSTGRES, 100, Work.HOST_SHARE, Defaults.LEASE, HealthRules.DEFAULT),
        JobDefaults.PLAIN,
        null);
  }

  @Override
  public String toString() {
    return "ServerSettings[listen=" + listen + "]"; // the others hold secrets
  }
}
