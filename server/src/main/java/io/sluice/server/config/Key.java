package io.sluice.server.config;

import io.sluice.Defaults;
import io.sluice.HealthRules;
import io.sluice.server.listener.ConnectionBounds;
import io.sluice.server.rest.Durations;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Every setting there is. Each is a flag ({@code --tls-cert}), a key of the config file ({@code
 * tls-cert:}) and an environment variable ({@code SLUICE_TLS_CERT}).
 */
enum Key {
  HOST(Section.LISTEN, "ADDRESS", "127.0.0.1", "address to listen on"),
  PORT(Section.LISTEN, "PORT", "7070", "port to listen on, 0 for a free one"),
  TLS_CERT(
      Section.LISTEN,
      "FILE",
      null,
      "certificate chain in PEM: serve https only",
      "TLS 1.2 or newer, with HSTS. Read once, at the start: restart after a renewal."),
  TLS_KEY(Section.LISTEN, "FILE", null, "its private key in PEM (PKCS#8)"),
  MAX_CONNECTIONS(
      Section.LISTEN,
      "N",
      String.valueOf(ConnectionBounds.DEFAULT.connections()),
      "most connections to the API at once",
      "Fewer where the limit of open files leaves less. Where there is no room for one more, the one that"
          + " has kept the server waiting longest is closed, of the address that has most."),
  MAX_CONNECTIONS_PER_ADDRESS(
      Section.LISTEN,
      "N",
      String.valueOf(ConnectionBounds.DEFAULT.perAddress()),
      "most of them from one client address",
      "An IPv6 client is counted by its /64 network. Behind a proxy all clients have its address: set it"
          + " to max-connections there."),

  DATA(Section.STORE, "FOLDER", "sluice-data", "folder for keys and the embedded PostgreSQL"),
  DATABASE_URL(
      Section.STORE,
      "URL",
      null,
      "address of a PostgreSQL, jdbc:postgresql://..., instead of the embedded one",
      "Several hosts may stand in it, with commas; the one that serves is taken. PostgreSQL 14 or newer."),
  DATABASE_USER(Section.STORE, "NAME", null, "its user, where the URL does not say"),
  DATABASE_PASSWORD(Section.STORE, "PASSWORD", null, "its password, where the URL does not say"),
  DATABASE_SCHEMA(Section.STORE, "NAME", "sluice", "schema that holds every table"),
  DATABASE_POOLED(
      Section.STORE,
      "",
      "false",
      "a transaction pooler such as PgBouncer stands in between",
      "Nothing is left in a session then, and wake-ups from other processes are polled for."),
  STORE(
      Section.STORE,
      "STORE",
      "postgres",
      "where jobs are kept: postgres or memory",
      "In memory, a stop in order leaves a snapshot in the data folder and a kill loses jobs. Tenants,"
          + " keys and URL groups are in PostgreSQL either way."),
  REDIS_URL(Section.STORE, "URL", null, "not available yet"),

  ROLE(
      Section.WORK,
      "ROLE",
      "all",
      "what this process does: all, api or worker",
      "api serves requests and pull workers; worker delivers jobs, and of the API has health and"
          + " metrics only."),
  PROFILE(
      Section.WORK,
      "PROFILE",
      null,
      "other defaults: development, production or high-volume",
      "What is given here goes before what a profile says. production wants a master-key."),
  SLOTS(Section.WORK, "N", "100", "how many jobs run here at once"),
  HOST_SHARE(
      Section.WORK,
      "SHARE",
      String.valueOf(Config.Work.HOST_SHARE),
      "share of the slots that one URL group or host may hold",
      "So that a receiver that does not answer leaves room to the others. 1 lets it have them all."),
  LEASE(
      Section.WORK,
      "TIME",
      Durations.format(Defaults.LEASE),
      "how long a silent worker keeps its jobs",
      "At least 1s. Its jobs run again within two leases."),
  DRAIN(
      Section.WORK,
      "TIME",
      Durations.format(Defaults.DRAIN),
      "how long a stop waits for what runs"),
  SHUTDOWN_DELAY(
      Section.WORK,
      "TIME",
      "0s",
      "how long a stopping server is not ready before its port closes",
      "As long as a load balancer needs to see 503 at /health/ready and send no more requests; all that"
          + " come are served until then. The drain begins after it."),

  ATTEMPTS(
      Section.JOBS,
      "N",
      String.valueOf(Defaults.RETRY.maxAttempts()),
      "attempts of a job that does not say"),
  RETRY_DELAY(
      Section.JOBS,
      "TIME",
      Durations.format(Defaults.RETRY.initialDelay()),
      "delay before its second attempt",
      "It doubles with each attempt, up to 60s."),
  TIMEOUT(
      Section.JOBS, "TIME", Durations.format(Defaults.TIMEOUT), "time that one attempt may take"),
  QUEUE_SIZE(Section.JOBS, "N", null, "size of a new queue that does not say"),

  WARNING_LEVEL(
      Section.JOBS,
      "SHARE",
      String.valueOf(Defaults.WARNING_LEVEL),
      "share of its size at which a queue or tenant is WARNING",
      "Of one whose size is limited and that has no levels of its own."),
  HIGH_LEVEL(
      Section.JOBS,
      "SHARE",
      String.valueOf(Defaults.HIGH_LEVEL),
      "share of its size at which it is HIGH",
      "From warning-level to 1."),

  HEALTH_DEPTH(
      Section.HEALTH,
      "N",
      String.valueOf(HealthRules.DEFAULT.unhealthyDepth()),
      "waiting jobs beyond which it is unhealthy"),
  HEALTH_RETRY_RATE(
      Section.HEALTH,
      "SHARE",
      String.valueOf(HealthRules.DEFAULT.unhealthyRetryRate()),
      "share of failing attempts, likewise"),
  HEALTH_MEAN_TIME(
      Section.HEALTH,
      "TIME",
      Durations.format(HealthRules.DEFAULT.unhealthyMeanTime()),
      "mean time of an attempt, likewise"),

  ADMIN_KEY(
      Section.ACCESS,
      "KEY",
      null,
      "admin's API key, 32 or more characters",
      "Where none is given, admin.key in the data folder is it, made at the first start. Processes"
          + " without a common data folder need one given."),
  MASTER_KEY(
      Section.ACCESS,
      "KEY",
      null,
      "key that encrypts stored credentials",
      "As 'openssl rand -base64 32' prints it; during a change the new one, a comma and the old one."
          + " Where none is given, master.key in the data folder is it. Keep a copy apart from the"
          + " database: without it stored credentials are lost."),
  ALLOW_TARGET(
      Section.ACCESS,
      "CIDR",
      null,
      "private addresses that jobs may call; repeat or list",
      "Jobs go to public addresses only, and to these."),
  JWT_ISSUER(
      Section.ACCESS,
      "TEXT",
      null,
      "issuer of tokens that are taken beside API keys",
      "With jwt-audience and one of jwt-jwks-url and jwt-secret."),
  JWT_AUDIENCE(Section.ACCESS, "TEXT", null, "audience that a token must name"),
  JWT_ALGORITHMS(Section.ACCESS, "NAME", null, "signature algorithms; repeat or list"),
  JWT_JWKS_URL(Section.ACCESS, "URL", null, "where the issuer's public keys are"),
  JWT_SECRET(Section.ACCESS, "SECRET", null, "or the secret that it signs with"),
  JWT_TENANT_CLAIM(Section.ACCESS, "NAME", "tenant", "claim that names the tenant"),
  JWT_ROLE_CLAIM(Section.ACCESS, "NAME", "role", "claim that names the role"),
  JWT_ADMIN(Section.ACCESS, "", "false", "tokens may have the role admin"),
  LOGIN_FAILURES(Section.ACCESS, "N", "10", "failed log-ins of an address before it must wait"),

  CONFIG(Section.RUNNING, "FILE", null, "YAML file with these settings"),
  VERBOSE(Section.RUNNING, "", "false", "log more, and stack traces");

  /** What belongs together in the help. */
  enum Section {
    LISTEN("Listening"),
    STORE("Where things are kept"),
    WORK("Work"),
    JOBS("Defaults of jobs and queues"),
    HEALTH("Marks of /health/queue"),
    ACCESS("Access"),
    RUNNING("Running");

    final String title;

    Section(String title) {
      this.title = title;
    }
  }

  private static final String PREFIX = "SLUICE_";
  private static final List<Key> SECRETS =
      List.of(ADMIN_KEY, MASTER_KEY, JWT_SECRET, DATABASE_PASSWORD, DATABASE_URL, REDIS_URL);

  final Section section;
  /** What it takes, as the help shows it; nothing for a switch. */
  final String takes;

  /** The value in force where nobody gave one; null where there is none then. */
  final @Nullable String standard;

  final String about;
  /** What there is to know beyond that; may be nothing. */
  final String more;

  Key(Section section, String takes, @Nullable String standard, String about) {
    this(section, takes, standard, about, "");
  }

  Key(Section section, String takes, @Nullable String standard, String about, String more) {
    this.section = section;
    this.takes = takes;
    this.standard = standard;
    this.about = about;
    this.more = more;
  }

  /** What is in force where nobody gave a value, in words; nothing where nothing is. */
  String otherwise() {
    return switch (this) {
      case ADMIN_KEY, MASTER_KEY -> "made and kept";
      case QUEUE_SIZE -> "unlimited";
      case JWT_ALGORITHMS -> "RS256, or HS256 with a secret";
      case DATABASE_URL -> "the embedded PostgreSQL";
      default -> standard == null ? "" : standard;
    };
  }

  /** The name in the config file. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String flag() {
    return "--" + id();
  }

  String variable() {
    return PREFIX + name();
  }

  /** The variable that names a file with the value; secrets alone have one. */
  Optional<String> fileVariable() {
    return isSecret() ? Optional.of(variable() + "_FILE") : Optional.empty();
  }

  boolean isSwitch() {
    return takes.isEmpty();
  }

  boolean isList() {
    return this == ALLOW_TARGET || this == JWT_ALGORITHMS;
  }

  /** True when the value must not be shown, not even in an error about it. */
  boolean isSecret() {
    return SECRETS.contains(this);
  }

  /** True for an address, of which only the parameters may hold a secret. */
  boolean isAddress() {
    return this == DATABASE_URL || this == REDIS_URL;
  }

  static Optional<Key> of(String id) {
    return Arrays.stream(values()).filter(key -> key.id().equals(id)).findFirst();
  }

  static Optional<Key> ofVariable(String variable) {
    return Arrays.stream(values())
        .filter(key -> key.variable().equals(variable))
        .findFirst();
  }

  static boolean isOurs(String variable) {
    return variable.startsWith(PREFIX);
  }
}
