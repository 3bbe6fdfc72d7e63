package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.cli.Screen;
import io.sluice.server.secret.MasterKey;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The change of the master key over REST, on servers that run. */
@Tag("slow")
class MasterKeyRotationTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  /** The version and most of the id of the data key, which a sealed text begins with. */
  private static final Pattern SEALED = Pattern.compile("sluice-sealed:([A-Za-z0-9_-]{6})");

  @TempDir
  Path folder;

  private final Receiver receiver = new Receiver();
  private final String schema = TestServer.newSchema();

  @AfterEach
  void close() {
    receiver.close();
  }

  private static String newKey() {
    return MasterKey.generate(new SecureRandom());
  }

  private MasterKey inFile() throws IOException {
    Path file = folder.resolve("master.key");
    if (!Files.exists(file)) {
      Files.writeString(file, newKey() + "\n");
    }
    return MasterKey.inFile(file, Files.readString(file));
  }

  private static Client.Reply rotate(TestServer server) {
    return server.admin().post("/v1/master-key/rotate", null);
  }

  private static Client.Reply status(TestServer server) {
    return server.admin().get("/v1/master-key");
  }

  private static void awaitIdle(TestServer server) {
    Eventually.await("rotated", PATIENCE, () -> status(server).text("/state").equals("idle"));
  }

  private static Set<String> dataKeys(TestServer server) {
    Set<String> keys = new TreeSet<>();
    Matcher found = SEALED.matcher(server.dump());
    while (found.find()) {
      keys.add(found.group(1));
    }
    return keys;
  }

  /** A group with every kind of secret, a job that waits with some of its own, and a dead one. */
  private String fill(TestServer server) {
    Client admin = server.admin();
    String group =
        "{\"name\":\"g\",\"baseUrl\":\"%s\",\"auth\":{\"type\":\"bearer\",\"token\":\"tok\"},"
                .formatted(receiver.url())
            + "\"defaultHeaders\":{\"X-Api-Key\":\"header\"},\"signing\":{\"scheme\":\"wstash\","
            + "\"secrets\":[\"a-signing-secret-of-a-good-length\"]}}";
    assertThat(admin.post("/v1/url-groups", group).status()).isEqualTo(201);
    receiver.answer("/dead", got -> Receiver.Reply.of(400));
    String dead = admin
        .post(
            "/v1/jobs",
            "{\"url\":\"%s/dead?token=q1\",\"headers\":{\"Authorization\":\"h1\"}}"
                .formatted(receiver.url()))
        .text("/id");
    Eventually.await(
        "dead",
        () -> Set.of("DEAD", "FAILED").contains(admin.get("/v1/jobs/" + dead).text("/state")));
    Client.Reply waiting = admin.post(
        "/v1/jobs",
        "{\"urlGroup\":\"g\",\"path\":\"/later?sig=q2\",\"headers\":{\"X-Session-Token\":\"h2\"},"
            + "\"callbackUrl\":\"%s/told?token=q3\",\"delay\":\"1h\"}".formatted(receiver.url()));
    assertThat(waiting.status()).as(waiting.raw().body()).isEqualTo(201);
    return dead;
  }

  @Test
  void rotate_ofAKeyInTheDataFolder_sealsEverythingAnew_andDropsTheOldKey() throws IOException {
    MasterKey old = inFile();
    String before = Files.readString(folder.resolve("master.key")).strip();
    try (TestServer server = TestServer.start(schema, old)) {
      String dead = fill(server);
      Set<String> keysBefore = dataKeys(server);
      assertThat(keysBefore).isNotEmpty();
      Client.Reply begun = rotate(server);
      assertThat(begun.status()).as(begun.raw().body()).isEqualTo(202);
      awaitIdle(server);
      Eventually.await(
          "the old key is gone", PATIENCE, () -> !read("master.key").contains(before));
      assertThat(read("master.key").strip()).hasSize(44);
      assertThat(PosixFilePermissions.toString(
              Files.getPosixFilePermissions(folder.resolve("master.key"))))
          .isEqualTo("rw-------");
      assertThat(dataKeys(server)).isNotEmpty().doesNotContainAnyElementsOf(keysBefore);
      Client.Reply done = status(server);
      assertThat(done.body().at("/rows/unreadable").asInt()).isZero();
      assertThat(done.body().at("/rows/resealed").asInt()).isEqualTo(3 + 2 + 3);
      assertThat(
              server.admin().get("/v1/audit?action=master-key.rotated").body().at("/items"))
          .hasSize(1);
      deliversWithItsSecrets(server, dead);
    }
    try (TestServer again = TestServer.start(schema, inFile())) {
      assertThat(again.admin().get("/v1/url-groups/g/auth/test").status()).isEqualTo(200);
    }
  }

  private static Terminal.Ran command(TestServer server, String... words) {
    String[] all = new String[words.length + 1];
    all[0] = "master-key";
    System.arraycopy(words, 0, all, 1, words.length);
    return new Terminal(
            Map.of("SLUICE_SERVER", server.admin().address(), "SLUICE_KEY", TestServer.ADMIN_KEY),
            Screen.NONE)
        .run(all);
  }

  private String read(String file) {
    try {
      return Files.readString(folder.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void deliversWithItsSecrets(TestServer server, String dead) {
    receiver.answer("/dead", got -> Receiver.Reply.of(200));
    int before = receiver.got("/dead").size();
    assertThat(server.admin().post("/v1/dlq/" + dead + "/replay", null).status())
        .isLessThan(300);
    Receiver.Got got = receiver.await("/dead", before + 1);
    assertThat(got.uri()).isEqualTo("/dead?token=q1");
    assertThat(got.header("Authorization")).isEqualTo("h1");
    server.query("update {schema}.later set run_at = now()");
    Receiver.Got later = receiver.await("/later", 1);
    assertThat(later.uri()).isEqualTo("/later?sig=q2");
    assertThat(later.header("X-Session-Token")).isEqualTo("h2");
    assertThat(later.header("X-Api-Key")).isEqualTo("header");
    assertThat(later.header("Authorization")).isEqualTo("Bearer tok");
    assertThat(receiver.await("/told", 1).uri()).isEqualTo("/told?token=q3");
  }

  @Test
  void rotate_isRefused_whileAServerLacksTheNewKey_andGoesOnWithoutIt() {
    String old = newKey();
    String next = newKey();
    try (TestServer behind = TestServer.start(schema, MasterKey.parse("key", old))) {
      fill(behind);
      Client.Reply single = rotate(behind);
      assertThat(single.status()).isEqualTo(409);
      assertThat(single.raw().body()).contains("NEW,OLD");
      try (TestServer server = TestServer.start(schema, MasterKey.parse("key", next + "," + old))) {
        Client.Reply refused = rotate(server);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.raw().body()).contains("do not have the new master key");
        assertThat(behind.admin().get("/v1/url-groups/g/auth/test").status()).isEqualTo(200);
        behind.close();
        assertThat(rotate(server).status()).isEqualTo(202);
        awaitIdle(server);
        assertThat(status(server).text("/message")).contains("may be taken away");
      }
    }
    try (TestServer alone = TestServer.start(schema, MasterKey.parse("key", next))) {
      assertThat(alone.admin().get("/v1/url-groups/g/auth/test").status()).isEqualTo(200);
    }
    assertThat(catchThrowable(() -> TestServer.start(schema, MasterKey.parse("key", old))))
        .hasMessageContaining("another master key");
  }

  @Test
  void rotate_onServersThatShareTheFile_reachesAll_andEachOpensWhatTheOtherSeals()
      throws IOException {
    try (TestServer one = TestServer.start(schema, inFile());
        TestServer two = TestServer.start(schema, inFile())) {
      fill(one);
      Set<String> before = dataKeys(one);
      assertThat(two.admin().get("/v1/url-groups/g/auth/test").status()).isEqualTo(200);
      Terminal.Ran rotated = command(two, "rotate");
      assertThat(rotated.code()).as(rotated.err()).isZero();
      assertThat(rotated.out()).contains("idle", "data-folder", "2 of 2 under it");
      assertThat(command(one, "status", "--json").out()).contains("\"state\"", "\"idle\"");
      assertThat(dataKeys(one)).doesNotContainAnyElementsOf(before);
      one.admin().post("/v1/url-groups/g/auth", "{\"type\":\"bearer\",\"token\":\"newer\"}");
      assertThat(two.admin().get("/v1/url-groups/g/auth/test").status()).isEqualTo(200);
      assertThat(dataKeys(one)).doesNotContainAnyElementsOf(before);
    }
  }

  @Test
  void rotation_thatItsServerLeftHalfDone_isEndedByTheNext() throws IOException {
    Path file = folder.resolve("master.key");
    MasterKey old = inFile();
    String before = Files.readString(file).strip();
    try (TestServer server = TestServer.start(schema, old)) {
      fill(server);
    }
    // As a server leaves it that dies after the new key is on the disk and before it is in force.
    Files.writeString(file, newKey() + "\n" + before + "\n");
    try (TestServer server = TestServer.start(schema, inFile())) {
      assertThat(status(server).text("/message")).contains("is here and not in force");
      assertThat(rotate(server).status()).isEqualTo(202);
      awaitIdle(server);
    }
    // And as one that dies with the new key in force and nothing else done.
    String now = Files.readString(file).strip().lines().findFirst().orElseThrow();
    String next = newKey();
    Files.writeString(file, next + "\n" + now + "\n");
    String id = MasterKey.parse("key", next).toString();
    try (TestServer server = TestServer.start(schema, inFile())) {
      Set<String> keys = dataKeys(server);
      server.query("update {schema}.master_key set previous = array[current], current = '" + id
          + "', generation = generation + 1, phase = 'KEYS', runner = gen_random_uuid(),"
          + " runner_until = now() - interval '1 second'");
      Eventually.await("goes on", PATIENCE, () -> status(server).text("/key").equals(id));
      awaitIdle(server);
      assertThat(dataKeys(server)).doesNotContainAnyElementsOf(keys);
      Eventually.await("one key", PATIENCE, () -> read("master.key").strip().equals(next));
      assertThat(server.admin().get("/v1/url-groups/g/auth/test").status()).isEqualTo(200);
    }
  }
}
