package io.sluice.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.embedded.EmbeddedPostgres;
import io.sluice.server.Patients;
import io.sluice.server.Pem;
import io.sluice.server.TestServer;
import io.sluice.testkit.TestPorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders, ports, files, keys and tables that are not as they should be. */
@Tag("slow")
class SickSetupTest {
  private static final String OTHER_MASTER = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
  private static TestServer server;

  @TempDir
  Path data;

  @BeforeAll
  static void serve() {
    server = TestServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** A set-up that is well, on the database of the server; later flags add to it. */
  private List<String> well(String... more) {
    List<String> flags = new ArrayList<>(Patients.database(schema()));
    flags.addAll(List.of("--data", data.toString(), "--port", "0"));
    flags.addAll(List.of(more));
    return flags;
  }

  private List<String> wellWithKey(String... more) {
    List<String> flags = well("--master-key", TestServer.MASTER_KEY);
    flags.addAll(List.of(more));
    return flags;
  }

  private static String schema() {
    return server.query("select '{schema}'").getFirst();
  }

  private static void close(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void setUpThatIsWell_hasNoTrouble() {
    Examination healthy = Examination.of(wellWithKey());
    assertThat(healthy.trouble()).isEmpty();
    assertThat(healthy.all().stream().map(Finding::line))
        .contains(
            "ok       keys       The master key is the one that the database needs.",
            "ok       schema     Its tables are of this version.");
  }

  @Test
  void javaThatIsTooOld() {
    Patient patient = Patients.of(wellWithKey().toArray(String[]::new));
    Patient.Needs needs = patient.needs();
    Examination.of(new Patient(
            patient.settings(),
            List.of(),
            new Patient.Needs(
                Runtime.Version.parse("17.0.9"),
                needs.migrations(),
                needs.connections(),
                Long.MAX_VALUE,
                needs.openFor(),
                needs.descriptors()),
            patient.clock()))
        .found(Fault.JDK_TOO_OLD, "This is Java 17.0.9, and Sluice needs 21 or newer.")
        .sentence(Fault.DISK_LOW);
  }

  @Test
  void fewDescriptors() {
    Patient patient = Patients.of(wellWithKey().toArray(String[]::new));
    Patient.Needs needs = patient.needs();
    Examination.of(new Patient(
            patient.settings(),
            List.of(),
            new Patient.Needs(
                needs.java(),
                needs.migrations(),
                needs.connections(),
                0,
                needs.openFor(),
                OptionalLong.of(1024)),
            patient.clock()))
        .foundAlone(
            Fault.DESCRIPTORS_FEW,
            "A process may have 1024 files open here, which leaves room for 568 connections, not"
                + " the 10000 of max-connections.");
  }

  @Test
  void configFileWithAnUnknownKey() throws IOException {
    Path file = Files.writeString(data.resolve("sluice.yaml"), "port: 0\nslotz: 3\n");
    Examination.of(List.of("--config", file.toString()))
        .foundAlone(
            Fault.SETTING_WRONG, "sluice.yaml line 2: slotz is not a setting; did you mean slots?");
  }

  @Test
  void portOfAnotherProgram() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<String> flags = new ArrayList<>(wellWithKey());
      flags.set(flags.indexOf("--port") + 1, String.valueOf(taken.getLocalPort()));
      Examination.of(flags)
          .foundAlone(
              Fault.PORT_TAKEN,
              "Port " + taken.getLocalPort() + " is taken by process "
                  + ProcessHandle.current().pid() + " (java), which is not a Sluice.");
    }
  }

  @Test
  void portOfASluice_isWell() {
    List<String> flags = new ArrayList<>(wellWithKey());
    flags.set(flags.indexOf("--port") + 1, server.port());
    Examination served = Examination.of(flags);
    assertThat(served.trouble()).isEmpty();
    assertThat(served.all().stream().map(Finding::line))
        .contains("ok       port       A Sluice serves on port " + server.port() + ".");
  }

  @Test
  void hostOfAnotherMachine() {
    assertThat(Examination.of(wellWithKey("--host", "192.0.2.1")).sentence(Fault.HOST_NOT_HERE))
        .startsWith("Nobody can listen on 192.0.2.1 here: ");
  }

  @Test
  void keyFilesThatOthersCanRead() throws IOException {
    Path key = Files.writeString(data.resolve("admin.key"), "k");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    Examination.of(wellWithKey())
        .foundAlone(Fault.KEY_READABLE, "Other users of this machine can read " + key + ".");
  }

  @Test
  void folderOfSomebodyElse() throws IOException {
    Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "only root gives away");
    Path folder = Files.createDirectory(data.resolve("theirs"));
    Files.setOwner(
        folder,
        folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    List<String> flags = new ArrayList<>(wellWithKey());
    flags.set(flags.indexOf("--data") + 1, folder.toString());
    Examination.of(flags)
        .foundAlone(
            Fault.FOLDER_OWNER,
            "The data folder " + folder + " belongs to nobody, and this is root.");
  }

  @Test
  void certificates_thatAreOver_nearTheirEnd_orEarly() {
    Pem over = Pem.make(data, "over", "-startdate", "-10d", "-validity", "3");
    assertThat(tls(over).sentence(Fault.CERTIFICATE_EXPIRED))
        .startsWith("The certificate in " + over.cert() + " expired at 20");
    Pem soon = Pem.make(data, "soon", "-validity", "5");
    assertThat(tls(soon).sentence(Fault.CERTIFICATE_SOON))
        .startsWith("The certificate in " + soon.cert() + " expires at 20");
    Pem early = Pem.make(data, "early", "-startdate", "+2d", "-validity", "90");
    assertThat(tls(early).sentence(Fault.CERTIFICATE_EARLY))
        .startsWith("The certificate in " + early.cert() + " is good only from 20");
    Pem good = Pem.make(data, "good", "-validity", "90");
    assertThat(tls(good).trouble()).isEmpty();
    tls(new Pem(good.cert(), soon.key()))
        .foundAlone(
            Fault.SETTING_WRONG,
            "tls-key: " + soon.key() + " is not the key of the first certificate in " + good.cert()
                + ".");
  }

  private Examination tls(Pem pem) {
    return Examination.of(
        wellWithKey("--tls-cert", pem.cert().toString(), "--tls-key", pem.key().toString()));
  }

  @Test
  void issuerThatDoesNotAnswer() {
    assertThat(Examination.of(wellWithKey(
                "--jwt-issuer",
                "i",
                "--jwt-audience",
                "a",
                "--jwt-jwks-url",
                "https://127.0.0.1:1/keys"))
            .sentence(Fault.ISSUER_SILENT))
        .startsWith("The keys of the token issuer cannot be had from https://127.0.0.1:1/keys: ");
  }

  @Test
  void masterKey_thatIsAnotherOne_orIsMissing() {
    assertThat(Examination.of(well("--master-key", OTHER_MASTER)).sentence(Fault.MASTER_KEY_OTHER))
        .matches(
            "Credentials in the database are encrypted with master key [0-9a-f]{8}, and given is [0-9a-f]{8}\\.");
    assertThat(Examination.of(well()).sentence(Fault.MASTER_KEY_MISSING))
        .matches(
            "Credentials in the database are encrypted with master key [0-9a-f]{8}, and none is here\\.");
  }

  @Test
  void masterKey_isAlsoReadFromTheFolder() throws IOException {
    close(Files.writeString(data.resolve("master.key"), TestServer.MASTER_KEY + "\n"));
    assertThat(Examination.of(well()).trouble()).isEmpty();
  }

  @Test
  void apiKeys_thatHaveExpired_orWillSoon() {
    try (TestServer own = TestServer.start()) {
      own.admin().post("/v1/tenants/default/keys", "{\"name\":\"shop\",\"role\":\"producer\"}");
      String schema = own.query("select '{schema}'").getFirst();
      List<String> flags = new ArrayList<>(wellWithKey());
      flags.set(flags.indexOf("--database-schema") + 1, schema);
      own.query("update {schema}.api_key set expires_at = now() - interval '1 hour'");
      Examination.of(flags)
          .foundAlone(
              Fault.API_KEYS_EXPIRED,
              "Expired in the last 30 days: API key 'shop' of tenant default.");
      own.query("update {schema}.api_key set expires_at = now() + interval '1 hour'");
      Examination.of(flags)
          .foundAlone(
              Fault.API_KEYS_SOON, "Expires within 7 days: API key 'shop' of tenant default.");
    }
  }

  @Test
  void tablesOfAnotherVersion() {
    try (TestServer own = TestServer.start()) {
      String schema = own.query("select '{schema}'").getFirst();
      List<String> flags = new ArrayList<>(wellWithKey());
      flags.set(flags.indexOf("--database-schema") + 1, schema);
      String newest = own.query(
              "select max(version)::text from {schema}.migration where part = 'jobs'")
          .getFirst();
      own.query(
          "insert into {schema}.migration (part, version, file, checksum) values ('jobs', 900, 'V900__x.sql', 1)");
      Examination.of(flags)
          .foundAlone(
              Fault.SCHEMA_NEWER,
              "The tables of 'jobs' are at version 900, and this Sluice knows " + newest
                  + ": a newer one was here.");
      own.query("delete from {schema}.migration where part = 'jobs' and version > 1");
      Examination.of(flags)
          .foundAlone(
              Fault.SCHEMA_OLDER,
              "The tables of 'jobs' are at version 1, and this Sluice brings them to " + newest
                  + " at its start.");
    }
  }

  @Test
  void embeddedPostgres_thatRuns_thatHasLostItsServer_thatStands_andThatIsBroken()
      throws IOException {
    List<String> flags = List.of("--data", data.toString(), "--port", "0");
    Path folder = data.resolve("postgres");
    openForOthers();
    try (EmbeddedPostgres running =
        EmbeddedPostgres.builder(folder).unprivileged(data).start()) {
      assertThat(Examination.of(flags).trouble()).isEmpty();
      inUse();
      Files.writeString(folder.resolve("owner.pid"), "4194304\n");
      Examination.of(flags)
          .foundAlone(
              Fault.ORPHAN,
              "PostgreSQL " + running.pid()
                  + " still runs in the data folder, and the server that started it is dead.");
    }
    Examination standing = Examination.of(flags);
    assertThat(standing.trouble()).isEmpty();
    assertThat(standing.all()).anySatisfy(f -> assertThat(f.says()).startsWith("PostgreSQL 18"));
    Files.writeString(folder.resolve("pgdata/PG_VERSION"), "12\n");
    assertThat(Examination.of(flags).sentence(Fault.EMBEDDED_BROKEN))
        .startsWith("The embedded PostgreSQL does not start: data folder ")
        .contains("was made by PostgreSQL 12");
  }

  /** As root's user of PostgreSQL must find it, or the doctor would warn that there is none. */
  private void openForOthers() throws IOException {
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx--x--x"));
  }

  @Test
  void embeddedPostgres_withTheRightsOfRoot() throws IOException {
    Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "only root has these");
    Path folder = data.resolve("postgres");
    EmbeddedPostgres.builder(folder).start().close();
    Examination.of(List.of("--data", data.toString(), "--port", "0"))
        .foundAlone(
            Fault.POSTGRES_AS_ROOT,
            "The embedded PostgreSQL in " + folder.resolve("pgdata")
                + " has root's rights on files: whoever gets into it has this machine.");
  }

  /** The folder has its server, which serves on another port than the one that is asked about. */
  private void inUse() throws IOException {
    int port = TestPorts.free();
    List<String> flags = List.of("--data", data.toString(), "--port", String.valueOf(port));
    long owner = ProcessHandle.current().pid();
    Examination.of(flags)
        .foundAlone(
            Fault.FOLDER_IN_USE,
            "The data folder " + data + " is in use by process " + owner
                + ", which does not serve on port " + port + ".");
    Path note = Files.writeString(data.resolve("server.address"), "http://127.0.0.1:" + port);
    Examination served = Examination.of(flags);
    assertThat(served.trouble()).isEmpty();
    assertThat(served.all().stream().map(Finding::says))
        .contains("It is in use by the server with process " + owner + ".");
    Files.delete(note);
  }
}
