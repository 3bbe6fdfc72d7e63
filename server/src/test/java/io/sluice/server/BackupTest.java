package io.sluice.server;

import static io.sluice.server.Expect.ok;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Screen;
import io.sluice.server.Terminal.Ran;
import io.sluice.server.secret.MasterKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Backups and restores by the commands, on one PostgreSQL with many schemas. */
@Tag("slow")
class BackupTest {
  @TempDir
  static Path folder;

  private static final String SCHEMA = TestServer.newSchema();
  private static final Receiver RECEIVER = new Receiver();
  private static Path quiet;

  @BeforeAll
  static void makeOne() {
    try (TestServer server = TestServer.start(SCHEMA, key())) {
      EveryRow.fill(server.admin(), RECEIVER);
    }
    quiet = folder.resolve("quiet.backup");
    Ran ended = run("backup", SCHEMA, quiet.toString());
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.out()).startsWith("Wrote " + quiet + ": 8 jobs, ").contains(" tenants, ");
    assertThat(ended.err().lines()).singleElement().asString().contains("is not in it");
  }

  @AfterAll
  static void close() {
    RECEIVER.close();
  }

  private static MasterKey key() {
    return MasterKey.parse("key", TestServer.MASTER_KEY);
  }

  private static Ran run(String command, String schema, String... more) {
    return runWith(TestServer.MASTER_KEY, command, schema, more);
  }

  private static Ran runWith(String master, String command, String schema, String... more) {
    ServerSettings.DatabaseSettings database = TestServer.database(schema);
    List<String> words = new ArrayList<>(List.of(
        command,
        "--database-url",
        database.url(),
        "--database-schema",
        schema,
        "--database-user",
        String.valueOf(database.user()),
        "--data",
        folder.resolve("data-" + schema).toString()));
    words.addAll(List.of(more));
    Map<String, String> variables =
        new TreeMap<>(Map.of("SLUICE_DATABASE_PASSWORD", String.valueOf(database.password())));
    if (!master.isEmpty()) {
      variables.put("SLUICE_MASTER_KEY", master);
    }
    return new Terminal(variables, Screen.NONE).run(words.toArray(String[]::new));
  }

  private static boolean isEmpty(String schema) {
    return TestDatabase.rows(
            TestServer.database(SCHEMA),
            "select 1 from pg_namespace where nspname = '" + schema + "'")
        .isEmpty();
  }

  @Test
  void restore_bringsBackEveryTable_asItWas() {
    String schema = TestServer.newSchema();
    Ran ended = run("restore", schema, quiet.toString());
    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.out()).startsWith("Restored " + quiet + ": 8 jobs, ");
    assertThat(ended.err()).isEmpty();
    Map<String, List<String>> before = Tables.of(TestServer.database(SCHEMA));
    Map<String, List<String>> after = Tables.of(TestServer.database(schema));
    assertThat(before.keySet()).contains("job", "done", "ready", "later", "url_group", "audit");
    assertThat(after.keySet()).isEqualTo(before.keySet());
    before.forEach((table, rows) -> assertThat(after.get(table)).as(table).isEqualTo(rows));
    long rows = before.values().stream().mapToLong(List::size).sum();
    System.out.printf("restored and compared: %d tables, %d rows%n", before.size(), rows);
  }

  @Test
  void backup_isForItsUserAlone_holdsNoKey_andIsNotOverwritten() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(quiet)))
        .isEqualTo("rw-------");
    assertThat(entries(quiet))
        .contains("manifest.json", "tables/job")
        .noneMatch(name -> name.startsWith("keys/"));
    byte[] before = Files.readAllBytes(quiet);
    Ran again = run("backup", SCHEMA, quiet.toString());
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.err()).contains("is there already", "--force");
    assertThat(Files.readAllBytes(quiet)).isEqualTo(before);
    assertThat(run("backup", SCHEMA, quiet.toString(), "--force").code()).isZero();
    assertThat(quiet.resolveSibling("quiet.backup.part")).doesNotExist();
  }

  @Test
  void backup_namesAFolderThatIsNotThere_andShowsTablesToThoseWhoWantThem() {
    Path nowhere = folder.resolve("nowhere");
    Ran refused =
        run("backup", SCHEMA, folder.resolve("x/../nowhere").resolve("a.backup").toString());
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err().strip())
        .isEqualTo("sluice: cannot write " + nowhere.resolve("a.backup") + ": folder " + nowhere
            + " does not exist");
    assertThat(nowhere).doesNotExist();
    Path file = folder.resolve("verbose.backup");
    assertThat(run("backup", SCHEMA, file.toString(), "--verbose").err()).contains("job: 8 rows");
  }

  private static List<String> entries(Path file) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return zip.stream().map(ZipEntry::getName).toList();
    }
  }

  @Test
  void withKeys_theyComeBackWithARestore() throws IOException {
    Path file = folder.resolve("keys.backup");
    Ran written = run("backup", SCHEMA, file.toString(), "--with-keys");
    assertThat(written.err()).contains("whoever has the file has every secret");
    String schema = TestServer.newSchema();
    Ran restored = runWith("", "restore", schema, file.toString());
    assertThat(restored.code()).as(restored.err()).isZero();
    Path key = folder.resolve("data-" + schema).resolve("master.key");
    assertThat(key).content().isEqualToIgnoringNewLines(TestServer.MASTER_KEY);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
  }

  @Test
  void restore_isRefused_whereSomethingIsAlready() {
    Map<String, List<String>> before = Tables.of(TestServer.database(SCHEMA));
    Ran refused = run("restore", SCHEMA, quiet.toString());
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("is not empty", "never overwrites");
    assertThat(Tables.of(TestServer.database(SCHEMA))).isEqualTo(before);
  }

  @Test
  void restore_isRefused_withoutTheMasterKey_andWithAnotherOne() {
    String schema = TestServer.newSchema();
    Ran without = runWith("", "restore", schema, quiet.toString());
    assertThat(without.code()).isEqualTo(1);
    assertThat(without.err()).contains("the master key is missing", "copy master.key");
    Ran other =
        runWith(MasterKey.generate(new SecureRandom()), "restore", schema, quiet.toString());
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.err()).contains("the master key here is", "were encrypted with");
    assertThat(isEmpty(schema)).isTrue();
  }

  @Test
  void restore_ofWhatIsNoWholeBackup_saysSo_andLeavesNothing() throws IOException {
    byte[] whole = Files.readAllBytes(quiet);
    Path bad = folder.resolve("bad.backup");
    String schema = TestServer.newSchema();
    for (int length : new int[] {0, 100, whole.length / 2, whole.length - 1}) {
      Files.write(bad, Arrays.copyOf(whole, length));
      refused(schema, bad, "not a backup, or only a part of one");
    }
    Files.writeString(bad, "select 1;\n".repeat(100));
    refused(schema, bad, "not a backup");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(bad))) {
      zip.putNextEntry(new ZipEntry("something.txt"));
    }
    refused(schema, bad, "not a backup of Sluice");
    refused(schema, folder.resolve("nowhere"), "there is no such file");
    rewrite(bad, "manifest.json", text -> text.replace("\"format\" : 1", "\"format\" : 2"));
    refused(schema, bad, "it has the form 2");
    rewrite(bad, "manifest.json", text -> text.replaceFirst("\"server\" : \\[ 1", "$0, 999"));
    refused(schema, bad, "newer version of Sluice");
    rewrite(bad, "manifest.json", text -> text.substring(0, text.length() / 2));
    refused(schema, bad, "it is damaged");
    rewrite(bad, "tables/audit", text -> text.replaceFirst("tenant.create", "tenant.delete"));
    refused(schema, bad, "table audit is not as it was written");
    rewrite(bad, "tables/audit", text -> text.substring(text.indexOf('\n') + 1));
    refused(schema, bad, "table audit is not as it was written");
    rewrite(bad, "tables/queue", text -> text.replace('\t', ' '));
    refused(schema, bad, "table queue cannot be taken");
  }

  /** Every byte in its turn would take too long; some from all over do. */
  @Test
  @Tag("long")
  void restore_ofABackupWithAWrongByte_isRefused_orTheSame() throws IOException {
    byte[] whole = Files.readAllBytes(quiet);
    Path bad = folder.resolve("flipped.backup");
    String schema = TestServer.newSchema();
    int refused = 0;
    for (int at = 40; at < whole.length - 2_000; at += whole.length / 12) {
      byte[] changed = whole.clone();
      changed[at] ^= 0x55;
      Files.write(bad, changed);
      Ran ended = run("restore", schema, bad.toString());
      if (ended.code() == 0) {
        // The file says some things twice, and reading needs them once.
        assertThat(Tables.of(TestServer.database(schema)))
            .isEqualTo(Tables.of(TestServer.database(SCHEMA)));
        TestDatabase.execute(TestServer.database(schema), "drop schema " + schema + " cascade");
      } else {
        assertThat(ended.err()).contains("cannot be restored");
        refused++;
      }
      assertThat(isEmpty(schema)).isTrue();
    }
    assertThat(refused).isGreaterThan(5);
  }

  private static void refused(String schema, Path file, String why) {
    Ran ended = run("restore", schema, file.toString());
    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.err()).contains(why).doesNotContain("this should not happen");
    assertThat(isEmpty(schema)).isTrue();
  }

  private static void rewrite(Path to, String entry, UnaryOperator<String> change)
      throws IOException {
    try (ZipFile zip = new ZipFile(quiet.toFile());
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(to))) {
      for (ZipEntry each : Collections.list(zip.entries())) {
        String text = new String(zip.getInputStream(each).readAllBytes(), StandardCharsets.UTF_8);
        out.putNextEntry(new ZipEntry(each.getName()));
        out.write((each.getName().equals(entry) ? change.apply(text) : text)
            .getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  /** A limit on the size of files stands for a disk that is full: the same write fails, in the middle. */
  @Test
  void backup_whenTheDiskIsFull_saysSo_andLeavesNothing() throws Exception {
    ServerSettings.DatabaseSettings database = TestServer.database(SCHEMA);
    Path file = folder.resolve("full.backup");
    ProcessBuilder program = new ProcessBuilder(
            "bash",
            "-c",
            "ulimit -f 4; exec \"$@\"",
            "bash",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "backup",
            file.toString(),
            "--database-url",
            database.url(),
            "--database-schema",
            SCHEMA)
        .redirectErrorStream(true);
    program.environment().put("SLUICE_DATABASE_USER", String.valueOf(database.user()));
    program.environment().put("SLUICE_DATABASE_PASSWORD", String.valueOf(database.password()));
    Process process = program.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(1);
    assertThat(said).contains("cannot write " + file + ": the backup was not made");
    assertThat(file).doesNotExist();
    assertThat(folder.resolve("full.backup.part")).doesNotExist();
  }

  @Test
  void jobThatRan_waitsAgain_andNoClaimOfTheWorldBeforeFits() {
    String schema = TestServer.newSchema();
    Path file = folder.resolve("running.backup");
    String claim;
    try (TestServer server = TestServer.start(schema, key())) {
      claim = EveryRow.running(server.admin());
      assertThat(run("backup", schema, file.toString()).code()).isZero();
    }
    TestDatabase.execute(TestServer.database(schema), "drop schema " + schema + " cascade");
    Ran restored = run("restore", schema, file.toString());
    assertThat(restored.code()).as(restored.err()).isZero();
    try (TestServer server = TestServer.start(schema, key())) {
      Client admin = server.admin();
      String lease = claim.replaceAll("(?s).*\"lease\" ?: ?\"([^\"]+)\".*", "$1");
      assertThat(
              admin.post("/v1/leases/" + lease + "/complete", "{\"result\":1}").status())
          .as("a worker of the world before")
          .isIn(404, 409, 410);
      Client.Reply again =
          admin.post("/v1/queues/pulled/claim", "{\"worker\":\"w\",\"max\":1,\"leaseFor\":\"1h\"}");
      String newLease = again.raw().body().replaceAll("(?s).*\"lease\" ?: ?\"([^\"]+)\".*", "$1");
      assertThat(newLease).isNotEqualTo(lease);
      assertThat(
              admin.post("/v1/leases/" + lease + "/complete", "{\"result\":1}").status())
          .as("the same, while the job runs in the new world")
          .isIn(404, 409, 410);
      assertThat(admin
              .post("/v1/leases/" + newLease + "/complete", "{\"result\":1}")
              .status())
          .isLessThan(300);
    }
  }

  @Test
  void jobForLater_holdsUpNobodyOfItsOrder_afterARestore() {
    String schema = TestServer.newSchema();
    Path file = folder.resolve("ordered.backup");
    String later;
    String now;
    try (TestServer server = TestServer.start(schema, key())) {
      Client admin = server.admin();
      ok(201, admin.post("/v1/queues", "{\"name\":\"inorder\",\"ordered\":\"queue\"}"));
      String job = "{\"queue\":\"inorder\",\"type\":\"t\"";
      later = ok(201, admin.post("/v1/jobs", job + ",\"delay\":\"30d\"}"))
          .path("id")
          .asString();
      now = ok(201, admin.post("/v1/jobs", job + "}")).path("id").asString();
      assertThat(run("backup", schema, file.toString()).code()).isZero();
    }
    TestDatabase.execute(TestServer.database(schema), "drop schema " + schema + " cascade");
    Ran restored = run("restore", schema, file.toString());
    assertThat(restored.code()).as(restored.err()).isZero();
    try (TestServer server = TestServer.start(schema, key())) {
      Client admin = server.admin();
      JsonNode items = ok(
              200, admin.post("/v1/queues/inorder/claim", "{\"worker\":\"w\",\"wait\":\"5s\"}"))
          .path("items");
      assertThat(items.size()).as("the job for now may run").isEqualTo(1);
      assertThat(items.at("/0/job/id").asString()).isEqualTo(now);
      Expect.refused(409, "CONFLICT", admin.post("/v1/jobs/" + later + "/retry", null));
    }
  }
}
