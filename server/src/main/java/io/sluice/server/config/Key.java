package io.sluice.server.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Every setting there is. Each is a flag ({@code --tls-cert}), a key of the config file ({@code
 * tls-cert:}) and an environment variable ({@code SLUICE_TLS_CERT}).
 */
enum Key {
  HOST(Section.LISTEN, "ADDRESS", "address to listen on (127.0.0.1)"),
  PORT(Section.LISTEN, "PORT", "port to listen on, 0 for a free one (7070)"),
  TLS_CERT(Section.LISTEN, "FILE", "certificate chain in PEM: serve https only"),
  TLS_KEY(Section.LISTEN, "FILE", "its private key in PEM (PKCS#8)"),

  DATA(Section.STORE, "FOLDER", "folder for keys and the embedded PostgreSQL (./sluice-data)"),
  DATABASE_URL(Section.STORE, "URL", "jdbc:postgresql://... instead of the embedded PostgreSQL"),
  DATABASE_USER(Section.STORE, "NAME", "its user, where the URL does not say"),
  DATABASE_PASSWORD(Section.STORE, "PASSWORD", "its password, where the URL does not say"),
  DATABASE_SCHEMA(Section.STORE, "NAME", "schema that holds every table (sluice)"),
  DATABASE_POOLED(Section.STORE, "", "a transaction pooler such as PgBouncer stands in between"),
  STORE(Section.STORE, "STORE", "where jobs are kept: postgres or memory (postgres)"),
  REDIS_URL(Section.STORE, "URL", "not available yet"),

  ROLE(Section.WORK, "ROLE", "what this process does: all, api or worker (all)"),
  PROFILE(Section.WORK, "PROFILE", "other defaults: development, production or high-volume"),
  SLOTS(Section.WORK, "N", "how many jobs run here at once (100)"),
  LEASE(Section.WORK, "TIME", "how long a silent worker keeps its jobs (30s)"),
  DRAIN(Section.WORK, "TIME", "how long a stop waits for what runs (30s)"),

  ATTEMPTS(Section.JOBS, "N", "attempts of a job that does not say (5)"),
  RETRY_DELAY(Section.JOBS, "TIME", "delay before its second attempt (1s)"),
  TIMEOUT(Section.JOBS, "TIME", "time that one attempt may take (30s)"),
  QUEUE_SIZE(Section.JOBS, "N", "size of a new queue that does not say (unlimited)"),

  HEALTH_DEPTH(Section.HEALTH, "N", "waiting jobs beyond which it is unhealthy (1000)"),
  HEALTH_RETRY_RATE(Section.HEALTH, "SHARE", "share of failing attempts, likewise (0.5)"),
  HEALTH_MEAN_TIME(Section.HEALTH, "TIME", "mean time of an attempt, likewise (30s)"),

  ADMIN_KEY(Section.ACCESS, "KEY", "admin's API key, 32 or more characters (made and kept)"),
  MASTER_KEY(Section.ACCESS, "KEY", "key that encrypts stored credentials (made and kept)"),
  ALLOW_TARGET(Section.ACCESS, "CIDR", "private addresses that jobs may call; repeat or list"),
  JWT_ISSUER(Section.ACCESS, "TEXT", "issuer of tokens that are taken beside API keys"),
  JWT_AUDIENCE(Section.ACCESS, "TEXT", "audience that a token must name"),
  JWT_ALGORITHMS(Section.ACCESS, "NAME", "signature algorithms; repeat or list (RS256 or HS256)"),
  JWT_JWKS_URL(Section.ACCESS, "URL", "where the issuer's public keys are"),
  JWT_SECRET(Section.ACCESS, "SECRET", "or the secret that it signs with"),
  JWT_TENANT_CLAIM(Section.ACCESS, "NAME", "claim that names the tenant (tenant)"),
  JWT_ROLE_CLAIM(Section.ACCESS, "NAME", "claim that names the role (role)"),
  JWT_ADMIN(Section.ACCESS, "", "tokens may have the role admin"),
  LOGIN_FAILURES(Section.ACCESS, "N", "failed log-ins of an address before it must wait (10)"),

  CONFIG(Section.RUNNING, "FILE", "YAML file with these settings"),
  VERBOSE(Section.RUNNING, "", "log more, and stack traces");

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

  final String about;

  Key(Section section, String takes, String about) {
    this.section = section;
    this.takes = takes;
    this.about = about;
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
