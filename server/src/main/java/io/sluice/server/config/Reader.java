package io.sluice.server.config;

import static io.sluice.server.config.Key.*;

import io.sluice.Defaults;
import io.sluice.HealthRules;
import io.sluice.Marks;
import io.sluice.http.Cidr;
import io.sluice.server.access.AdminKey;
import io.sluice.server.config.Config.JobDefaults;
import io.sluice.server.config.Config.Listening;
import io.sluice.server.config.Config.Postgres;
import io.sluice.server.config.Config.Running;
import io.sluice.server.config.Config.Trust;
import io.sluice.server.config.Config.Work;
import io.sluice.server.listener.ConnectionBounds;
import io.sluice.server.secret.MasterKey;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns the values in force into a {@link Config}: the checks that take more than one look. */
final class Reader {
  private static final int MOST_SLOTS = 10_000;
  private static final int MOST_CONNECTIONS = 1_000_000;
  private static final int MOST_LOGIN_FAILURES = 1_000_000;
  /** Several hosts may be named, of which the driver takes the one that serves. */
  private static final Pattern POSTGRES_URL =
      Pattern.compile("jdbc:postgresql:(//HOST(,HOST)*/)?[^/?]*(\\?.*)?"
          .replace("HOST", "([^/?:,@]*|\\[[0-9a-fA-F:.]+])(:[0-9]{1,5})?"));

  private static final Set<String> LATER = Set.of("redis", "mongo");
  private static final List<Key> JWT_KEYS = List.of(
      JWT_ISSUER,
      JWT_AUDIENCE,
      JWT_ALGORITHMS,
      JWT_JWKS_URL,
      JWT_SECRET,
      JWT_TENANT_CLAIM,
      JWT_ROLE_CLAIM,
      JWT_ADMIN);

  private final Values values;
  private final boolean production;

  Reader(Values values, boolean production) {
    this.values = values;
    this.production = production;
  }

  Config read() {
    return new Config(listening(), running(), postgres(), work(), trust(), jobs());
  }

  private Listening listening() {
    String host = values.textOrNothing(HOST);
    if (!host.matches("[0-9A-Za-z._:%-]*")) {
      values.problem(HOST, "must be an address or a name, without scheme" + values.was(HOST));
    }
    Path cert = values.file(TLS_CERT);
    Path key = values.file(TLS_KEY);
    if (values.has(TLS_CERT) != values.has(TLS_KEY)) {
      Key there = values.has(TLS_CERT) ? TLS_CERT : TLS_KEY;
      values.problem(
          there, "needs " + (there == TLS_CERT ? TLS_KEY : TLS_CERT).id() + " beside it");
    }
    return new Listening(host, (int) values.number(PORT, 0, 65_535), cert, key, connectionBounds());
  }

  private ConnectionBounds connectionBounds() {
    return ConnectionBounds.of((int) values.number(MAX_CONNECTIONS, 1, MOST_CONNECTIONS), (int)
        values.number(MAX_CONNECTIONS_PER_ADDRESS, 1, MOST_CONNECTIONS));
  }

  private Running running() {
    Path data = values.path(DATA, values.textOrNothing(DATA));
    if (data != null && Files.exists(data) && !Files.isDirectory(data)) {
      values.problem(DATA, "must be a folder, " + data + " is none");
    }
    return new Running(
        data == null ? Path.of("") : data,
        values.duration(DRAIN, Duration.ZERO),
        values.duration(SHUTDOWN_DELAY, Duration.ZERO),
        values.flag(VERBOSE));
  }

  private Postgres postgres() {
    String url = values.text(DATABASE_URL);
    if (url != null && !isPostgres(url)) {
      values.problem(DATABASE_URL, "must be of the form jdbc:postgresql://host:5432/database");
    }
    for (Key key : List.of(DATABASE_USER, DATABASE_PASSWORD, DATABASE_POOLED)) {
      if (url == null && values.has(key)) {
        values.problem(key, "needs database-url beside it");
      }
    }
    String schema = values.textOrNothing(DATABASE_SCHEMA);
    if (!schema.matches("[a-z_][a-z0-9_]{0,39}")) {
      values.problem(
          DATABASE_SCHEMA,
          "must be 1 to 40 of a-z 0-9 _ and not begin with a digit" + values.was(DATABASE_SCHEMA));
    }
    return new Postgres(
        url,
        values.text(DATABASE_USER),
        values.text(DATABASE_PASSWORD),
        schema,
        values.flag(DATABASE_POOLED));
  }

  private static boolean isPostgres(String url) {
    return POSTGRES_URL.matcher(url).matches();
  }

  private Work work() {
    Role role = values.choice(ROLE, Role.class).orElse(Role.ALL);
    Store store = store();
    if (store == Store.MEMORY && role != Role.ALL) {
      values.problem(ROLE, "must be all where the store is memory: nobody shares that");
    }
    HealthRules rules = HealthRules.DEFAULT;
    Marks levels = levels();
    HealthRules health = new HealthRules(
        values.number(HEALTH_DEPTH, 0, Long.MAX_VALUE),
        values.share(HEALTH_RETRY_RATE),
        values.duration(HEALTH_MEAN_TIME, Duration.ZERO),
        rules.alertDepth(),
        rules.alertRetryRate(),
        rules.alertDeadLetters(),
        levels.warning(),
        levels.high());
    return new Work(
        role,
        store,
        (int) values.number(SLOTS, 1, MOST_SLOTS),
        hostShare(),
        values.duration(LEASE, Defaults.SHORTEST_LEASE),
        health);
  }

  private double hostShare() {
    double share = values.share(HOST_SHARE);
    if (share == 0 && !values.wrong(HOST_SHARE)) {
      values.problem(HOST_SHARE, "must be more than 0 and at most 1" + values.was(HOST_SHARE));
    }
    return share;
  }

  private Marks levels() {
    double warning = values.share(WARNING_LEVEL);
    double high = values.share(HIGH_LEVEL);
    if (values.wrong(WARNING_LEVEL) || values.wrong(HIGH_LEVEL)) {
      return Marks.DEFAULT;
    }
    if (warning == 0) {
      values.problem(
          WARNING_LEVEL, "must be more than 0 and at most 1" + values.was(WARNING_LEVEL));
      return Marks.DEFAULT;
    }
    if (high < warning) {
      values.problem(
          HIGH_LEVEL, "must be from warning-level (" + warning + ") to 1" + values.was(HIGH_LEVEL));
      return Marks.DEFAULT;
    }
    return new Marks(warning, high);
  }

  private Store store() {
    if (values.has(REDIS_URL)) {
      values.problem(REDIS_URL, "is not available yet; the stores are postgres and memory");
    }
    if (LATER.contains(values.textOrNothing(STORE))) {
      values.problem(
          STORE,
          "does not take " + values.text(STORE) + " yet; the stores are postgres and memory");
      return Store.POSTGRES;
    }
    return values.choice(STORE, Store.class).orElse(Store.POSTGRES);
  }

  private Trust trust() {
    String adminKey = values.text(ADMIN_KEY);
    if (adminKey != null && adminKey.length() < AdminKey.SHORTEST) {
      values.problem(
          ADMIN_KEY,
          "must have " + AdminKey.SHORTEST + " or more characters, it has " + adminKey.length());
    }
    if (production && !values.has(MASTER_KEY)) {
      values.problem(MASTER_KEY, "must be given in profile production: credentials depend on it");
    }
    return new Trust(
        adminKey,
        masterKey(),
        jwt(),
        (int) values.number(LOGIN_FAILURES, 1, MOST_LOGIN_FAILURES),
        values.list(ALLOW_TARGET, text -> Cidr.parse("", text)));
  }

  private @Nullable String masterKey() {
    String key = values.text(MASTER_KEY);
    if (key != null) {
      values.check(MASTER_KEY, () -> MasterKey.parse("", key));
    }
    return key;
  }

  private @Nullable Jwt jwt() {
    if (JWT_KEYS.stream().noneMatch(values::has)) {
      return null;
    }
    for (Key key : List.of(JWT_ISSUER, JWT_AUDIENCE)) {
      if (!values.has(key)) {
        values.problem(key, "must be given where tokens are taken");
      }
    }
    if (values.has(JWT_JWKS_URL) == values.has(JWT_SECRET)) {
      values.problem(JWT_JWKS_URL, "or jwt-secret must be given where tokens are taken, not both");
    }
    String jwksUrl = values.text(JWT_JWKS_URL);
    if (jwksUrl != null && !isHttp(jwksUrl)) {
      values.problem(JWT_JWKS_URL, "must be an http or https URL" + values.was(JWT_JWKS_URL));
    }
    List<String> algorithms = values.list(JWT_ALGORITHMS, String::strip);
    return new Jwt(
        new Jwt.Issuer(values.textOrNothing(JWT_ISSUER), values.textOrNothing(JWT_AUDIENCE)),
        algorithms.isEmpty() ? List.of(jwksUrl == null ? "HS256" : "RS256") : algorithms,
        jwksUrl,
        values.text(JWT_SECRET),
        new Jwt.Claims(
            values.textOrNothing(JWT_TENANT_CLAIM),
            values.textOrNothing(JWT_ROLE_CLAIM),
            values.flag(JWT_ADMIN)));
  }

  private static boolean isHttp(String url) {
    try {
      URI uri = URI.create(url);
      return uri.getHost() != null && Set.of("http", "https").contains(uri.getScheme());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private JobDefaults jobs() {
    Long size = values.has(QUEUE_SIZE) ? values.number(QUEUE_SIZE, 1, Integer.MAX_VALUE) : null;
    return new JobDefaults(
        (int) values.number(ATTEMPTS, 1, Short.MAX_VALUE),
        values.duration(RETRY_DELAY, Duration.ZERO),
        values.duration(TIMEOUT, Duration.ofMillis(1)),
        size);
  }
}
