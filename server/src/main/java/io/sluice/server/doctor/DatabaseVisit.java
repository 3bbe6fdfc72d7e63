package io.sluice.server.doctor;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.sluice.SluiceException;
import io.sluice.embedded.EmbeddedPostgresException;
import io.sluice.postgres.Database;
import io.sluice.postgres.Guard;
import io.sluice.postgres.Sql;
import io.sluice.server.config.Config;
import io.sluice.server.doctor.Fault.Topic;
import io.sluice.server.rest.Problem;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Goes to the database, and has everything looked at that can be seen from there. */
final class DatabaseVisit {
  /** One look at a database that lets us in. */
  interface Check {
    List<Finding> look(Patient patient, Database database);
  }

  private static final List<Check> CHECKS = List.of(
      ServerChecks::server,
      ServerChecks::pooler,
      ServerChecks::connections,
      ServerChecks::durability,
      ServerChecks::upkeep,
      SchemaChecks::rights,
      SchemaChecks::versions,
      SchemaChecks::masterKey,
      SchemaChecks::apiKeys);

  private static final int CONNECT_SECONDS = 5;
  private static final int STATEMENT_SECONDS = 10;

  private DatabaseVisit() {}

  static List<Finding> look(Patient patient) {
    Config.Postgres given = patient.config().postgres();
    return given.url() == null ? embedded(patient, given) : visit(patient, given);
  }

  private static List<Finding> embedded(Patient patient, Config.Postgres given) {
    Path data = patient.config().running().data();
    if (!Embedded.isMade(data)) {
      return List.of(Topic.DATABASE.skipped("The first start makes the embedded PostgreSQL."));
    }
    try {
      if (!FolderChecks.isOurs(data)) {
        return List.of(Topic.DATABASE.skipped(
            "The embedded PostgreSQL is looked at only for the owner of the data folder."));
      }
      try (Embedded embedded = Embedded.open(data, given.schema())) {
        List<Finding> findings = new ArrayList<>();
        embedded.orphan().map(Fault.ORPHAN::found).ifPresent(findings::add);
        embedded.owner().map(owner -> FolderChecks.inUse(patient, owner)).ifPresent(findings::add);
        findings.addAll(visit(patient, embedded.address()));
        return List.copyOf(findings);
      }
    } catch (EmbeddedPostgresException | IOException e) {
      return List.of(Fault.EMBEDDED_BROKEN.found(firstLine(e)));
    }
  }

  private static List<Finding> visit(Patient patient, Config.Postgres address) {
    try (HikariDataSource connections = connections(address)) {
      Sql sql = new Sql(address.schema(), Doctor.class, List.of("doctor.sql"));
      Database database = new Database(
          connections, sql, Guard.ofTransactions(Duration.ofSeconds(STATEMENT_SECONDS)));
      List<Finding> findings = new ArrayList<>();
      for (Check check : CHECKS) {
        findings.addAll(check.look(patient, database));
      }
      return List.copyOf(findings);
    } catch (PoolInitializationException e) {
      return List.of(refused(e, String.valueOf(address.url())));
    } catch (SluiceException e) {
      return List.of(Fault.DATABASE_SILENT.found(Problem.detail(e)));
    }
  }

  /** Not more than one connection: there may be few left. */
  private static HikariDataSource connections(Config.Postgres address) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("sluice-doctor");
    config.setJdbcUrl(address.url());
    if (address.user() != null) {
      config.setUsername(address.user());
    }
    if (address.password() != null) {
      config.setPassword(address.password());
    }
    config.setMaximumPoolSize(1);
    config.setInitializationFailTimeout(1);
    config.setConnectionTimeout(CONNECT_SECONDS * 1_000L);
    config.addDataSourceProperty("connectTimeout", String.valueOf(CONNECT_SECONDS));
    config.addDataSourceProperty("socketTimeout", String.valueOf(STATEMENT_SECONDS + 5));
    config.addDataSourceProperty("ApplicationName", "sluice-doctor");
    config.addDataSourceProperty("prepareThreshold", "0");
    return new HikariDataSource(config);
  }

  private static Finding refused(PoolInitializationException e, String url) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    String state = cause instanceof SQLException sql ? String.valueOf(sql.getSQLState()) : "";
    Fault fault = switch (state) {
      case "28P01", "28000" -> Fault.DATABASE_REFUSES;
      case "3D000" -> Fault.DATABASE_UNKNOWN;
      case "53300" -> Fault.DATABASE_FULL;
      default -> Fault.DATABASE_SILENT;
    };
    return fault.found(noConnection(cause.getCause(), url)
        .orElseGet(() -> firstLine(cause).replaceFirst("^FATAL: ", "").replaceFirst("\\.$", "")));
  }

  /** Why there was not even a connection, where the driver says no more than that. */
  private static Optional<String> noConnection(@Nullable Throwable cause, String url) {
    String place = url.replaceFirst("^jdbc:postgresql:/*", "").replaceFirst("[/?].*", "");
    if (cause instanceof UnknownHostException) {
      return Optional.of("unknown host in " + place);
    }
    return cause instanceof SocketTimeoutException
        ? Optional.of(place + " did not answer within " + CONNECT_SECONDS + " seconds")
        : Optional.empty();
  }

  private static String firstLine(Throwable e) {
    String message = e.getMessage();
    return message == null
        ? e.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }
}
