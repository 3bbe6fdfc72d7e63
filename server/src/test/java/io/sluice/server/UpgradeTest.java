package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.postgres.Database;
import io.sluice.postgres.Guard;
import io.sluice.postgres.Migrator;
import io.sluice.server.backup.BackupFile;
import io.sluice.server.backup.Restore;
import io.sluice.server.secret.MasterKey;
import io.sluice.testkit.Eventually;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The tables of older versions under the server of today. Each fixture is a backup of a server of that
 * version, filled by {@link EveryRow}; its name is the version of the server's tables.
 */
@Tag("slow")
class UpgradeTest {
  private static final MasterKey KEY =
      MasterKey.parse("key", "q0Rz5cXb9Tt1uYp3sWv7eKd2mJf8hLg4nPa6iQo0xBc=");

  private final String schema = TestServer.newSchema();
  private final ServerSettings.DatabaseSettings database = TestServer.database(schema);

  private void restore(String fixture) throws URISyntaxException {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(database.url());
    source.setUser(database.user());
    source.setPassword(database.password());
    Database tables = new Database(source, ServerDatabase.sql(schema), Guard.NONE);
    Path file =
        Path.of(Objects.requireNonNull(UpgradeTest.class.getResource(fixture)).toURI());
    try (BackupFile backup = BackupFile.open(file)) {
      new Restore(
              tables,
              schema,
              List.of(Migrator.ofJobs(source, schema), ServerDatabase.migrator(tables)))
          .readAsOfItsVersion(backup);
    }
  }

  private List<String> versions() {
    return TestDatabase.rows(
        database, "select part || ' ' || version from " + schema + ".migration order by 1");
  }

  @Test
  void tablesOfTheFirstVersion_areBroughtUpToDate_andEverythingInThemWorks()
      throws URISyntaxException {
    restore("schema-3.backup");
    assertThat(versions()).containsExactly("jobs 1", "jobs 2", "server 1", "server 2", "server 3");
    try (Receiver receiver = new Receiver()) {
      TestDatabase.execute(
          database,
          "update " + schema + ".url_group set settings = regexp_replace(settings::text,"
              + " 'http://127.0.0.1:[0-9]+', '" + receiver.url() + "', 'g')::json");
      try (TestServer server = TestServer.start(schema, KEY)) {
        assertThat(versions()).contains("server 7");
        reads(server.admin());
        delivers(server, receiver);
        rotates(server.admin());
      }
    }
  }

  private static void reads(Client admin) {
    assertThat(names(admin, "/v1/tenants")).containsExactlyInAnyOrder("default", "acme", "idle");
    assertThat(names(admin, "/v1/tenants/acme/keys")).contains("one", "two", "three");
    assertThat(names(admin, "/v1/queues")).contains("default", "paused", "narrow", "pulled");
    assertThat(names(admin, "/v1/url-groups")).containsExactly("basic", "bearer", "header");
    for (String group : List.of("basic", "bearer", "header")) {
      assertThat(admin.get("/v1/url-groups/" + group + "/auth/test").status()).isEqualTo(200);
    }
    Set<String> states = new TreeSet<>();
    admin
        .get("/v1/jobs?limit=100")
        .body()
        .at("/items")
        .forEach(job -> states.add(job.path("state").asString()));
    assertThat(states).contains("COMPLETED", "DEAD", "CANCELLED", "PENDING");
    assertThat(admin.get("/v1/dlq").body().at("/items")).hasSize(1);
    assertThat(admin.get("/v1/audit?limit=100").body().at("/items")).hasSizeGreaterThan(10);
  }

  private static Set<String> names(Client admin, String list) {
    Set<String> names = new TreeSet<>();
    admin
        .get(list)
        .body()
        .at("/items")
        .forEach(one -> names.add(one.path("name").asString()));
    return names;
  }

  /** What waits, what is due by now or made so, what was dead and what ran. */
  private static void delivers(TestServer server, Receiver receiver) {
    Client admin = server.admin();
    assertThat(admin.post("/v1/queues/paused/resume", null).status()).isLessThan(300);
    server.query("update {schema}.later set run_at = now()");
    for (String path : List.of("/again", "/later", "/in-time", "/waits?sig=q", "/waits")) {
      Receiver.Got got = receiver.await(path.replaceFirst("\\?.*", ""), 1);
      assertThat(got.header("Authorization")).isEqualTo("Bearer tok");
      assertThat(got.header("webhook-signature")).startsWith("v1,");
    }
    Eventually.await("both", () -> receiver.got("/waits").size() == 2);
    assertThat(receiver.got("/waits"))
        .anyMatch(got ->
            got.uri().equals("/waits?sig=q") && got.header("X-Session-Token").equals("h2"));
    String dead = admin.get("/v1/dlq").body().at("/items/0/id").asString();
    assertThat(admin.post("/v1/dlq/" + dead + "/replay", null).status()).isLessThan(300);
    assertThat(receiver.await("/dead", 1).header("Authorization")).isEqualTo("Bearer tok");
    Client.Reply claim =
        admin.post("/v1/queues/pulled/claim", "{\"worker\":\"w\",\"max\":1,\"leaseFor\":\"1m\"}");
    assertThat(claim.body().at("/items/0/job/payload/n").asInt()).isEqualTo(1);
    Client.Reply twice = admin.post(
        "/v1/jobs", "{\"urlGroup\":\"bearer\",\"path\":\"/done\",\"idempotencyKey\":\"k1\"}");
    assertThat(twice.status()).as("the key of a job of the old version").isEqualTo(200);
  }

  private static void rotates(Client admin) {
    assertThat(admin.post("/v1/master-key/rotate", null).status())
        .as("the key is from a setting, and no other one was given")
        .isEqualTo(409);
    assertThat(admin.get("/v1/master-key").text("/key")).isEqualTo("502c5c1c");
  }

  @Test
  void tablesOfServersThatAreNewer_areRefused() {
    refusesNewer("server");
  }

  @Test
  void tablesOfJobsThatAreNewer_areRefused() {
    refusesNewer("jobs");
  }

  private void refusesNewer(String part) {
    TestServer.start(schema, KEY).close();
    TestDatabase.execute(
        database,
        "insert into " + schema + ".migration (part, version, file, checksum) values ('" + part
            + "', 999, 'V999__x.sql', 1)");
    assertThatThrownBy(() -> TestServer.start(schema, KEY))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION))
        .hasMessageContaining("is at version 999, newer than this")
        .hasMessageContaining("update the library");
  }

  @Test
  void fixture_isNotNewer_thanItSays() throws URISyntaxException {
    restore("schema-3.backup");
    assertThat(Tables.of(database).get("running")).isEmpty();
    assertThat(Tables.of(database).get("ready")).hasSize(3);
  }
}
