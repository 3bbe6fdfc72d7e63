package io.sluice.server.config;

import io.sluice.Defaults;
import io.sluice.HealthRules;
import io.sluice.http.Cidr;
import io.sluice.server.listener.ConnectionBounds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything that a server was told, checked and complete. */
public record Config(
    Listening listening,
    Running running,
    Postgres postgres,
    Work work,
    Trust trust,
    JobDefaults jobs) {

  /** Where it listens, and with how many connections; with both files, by https only. */
  public record Listening(
      String host,
      int port,
      @Nullable Path tlsCert,
      @Nullable Path tlsKey,
      ConnectionBounds bounds) {}

  /** How the process behaves. */
  public record Running(Path data, Duration drain, Duration shutdownDelay, boolean verbose) {}

  /** Which PostgreSQL; without a url, the embedded one. */
  public record Postgres(
      @Nullable String url,
      @Nullable String user,
      @Nullable String password,
      String schema,
      boolean pooled) {
    @Override
    public String toString() {
      return "Postgres[schema=" + schema + "]"; // the others hold secrets
    }
  }

  /** What it works on and how. */
  public record Work(
      Role role, Store store, int slots, double hostShare, Duration lease, HealthRules health) {
    /** One URL group or host holds a quarter of the slots at most, unless it is set otherwise. */
    public static final double HOST_SHARE = 0.25;

    /** How many slots one URL group or host may hold. */
    public int hostSlots() {
      return Math.max(1, (int) (slots * hostShare));
    }
  }

  /** Whom it believes, what it keeps secret, and where jobs may go beyond public addresses. */
  public record Trust(
      @Nullable String adminKey,
      @Nullable String masterKey,
      @Nullable Jwt jwt,
      int loginFailures,
      List<Cidr> allowedTargets) {
    public Trust {
      allowedTargets = List.copyOf(allowedTargets);
    }

    @Override
    public String toString() {
      return "Trust[allowedTargets=" + allowedTargets + "]"; // the others hold secrets
    }
  }

  /** What a job or queue gets that says nothing of it. */
  public record JobDefaults(
      int attempts,
      Duration retryDelay,
      Duration timeout,
      @Nullable Long queueSize) {
    /** What is in force where nobody chose otherwise. */
    public static final JobDefaults PLAIN = new JobDefaults(
        Defaults.RETRY.maxAttempts(), Defaults.RETRY.initialDelay(), Defaults.TIMEOUT, null);
  }
}
