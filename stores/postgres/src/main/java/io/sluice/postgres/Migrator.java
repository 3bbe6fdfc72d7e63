package io.sluice.postgres;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the schema up to date: numbered files, each applied once, all under one transaction and one
 * lock, so that any number of processes may start at once.
 */
public final class Migrator {
  private static final Logger LOG = LoggerFactory.getLogger(Migrator.class);
  /** The oldest major version of PostgreSQL that will do. */
  public static final int OLDEST_SERVER = 14;

  /** The part of the schema that the job store has. */
  public static final String STORE = "jobs";

  private static final List<String> FILES = List.of(
      "V001__jobs.sql",
      "V002__views_and_functions.sql",
      "V003__outcomes_by_lane.sql",
      "V004__limits.sql",
      "V005__breakers.sql",
      "V006__tenant_caps.sql",
      "V007__large_limits.sql",
      "V008__links.sql",
      "V009__walks.sql",
      "V010__look_ups.sql",
      "V011__worker_sessions.sql",
      "V012__read_committed_and_portions.sql",
      "V013__retention_at_size.sql");

  private static final Pattern TABLE =
      Pattern.compile("(?m)^create table (?:if not exists )?\"[^\"]+\"\\.(\\w+)");

  private final Database database;
  private final String part;
  private final List<String> files;

  Migrator(Database database) {
    this(database, STORE, FILES);
  }

  /** Migrates a part of the schema by files in the folder {@code migration} beside its statements. */
  public Migrator(Database database, String part, List<String> files) {
    this.database = database;
    this.part = part;
    this.files = List.copyOf(files);
  }

  /** Migrates the tables of jobs alone, for programs that bring them up by steps of their own. */
  public static Migrator ofJobs(DataSource dataSource, String schema) {
    return new Migrator(
        new Database(dataSource, new Sql(schema), Guard.ofTransactions(Duration.ZERO)));
  }

  /** The version that this library brings the job store to. */
  public static int newest() {
    return newest(FILES);
  }

  /** The version that these files bring a part to. */
  public static int newest(List<String> files) {
    return files.stream().mapToInt(Migrator::version).max().orElse(0);
  }

  public void run() {
    database.transact(connection -> {
      int socket = connection.getNetworkTimeout();
      connection.setNetworkTimeout(Runnable::run, 0);
      try {
        checkServer(connection);
        Isolation.require(connection);
        run(connection, versions());
        return true;
      } finally {
        if (!connection.isClosed()) {
          connection.setNetworkTimeout(Runnable::run, socket);
        }
      }
    });
  }

  /** Applies those of these versions that are not there yet, in the transaction of the caller. */
  public void run(Connection connection, Set<Integer> versions) throws SQLException {
    try (Call call = database.call(connection, "migrate-without-limit")) {
      call.execute();
    }
    lock(connection);
    prepare(connection);
    Map<Integer, Long> applied = applied(connection);
    refuseNewer(applied);
    for (String file : files) {
      if (versions.contains(version(file))) {
        apply(connection, file, applied);
      }
    }
  }

  /** The name of the part of the schema that this migrates. */
  public String part() {
    return part;
  }

  /** Every version that this knows. */
  public Set<Integer> versions() {
    return files.stream().map(Migrator::version).collect(Collectors.toCollection(TreeSet::new));
  }

  /** The versions that a schema has of this part. Throws BAD_CONFIGURATION where one is newer. */
  public Set<Integer> appliedTo(Connection connection) throws SQLException {
    Map<Integer, Long> applied = applied(connection);
    refuseNewer(applied);
    return new TreeSet<>(applied.keySet());
  }

  /** The names of all tables that this ever made. */
  public Set<String> tables() {
    return files.stream()
        .flatMap(file -> TABLE.matcher(database.sql().text("migration/" + file)).results())
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void checkServer(Connection connection) throws SQLException {
    int version = connection.getMetaData().getDatabaseMajorVersion();
    if (version < OLDEST_SERVER) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION,
          "Sluice needs PostgreSQL " + OLDEST_SERVER + " or newer, this server is " + version);
    }
    for (String setting : List.of("fsync", "full_page_writes", "synchronous_commit")) {
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("show " + setting)) {
        if (row.next() && row.getString(1).equals("off")) {
          LOG.warn("{} is off in this database: a crash may lose jobs that were accepted", setting);
        }
      }
    }
  }

  private void lock(Connection connection) throws SQLException {
    try (Call call = database.call(connection, "migration-lock")) {
      call.timeout(0).set("schema", database.sql().schema()).execute();
    }
  }

  private void prepare(Connection connection) throws SQLException {
    // Asked first: making a schema needs a right that a running service may lack.
    boolean there;
    try (Call call = database.call(connection, "migration-there")) {
      there = call.set("schema", database.sql().schema()).one(row -> row.getBoolean("there"));
    }
    if (!there) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(database.sql().text(Sql.class, "migration/schema.sql"));
      }
    }
  }

  private Map<Integer, Long> applied(Connection connection) throws SQLException {
    Map<Integer, Long> applied = new HashMap<>();
    try (Call call = database.call(connection, "migrations")) {
      call.set("part", part)
          .list(row -> applied.put(row.getInt("version"), row.getLong("checksum")));
    }
    return applied;
  }

  private void refuseNewer(Map<Integer, Long> applied) {
    int newest = applied.keySet().stream().mapToInt(Integer::intValue).max().orElse(0);
    int known = newest(files);
    if (newest > known) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION,
          "schema '" + database.sql().schema() + "' is at version " + newest
              + ", newer than this library knows (" + known + "): update the library");
    }
  }

  private void apply(Connection connection, String file, Map<Integer, Long> applied)
      throws SQLException {
    int version = version(file);
    String text = database.sql().text("migration/" + file);
    long checksum = checksum(text);
    Long known = applied.get(version);
    if (known != null) {
      if (known != checksum) {
        throw new SluiceException(
            ErrorCode.BAD_CONFIGURATION,
            "migration " + file + " was changed after it was applied to schema '"
                + database.sql().schema() + "'");
      }
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
    try (Call call = database.call(connection, "note-migration")) {
      call.set("part", part)
          .set("version", version)
          .set("file", file)
          .set("checksum", checksum)
          .execute();
    }
    LOG.info("Applied {} to schema {}", file, database.sql().schema());
  }

  /** The number in the name of a file, {@code V002__views.sql}. */
  private static int version(String file) {
    return Integer.parseInt(file.substring(1, 4));
  }

  private static long checksum(String text) {
    CRC32 checksum = new CRC32();
    checksum.update(text.getBytes(StandardCharsets.UTF_8));
    return checksum.getValue();
  }
}
