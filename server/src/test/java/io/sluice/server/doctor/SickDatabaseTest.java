package io.sluice.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.embedded.EmbeddedPostgres;
import io.sluice.testkit.TestPorts;
import io.sluice.testkit.TestPorts.ClosedPort;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real PostgreSQL that is made ill in one way after the other. */
@Tag("slow")
class SickDatabaseTest {
  @TempDir
  static Path folder;

  @TempDir
  Path data;

  private static EmbeddedPostgres postgres;

  @BeforeAll
  static void start() {
    postgres = EmbeddedPostgres.builder(folder).setting("max_connections", "50").start();
    execute("create role plain login password 'plain-password'");
    execute(
        "create database latin encoding 'LATIN1' locale_provider libc locale 'C' template template0");
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  @BeforeEach
  void heal() {
    execute(
        "alter system reset all",
        "alter role plain reset all",
        "alter role plain connection limit -1");
    execute("grant create on database postgres to plain", "select pg_reload_conf()");
    awaitSetting("fsync", "on");
    awaitSetting("autovacuum", "on");
    awaitSetting("full_page_writes", "on");
  }

  @AfterEach
  void leave() {
    execute("drop schema if exists theirs cascade");
  }

  private static void execute(String... statements) {
    try (Connection connection = DriverManager.getConnection(postgres.urlWithPassword());
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void set(String setting, String value) {
    execute("alter system set " + setting + " = " + value, "select pg_reload_conf()");
    awaitSetting(setting, value);
  }

  /** A reload is told to the postmaster, and comes to the others when it comes. */
  private static void awaitSetting(String setting, String value) {
    io.sluice.testkit.Eventually.await(setting + " is " + value, () -> {
      try (Connection connection = DriverManager.getConnection(postgres.urlWithPassword());
          Statement statement = connection.createStatement();
          var row = statement.executeQuery("show " + setting)) {
        return row.next() && row.getString(1).equals(value);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  private List<String> flags(String url, String user, String password, String... more) {
    List<String> flags = new ArrayList<>(List.of(
        "--port", "0",
        "--data", data.toString(),
        "--database-url", url,
        "--database-user", user,
        "--database-password", password));
    flags.addAll(List.of(more));
    return flags;
  }

  private List<String> plain(String... more) {
    return flags(postgres.jdbcUrl(), "plain", "plain-password", more);
  }

  @Test
  void healthyDatabase_hasNoFault() {
    Examination healthy = Examination.of(plain());
    assertThat(healthy.trouble()).isEmpty();
    assertThat(healthy.all())
        .anySatisfy(f -> assertThat(f.line()).startsWith("ok       database   PostgreSQL 18"));
    assertThat(healthy.all())
        .anySatisfy(f -> assertThat(f.line())
            .isEqualTo("ok       schema     The user plain has the rights that it needs."));
  }

  @Test
  void fsyncOff() {
    set("fsync", "off");
    Examination.of(plain())
        .foundAlone(
            Fault.FSYNC_OFF,
            "PostgreSQL runs with fsync off: a power cut may destroy the database.");
  }

  @Test
  void fullPageWritesOff() {
    set("full_page_writes", "off");
    Examination.of(plain())
        .foundAlone(
            Fault.FULL_PAGE_WRITES_OFF,
            "PostgreSQL runs with full_page_writes off: a power cut may destroy pages of the database.");
  }

  @Test
  void synchronousCommitOff_forTheUserAlone() {
    execute("alter role plain set synchronous_commit = off");
    Examination.of(plain())
        .foundAlone(
            Fault.SYNCHRONOUS_COMMIT_OFF,
            "PostgreSQL runs with synchronous_commit off: a crash loses jobs that were accepted.");
  }

  @Test
  void autovacuumOff() {
    set("autovacuum", "off");
    Examination.of(plain())
        .foundAlone(
            Fault.AUTOVACUUM_OFF,
            "PostgreSQL runs with autovacuum off: tables grow and claims become slow.");
  }

  @Test
  void notReachable() {
    try (ClosedPort closed = TestPorts.closed()) {
      String address = "127.0.0.1:" + closed.number();
      assertThat(Examination.of(flags("jdbc:postgresql://" + address + "/d", "u", "p"))
              .sentence(Fault.DATABASE_SILENT))
          .startsWith("PostgreSQL cannot be reached: Connection to " + address + " refused.");
    }
  }

  @Test
  void unknownHost() {
    Examination.of(flags("jdbc:postgresql://nowhere.invalid:5433/d?ssl=false", "u", "p"))
        .foundAlone(
            Fault.DATABASE_SILENT,
            "PostgreSQL cannot be reached: unknown host in nowhere.invalid:5433.");
  }

  @Test
  void wrongPassword() {
    Examination.of(flags(postgres.jdbcUrl(), "plain", "not-it"))
        .foundAlone(
            Fault.DATABASE_REFUSES,
            "PostgreSQL does not let the server in: password authentication failed for user \"plain\".");
  }

  @Test
  void noSuchDatabase() {
    Examination.of(
            flags(postgres.jdbcUrl().replace("/postgres", "/nowhere"), "plain", "plain-password"))
        .foundAlone(
            Fault.DATABASE_UNKNOWN, "PostgreSQL answers, but database \"nowhere\" does not exist.");
  }

  @Test
  void encodingOfTheLastCentury() {
    execute("grant create on database latin to plain");
    Examination.of(
            flags(postgres.jdbcUrl().replace("/postgres", "/latin"), "plain", "plain-password"))
        .foundAlone(
            Fault.ENCODING, "The database has the encoding LATIN1, which cannot hold every text.");
  }

  @Test
  void noConnectionLeft() {
    execute("alter role plain connection limit 0");
    Examination.of(plain())
        .foundAlone(
            Fault.DATABASE_FULL,
            "PostgreSQL has no connection left: too many connections for role \"plain\".");
  }

  @Test
  void tooFewConnectionsLeft() throws SQLException {
    List<Connection> others = new ArrayList<>();
    try {
      for (int i = 0; i < 30; i++) {
        others.add(DriverManager.getConnection(postgres.urlWithPassword()));
      }
      assertThat(Examination.of(plain()).sentence(Fault.CONNECTIONS_FEW))
          .matches(
              "PostgreSQL has 1[0-9] of its 50 connections left, and a process of Sluice takes up to 34\\.");
    } finally {
      for (Connection other : others) {
        other.close();
      }
    }
  }

  @Test
  void noRightToMakeTheSchema() {
    execute("revoke create on database postgres from plain");
    Examination.of(plain())
        .foundAlone(Fault.RIGHTS_MISSING, "The user plain may not make the schema 'sluice'.");
  }

  @Test
  void schemaOfSomebodyElse() {
    execute("create schema theirs");
    Examination.of(plain("--database-schema", "theirs"))
        .foundAlone(
            Fault.RIGHTS_MISSING, "The user plain may not make tables in the schema 'theirs'.");
    execute(
        "grant all on schema theirs to plain",
        "create table theirs.migration (part text, version int)");
    Examination.of(plain("--database-schema", "theirs"))
        .foundAlone(
            Fault.RIGHTS_MISSING,
            "The user plain may not change 1 tables of the schema 'theirs', which others own.");
  }

  @Test
  void transactionLeftOpen() throws SQLException {
    try (Connection other =
            DriverManager.getConnection(postgres.urlWithPassword() + "&ApplicationName=report");
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      try (var row = statement.executeQuery("select pg_backend_pid(), now()")) {
        row.next();
        Patient patient = io.sluice.server.Patients.of(
            flags(postgres.jdbcUrl(), "sluice", postgres.password()).toArray(String[]::new));
        Patient impatient = new Patient(
            patient.settings(),
            patient.problems(),
            new Patient.Needs(
                Runtime.version(),
                patient.needs().migrations(),
                1,
                1,
                Duration.ZERO,
                patient.needs().descriptors()),
            patient.clock());
        assertThat(Examination.of(impatient).sentence(Fault.TRANSACTION_LONG))
            .startsWith("A transaction of 'report' (process " + row.getInt(1)
                + " of PostgreSQL) is open since ");
        assertThat(Examination.of(patient).trouble()).isEmpty();
      }
    }
  }

  @Test
  void pooler_thatNobodySpokeOf() throws IOException {
    try (FakePooler pooler = new FakePooler(postgres.port())) {
      String url = postgres.jdbcUrl().replaceFirst(":\\d+/", ":" + pooler.port() + "/");
      List<String> flags = flags(url, "plain", "plain-password");
      Examination.of(flags)
          .foundAlone(
              Fault.POOLER_UNTOLD,
              "A connection pooler stands before PostgreSQL, and database-pooled is not set.");
      assertThat(Examination.of(flags, "--database-pooled").trouble()).isEmpty();
    }
  }

  @Test
  void pooler_thatIsNotThere() {
    Examination.of(plain("--database-pooled"))
        .foundAlone(
            Fault.POOLER_ABSENT,
            "Setting database-pooled is on, and no pooler stands before PostgreSQL.");
  }

  @Test
  void clockThatIsWrong() {
    Patient patient = io.sluice.server.Patients.of(plain().toArray(String[]::new));
    java.time.InstantSource late = () -> patient.clock().instant().plusSeconds(90);
    Examination.of(new Patient(patient.settings(), List.of(), patient.needs(), late))
        .foundAlone(Fault.CLOCK, "The clock of the database is 90 seconds away from the one here.");
  }

  @Test
  void versionThatIsTooOld(@TempDir Path old) {
    String jar = System.getProperty("sluice.test.postgres13");
    org.junit.jupiter.api.Assumptions.assumeTrue(jar != null, "no PostgreSQL 13 here");
    try (EmbeddedPostgres server =
        EmbeddedPostgres.builder(old).binaries(Path.of(jar)).start()) {
      assertThat(Examination.of(flags(server.jdbcUrl(), server.user(), server.password()))
              .sentence(Fault.DATABASE_TOO_OLD))
          .startsWith("PostgreSQL is version 13.")
          .endsWith(", and Sluice needs 14 or newer.");
    }
  }
}
