package io.sluice.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.HealthRules;
import io.sluice.http.Cidr;
import io.sluice.server.listener.ConnectionBounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings from every source, and what is said of wrong ones. */
class CommandsTest {
  private static final String MASTER_KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
  private static final String KEY = "an-admin-key-of-thirty-six-characters";

  @TempDir
  Path folder;

  private Path file;

  @BeforeEach
  void place() {
    file = folder.resolve("sluice.yaml");
  }

  private static Config config(Map<String, String> variables, String... flags) {
    return Commands.config(List.of(flags), variables);
  }

  private static Config config(String... flags) {
    return config(Map.of(), flags);
  }

  private static List<String> problems(Map<String, String> variables, String... flags) {
    ConfigException refused =
        catchThrowableOfType(ConfigException.class, () -> config(variables, flags));
    return refused == null ? List.of() : refused.problems();
  }

  private void write(String... lines) throws IOException {
    Files.write(file, List.of(lines));
  }

  private List<String> problemsOfFile(String... lines) throws IOException {
    write(lines);
    return problems(Map.of(), "--config", file.toString());
  }

  @Test
  void nothingGiven_isTheDefaultOfEverything() {
    assertThat(config())
        .isEqualTo(new Config(
            new Config.Listening("127.0.0.1", 7070, null, null, ConnectionBounds.of(10_000, 2_000)),
            new Config.Running(
                Path.of("sluice-data"), Duration.ofSeconds(30), Duration.ZERO, false),
            new Config.Postgres(null, null, null, "sluice", false),
            new Config.Work(
                Role.ALL, Store.POSTGRES, 100, 0.25, Duration.ofSeconds(30), HealthRules.DEFAULT),
            new Config.Trust(null, null, null, 10, List.of()),
            new Config.JobDefaults(5, Duration.ofSeconds(1), Duration.ofSeconds(30), null)));
  }

  @Test
  void flagsGoBeforeVariables_theseBeforeTheFile_thatBeforeTheProfile() throws IOException {
    write("slots: 7", "port: 7071", "attempts: 9", "profile: development");
    Map<String, String> variables = Map.of("SLUICE_PORT", "7072", "SLUICE_SLOTS", "8");
    Config config = config(variables, "--config", file.toString(), "--slots", "6");
    assertThat(config.work().slots()).isEqualTo(6);
    assertThat(config.listening().port()).isEqualTo(7072);
    assertThat(config.jobs())
        .isEqualTo(new Config.JobDefaults(9, Duration.ofMillis(500), Duration.ofSeconds(30), 100L));
  }

  @Test
  void configFile_isAlsoNamedByItsVariable() throws IOException {
    write("# comment", "data: 'elsewhere'", "allow-target:", "  - 10.0.0.0/8", "  - fd00::/8");
    Config config = config(Map.of("SLUICE_CONFIG", file.toString()));
    assertThat(config.running().data()).isEqualTo(Path.of("elsewhere"));
    assertThat(config.trust().allowedTargets())
        .containsExactly(Cidr.parse("", "10.0.0.0/8"), Cidr.parse("", "fd00::/8"));
  }

  @Test
  void everyKey_isFlagVariableAndKeyOfTheFile() throws IOException {
    Map<Key, String> values = Map.ofEntries(
        Map.entry(Key.HOST, "0.0.0.0"),
        Map.entry(Key.PORT, "1"),
        Map.entry(Key.DATA, "d"),
        Map.entry(Key.DATABASE_URL, "jdbc:postgresql://h:1,h2/d?user=u"),
        Map.entry(Key.DATABASE_USER, "u"),
        Map.entry(Key.DATABASE_PASSWORD, "p"),
        Map.entry(Key.DATABASE_SCHEMA, "s"),
        Map.entry(Key.DATABASE_POOLED, "true"),
        Map.entry(Key.STORE, "postgres"),
        Map.entry(Key.ROLE, "api"),
        Map.entry(Key.PROFILE, "high-volume"),
        Map.entry(Key.SLOTS, "3"),
        Map.entry(Key.HOST_SHARE, "0.5"),
        Map.entry(Key.LEASE, "5s"),
        Map.entry(Key.DRAIN, "0s"),
        Map.entry(Key.ATTEMPTS, "4"),
        Map.entry(Key.RETRY_DELAY, "250ms"),
        Map.entry(Key.TIMEOUT, "PT2S"),
        Map.entry(Key.QUEUE_SIZE, "5"),
        Map.entry(Key.WARNING_LEVEL, "0.3"),
        Map.entry(Key.HIGH_LEVEL, "0.6"),
        Map.entry(Key.HEALTH_DEPTH, "6"),
        Map.entry(Key.HEALTH_RETRY_RATE, "0.25"),
        Map.entry(Key.HEALTH_MEAN_TIME, "1m"),
        Map.entry(Key.ADMIN_KEY, KEY),
        Map.entry(Key.ALLOW_TARGET, "127.0.0.1/32,10.0.0.0/8"),
        Map.entry(Key.JWT_ISSUER, "i"),
        Map.entry(Key.JWT_AUDIENCE, "a"),
        Map.entry(Key.JWT_ALGORITHMS, "ES256"),
        Map.entry(Key.JWT_JWKS_URL, "https://i/keys"),
        Map.entry(Key.JWT_TENANT_CLAIM, "t"),
        Map.entry(Key.JWT_ROLE_CLAIM, "r"),
        Map.entry(Key.JWT_ADMIN, "true"),
        Map.entry(Key.LOGIN_FAILURES, "7"),
        Map.entry(Key.VERBOSE, "true"));
    Config byFlag = config(values.entrySet().stream()
        .flatMap(e -> e.getKey().isSwitch()
            ? List.of(e.getKey().flag()).stream()
            : List.of(e.getKey().flag(), e.getValue()).stream())
        .toArray(String[]::new));
    Map<String, String> variables = values.entrySet().stream()
        .collect(
            java.util.stream.Collectors.toMap(e -> e.getKey().variable(), Map.Entry::getValue));
    write(values.entrySet().stream()
        .map(e -> e.getKey().id() + ": "
            + (e.getKey().isList() ? "[" + e.getValue() + "]" : "\"" + e.getValue() + "\""))
        .toArray(String[]::new));
    assertThat(config(variables)).isEqualTo(byFlag);
    assertThat(config("--config", file.toString())).isEqualTo(byFlag);
    assertThat(byFlag.trust().jwt())
        .isEqualTo(new Jwt(
            new Jwt.Issuer("i", "a"),
            List.of("ES256"),
            "https://i/keys",
            null,
            new Jwt.Claims("t", "r", true)));
  }

  @Test
  void profiles_haveTheirFigures() {
    Function<String, String> figures = profile -> {
      Config config = config("--profile", profile, "--master-key", MASTER_KEY);
      Config.JobDefaults jobs = config.jobs();
      return config.work().slots() + " " + jobs.attempts() + " " + jobs.retryDelay() + " "
          + jobs.timeout() + " " + jobs.queueSize();
    };
    assertThat(figures.apply("development")).isEqualTo("2 2 PT0.5S PT30S 100");
    assertThat(figures.apply("production")).isEqualTo("20 5 PT2S PT1M 10000");
    assertThat(figures.apply("high-volume")).isEqualTo("50 3 PT1S PT30S 50000");
  }

  @Test
  void production_wantsAMasterKey() {
    assertThat(problems(Map.of(), "--profile", "production"))
        .containsExactly(
            "master-key must be given in profile production: credentials depend on it");
  }

  @Test
  void wrongValues_areNamedWithTheirPlace() {
    Map<List<String>, String> table = Map.ofEntries(
        Map.entry(
            List.of("--port", "65536"), "--port must be a number from 0 to 65535, was '65536'"),
        Map.entry(List.of("--port", "x"), "--port must be a number from 0 to 65535, was 'x'"),
        Map.entry(List.of("--port"), "--port must be followed by PORT"),
        Map.entry(
            List.of("--host", "http://h"),
            "--host must be an address or a name, without scheme, was 'http://h'"),
        Map.entry(List.of("--slots", "0"), "--slots must be a number from 1 to 10000, was '0'"),
        Map.entry(List.of("--lease", "10ms"), "--lease must be 1s or more, was '10ms'"),
        Map.entry(
            List.of("--drain", "soon"),
            "--drain must be a duration such as 500ms, 30s or 5m, was 'soon'"),
        Map.entry(List.of("--role", "boss"), "--role must be one of all, api, worker, was 'boss'"),
        Map.entry(
            List.of("--profile", "prod"),
            "--profile must be one of development, production, high-volume, was 'prod'"),
        Map.entry(
            List.of("--store", "redis"),
            "--store does not take redis yet; the stores are postgres and memory"),
        Map.entry(
            List.of("--redis-url", "redis://h"),
            "--redis-url is not available yet; the stores are postgres and memory"),
        Map.entry(
            List.of("--store", "memory", "--role", "worker"),
            "--role must be all where the store is memory: nobody shares that"),
        Map.entry(
            List.of("--database-url", "postgres://u:secret@h/d"),
            "--database-url must be of the form jdbc:postgresql://host:5432/database"),
        Map.entry(List.of("--database-user", "u"), "--database-user needs database-url beside it"),
        Map.entry(
            List.of("--database-schema", "A"),
            "--database-schema must be 1 to 40 of a-z 0-9 _ and not begin with a digit, was 'A'"),
        Map.entry(
            List.of("--admin-key", "short-secret"),
            "--admin-key must have 32 or more characters, it has 12"),
        Map.entry(
            List.of("--master-key", "secret"),
            "--master-key must be 32 random bytes in base64, as 'openssl rand -base64 32' prints"
                + " them (during a change the new key, a comma and the old one)"),
        Map.entry(
            List.of("--allow-target", "10.0.0.1/8"),
            "--allow-target '10.0.0.1/8' has bits set beyond its length; write 10.0.0.0/8"),
        Map.entry(
            List.of("--allow-target", "10.0.0.0/33"),
            "--allow-target must be a range of addresses such as 10.0.0.0/8 or fd00::/8,"
                + " was '10.0.0.0/33'"),
        Map.entry(
            List.of("--allow-target", "localhost"),
            "--allow-target must be a range of addresses such as 10.0.0.0/8 or fd00::/8,"
                + " was 'localhost'"),
        Map.entry(
            List.of("--tls-cert", "/nowhere", "--tls-key", "/nowhere"),
            "--tls-cert must be a file that can be read; /nowhere does not exist"),
        Map.entry(
            List.of("--health-retry-rate", "2"),
            "--health-retry-rate must be a share from 0 to 1, was '2'"),
        Map.entry(
            List.of("--host-share", "0"),
            "--host-share must be more than 0 and at most 1, was '0'"),
        Map.entry(
            List.of("--warning-level", "0"),
            "--warning-level must be more than 0 and at most 1, was '0'"),
        Map.entry(
            List.of("--high-level", "0.4"),
            "--high-level must be from warning-level (0.5) to 1, was '0.4'"),
        Map.entry(List.of("--config", "/nowhere"), "config file /nowhere does not exist"),
        Map.entry(List.of("--data", ""), "--data must not be empty"),
        Map.entry(List.of("--port", "1", "--port", "2"), "--port is given twice"),
        Map.entry(List.of("--prot", "1"), "--prot is not a flag; did you mean --port?"),
        Map.entry(List.of("--prot=1"), "--prot is not a flag; did you mean --port?"),
        Map.entry(List.of("extra"), "'extra' is not expected here"));
    table.forEach((flags, problem) -> assertThat(problems(Map.of(), flags.toArray(String[]::new)))
        .as("%s", flags)
        .first()
        .isEqualTo(problem));
  }

  @Test
  void everythingWrong_isSaidAtOnce() throws IOException {
    write("slots: many", "prot: 7070", "port: [1, 2]", "role: {a: 1}", "data: a", "data: b");
    assertThat(problems(
            Map.of("SLUICE_DRAIN", "x"),
            "--config",
            file.toString(),
            "--hots",
            "h",
            "--timeout",
            "0s"))
        .containsExactly(
            "--hots is not a flag; did you mean --host?",
            "sluice.yaml line 2: prot is not a setting; did you mean port?",
            "sluice.yaml line 3: port takes one value, not a list",
            "sluice.yaml line 4: role must have a value",
            "sluice.yaml line 6: data is given twice",
            "SLUICE_DRAIN must be a duration such as 500ms, 30s or 5m, was 'x'",
            "slots (sluice.yaml line 1) must be a number from 1 to 10000, was 'many'",
            "--timeout must be 1ms or more, was '0s'");
  }

  @Test
  void file_thatIsNoYaml_isRefusedWithoutShowingIt() throws IOException {
    assertThat(problemsOfFile("admin-key: \"secret", "port: 1"))
        .singleElement()
        .asString()
        .startsWith("sluice.yaml line")
        .endsWith("is not YAML that can be read")
        .doesNotContain("secret");
    assertThat(problemsOfFile("- port"))
        .containsExactly(file + " must hold lines such as 'port: 7070'");
    assertThat(problemsOfFile("# nothing")).isEmpty();
  }

  @Test
  void wordThatIsNearNothing_getsNoSuggestion() throws IOException {
    assertThat(problems(Map.of(), "--foo")).containsExactly("--foo is not a flag");
    assertThat(warnings(Map.of("SLUICE_FOO", "1"))).containsExactly("SLUICE_FOO is not a setting");
    assertThat(problemsOfFile("foo: 1"))
        .containsExactly("sluice.yaml line 1: foo is not a setting");
  }

  @Test
  void tokens_wantIssuerAudienceAndOneKey() {
    assertThat(problems(Map.of(), "--jwt-issuer", "i", "--jwt-jwks-url", "ftp://x"))
        .containsExactly(
            "jwt-audience must be given where tokens are taken",
            "--jwt-jwks-url must be an http or https URL, was 'ftp://x'");
    assertThat(problems(Map.of("SLUICE_JWT_SECRET", "s", "SLUICE_JWT_JWKS_URL", "https://x/")))
        .contains(
            "SLUICE_JWT_JWKS_URL or jwt-secret must be given where tokens are taken, not both");
  }

  @Test
  void variablesOfOthers_areLeftAlone() {
    assertThat(problems(Map.of("SLUICE_JAVA_OPTS", "-Xmx1g", "SLUICE_KEY", "k", "PATH", "/bin")))
        .isEmpty();
  }

  private static List<String> warnings(Map<String, String> variables) {
    Settings settings = Commands.settings(List.of(), variables);
    assertThat(settings.problems()).isEmpty();
    return settings.warnings();
  }

  @Test
  void unknownVariable_isWarnedOf_andStopsNothing() {
    assertThat(warnings(Map.of("SLUICE_LAESE", "1s")))
        .containsExactly("SLUICE_LAESE is not a setting; did you mean SLUICE_LEASE?");
    assertThat(warnings(Map.of("SLUICE_PORT", "7071", "SLUICE_KEY_FILE", "/k"))).isEmpty();
  }

  @Test
  void variablesThatKubernetesSets_neitherStopNorConfigure() {
    Map<String, String> injected = Map.of(
        "SLUICE_SERVICE_HOST", "10.0.0.5",
        "SLUICE_SERVICE_PORT", "7070",
        "SLUICE_SERVICE_PORT_HTTP", "7070",
        "SLUICE_PORT", "tcp://10.0.0.5:7070",
        "SLUICE_PORT_7070_TCP", "tcp://10.0.0.5:7070",
        "SLUICE_PORT_7070_TCP_PROTO", "tcp",
        "SLUICE_PORT_7070_TCP_PORT", "7070",
        "SLUICE_PORT_7070_TCP_ADDR", "10.0.0.5",
        "SLUICE_POSTGRES_SERVICE_HOST", "10.0.0.6",
        "SLUICE_POSTGRES_PORT", "udp://10.0.0.6:5432");
    assertThat(warnings(injected))
        .singleElement()
        .asString()
        .contains("Kubernetes", "SLUICE_PORT,", "SLUICE_SERVICE_HOST", "enableServiceLinks");
    assertThat(Commands.config(List.of(), injected)).isEqualTo(config());
    assertThat(Commands.config(List.of("--port", "1"), injected).listening().port())
        .isEqualTo(1);
  }

  @Test
  void secret_mayStandInAFileThatAVariableNames() throws IOException {
    String secret = "a-secret-of-a-file-with-32-letters-";
    Path held = Files.writeString(file.resolveSibling("held"), secret + "\n");
    Config read = config(Map.of("SLUICE_ADMIN_KEY_FILE", held.toString()));
    assertThat(read.trust().adminKey()).isEqualTo(secret);
    assertThat(Commands.settings(List.of(), Map.of("SLUICE_ADMIN_KEY_FILE", held.toString()))
            .lines())
        .filteredOn(line -> line.setting().equals("admin-key"))
        .singleElement()
        .satisfies(line -> {
          assertThat(line.value()).isEqualTo("***");
          assertThat(line.place()).isEqualTo("SLUICE_ADMIN_KEY_FILE");
        });
    for (String variable : new String[] {
      "SLUICE_ADMIN_KEY_FILE",
      "SLUICE_MASTER_KEY_FILE",
      "SLUICE_JWT_SECRET_FILE",
      "SLUICE_DATABASE_PASSWORD_FILE",
      "SLUICE_DATABASE_URL_FILE"
    }) {
      assertThat(problems(Map.of(variable, "/no/such/file")))
          .as(variable)
          .first()
          .isEqualTo(variable + " names the file /no/such/file, which cannot be read");
    }
    assertThat(
            problems(Map.of("SLUICE_ADMIN_KEY", secret, "SLUICE_ADMIN_KEY_FILE", held.toString())))
        .containsExactly("SLUICE_ADMIN_KEY and SLUICE_ADMIN_KEY_FILE are both given: give one");
    Files.writeString(held, "");
    assertThat(problems(Map.of("SLUICE_ADMIN_KEY_FILE", held.toString())))
        .contains("SLUICE_ADMIN_KEY_FILE must not be empty");
    assertThat(warnings(Map.of("SLUICE_HOST_FILE", "x")))
        .singleElement()
        .asString()
        .startsWith("SLUICE_HOST_FILE is not a setting");
  }

  @Test
  void fileWithSecrets_thatEverybodyCanRead_isWarnedOf() throws IOException {
    write("port: 7071", "database-url: jdbc:postgresql://h/d");
    mode("rw-r--r--");
    assertThat(warningsOfFile()).isEmpty();
    write(
        "admin-key: a-key-of-more-than-thirty-two-characters",
        "database-url: jdbc:postgresql://h/d?password=p");
    assertThat(warningsOfFile())
        .containsExactly("every user of this machine can read " + file
            + ", which has admin-key, database-url: close it with chmod o-r, and change what"
            + " somebody may have read");
    mode("rw-r-----");
    assertThat(warningsOfFile()).isEmpty();
  }

  private void mode(String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private List<String> warningsOfFile() {
    return Commands.settings(List.of("--config", file.toString()), Map.of()).warnings();
  }

  @Test
  void secrets_areNotShown() {
    String secret = "a-secret-that-nobody-may-ever-see-1";
    Config config = config(
        "--admin-key", secret,
        "--master-key", MASTER_KEY,
        "--database-url", "jdbc:postgresql://h/d?password=" + secret,
        "--database-password", secret,
        "--jwt-issuer", "i",
        "--jwt-audience", "a",
        "--jwt-secret", secret);
    assertThat(config.toString()).doesNotContain(secret, MASTER_KEY);
    assertThat(config.trust().adminKey()).isEqualTo(secret);
  }
}
