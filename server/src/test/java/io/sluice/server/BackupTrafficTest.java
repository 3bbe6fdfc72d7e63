package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Screen;
import io.sluice.server.Terminal.Ran;
import io.sluice.server.secret.MasterKey;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup amid deliveries, and another server that goes on from it when the first one is no more. */
@Tag("slow")
class BackupTrafficTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Terminal TERMINAL = new Terminal(Map.of(), Screen.NONE);

  @TempDir
  Path folder;

  private static void enqueue(Client client, String target, int from, int count) {
    String jobs = IntStream.range(from, from + count)
        .mapToObj(i -> "{\"url\":\"" + target + "/" + i
            + "\",\"headers\":{\"Authorization\":\"s\"}," + "\"idempotencyKey\":\"k" + i + "\"}")
        .collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
    assertThat(client.post("/v1/jobs/batch", jobs).status()).isEqualTo(201);
  }

  private static long count(Client client, String state) {
    return client.get("/v1/stats").body().at("/byState/" + state).asLong();
  }

  /** The ids and the targets of the jobs in a backup. */
  private static Set<String> jobs(Path file) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      byte[] text = zip.getInputStream(zip.getEntry("tables/job")).readAllBytes();
      return new String(text, StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.split("\t", -1)[1])
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static void accounted(
      String how, Client second, Set<String> jobs, SlowReceiver receiver) {
    Eventually.await("all completed", PATIENCE, () -> count(second, "COMPLETED") == jobs.size());
    int completed = 0;
    for (String id : jobs) {
      assertThat(second.get("/v1/jobs/" + id).text("/state")).isEqualTo("COMPLETED");
      completed++;
    }
    System.out.printf(
        "%s: %d jobs in the backup, %d completed after the restore; %d deliveries of %d targets%n",
        how, jobs.size(), completed, receiver.requests(), receiver.paths().size());
  }

  @Test
  void restoredElsewhere_deliversTheRest() throws IOException {
    String before = TestServer.newSchema();
    String after = TestServer.newSchema();
    Path file = folder.resolve("amid.backup");
    MasterKey key = MasterKey.parse("key", TestServer.MASTER_KEY);
    try (SlowReceiver receiver = new SlowReceiver(Duration.ofMillis(20))) {
      try (TestServer server = TestServer.start(before, key)) {
        enqueue(server.admin(), receiver.url(), 0, 600);
        Eventually.await("some", PATIENCE, () -> receiver.paths().size() > 50);
        ok(run("backup", before, file.toString()));
        enqueue(server.admin(), receiver.url(), 600, 10);
      }
      ok(run("restore", after, file.toString()));
      try (TestServer second = TestServer.start(after, key)) {
        accounted("in one process", second.admin(), jobs(file), receiver);
        assertThat(jobs(file)).hasSize(600);
        assertThat(receiver.paths()).hasSizeGreaterThanOrEqualTo(600);
      }
    }
  }

  private static Ran run(String command, String schema, String file) {
    ServerSettings.DatabaseSettings database = TestServer.database(schema);
    return new Terminal(
            Map.of(
                "SLUICE_DATABASE_URL", database.url(),
                "SLUICE_DATABASE_USER", String.valueOf(database.user()),
                "SLUICE_DATABASE_PASSWORD", String.valueOf(database.password()),
                "SLUICE_DATABASE_SCHEMA", schema,
                "SLUICE_MASTER_KEY", TestServer.MASTER_KEY),
            Screen.NONE)
        .run(command, file);
  }

  private static void ok(Ran ended) {
    assertThat(ended.code()).as(ended.err()).isZero();
  }

  @Test
  @Tag("long")
  void dataFolderOfAKilledServer_isRestoredToAnother_andItsServerDeliversTheRest()
      throws IOException {
    int jobs = 5_000;
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    Path file = folder.resolve("amid.backup");
    try (SlowReceiver receiver = new SlowReceiver(Duration.ofMillis(30))) {
      try (ServerProcess server = ServerProcess.serve(
          folder, "--data", first.toString(), "--allow-target", "127.0.0.0/8")) {
        Client client = new Client(server.address(), server.key());
        for (int i = 0; i < jobs; i += 1_000) {
          enqueue(client, receiver.url(), i, 1_000);
        }
        Eventually.await("a fifth", PATIENCE, () -> receiver.paths().size() > jobs / 5);
        ok(TERMINAL.run("backup", file.toString(), "--data", first.toString()));
        server.kill();
      }
      Files.createDirectory(second);
      assertThat(TERMINAL
              .run("restore", file.toString(), "--data", second.toString())
              .err())
          .contains("the master key is missing");
      Files.copy(first.resolve("master.key"), second.resolve("master.key"));
      ok(TERMINAL.run("restore", file.toString(), "--data", second.toString()));
      try (ServerProcess server = ServerProcess.serve(
          folder, "--data", second.toString(), "--allow-target", "127.0.0.0/8")) {
        accounted(
            "two processes", new Client(server.address(), server.key()), jobs(file), receiver);
        assertThat(receiver.paths()).hasSize(jobs);
      }
      // And the files of one that does not run: its PostgreSQL is started for the backup alone.
      ok(TERMINAL.run(
          "backup", folder.resolve("cold.backup").toString(), "--data", second.toString()));
      assertThat(jobs(folder.resolve("cold.backup"))).isEqualTo(jobs(file));
    }
  }
}
