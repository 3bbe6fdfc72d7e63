package io.sluice.memory;

import static io.sluice.memory.MemoryStoreTest.assertCode;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Breaker;
import io.sluice.BreakerSettings;
import io.sluice.BreakerState;
import io.sluice.Defaults;
import io.sluice.ErrorClass;
import io.sluice.ErrorCode;
import io.sluice.JobError;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobSpec;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.Limit;
import io.sluice.Marks;
import io.sluice.Metadata;
import io.sluice.Ordering;
import io.sluice.Priority;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.RateLimit.Per;
import io.sluice.Retention;
import io.sluice.Scope;
import io.sluice.Ties;
import io.sluice.When;
import io.sluice.store.Breakers;
import io.sluice.store.ClaimRef;
import io.sluice.store.NewJob;
import io.sluice.store.QueueRecord;
import io.sluice.store.QueueSize;
import io.sluice.store.Strikes;
import io.sluice.store.TenantCap;
import io.sluice.store.TenantSize;
import io.sluice.store.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {
  private static final int HEADER = 28;

  @TempDir
  private Path folder;

  private Path file;

  @BeforeEach
  void nameFile() {
    file = folder.resolve("jobs.sluice");
  }

  private Scene open() {
    return new Scene(MemoryStore.builder().snapshot(file));
  }

  private static List<JobRecord> all(Scene scene) {
    return scene.store.page(JobFilter.all(), null, 250).items();
  }

  @Test
  void everyState_comesBack() {
    List<JobRecord> before;
    try (Scene scene = open()) {
      for (JobState state : JobState.values()) {
        if (state.isFinal()) {
          scene.ended(state);
        }
      }
      scene.retrying(Duration.ofMinutes(1));
      scene.addLater(Scene.LANE, Duration.ofMinutes(1));
      scene.add();
      before = all(scene);
    }
    try (Scene scene = open()) {
      assertThat(all(scene)).isEqualTo(before).hasSize(JobState.values().length - 1);
      assertThat(scene.store.heads()).hasSize(1);
      assertThat(scene.store.promote(10).untilNext()).isEqualTo(Duration.ofMinutes(1));
      scene.advance(Scene.KEEP);
      assertThat(scene.store.promote(10).moved()).isEqualTo(2);
      assertThat(scene.store.purge()).isEqualTo(4);
    }
  }

  @Test
  void aRunningJob_isReadyAgain_unspent() {
    ClaimRef ref;
    long worker;
    try (Scene scene = open()) {
      scene.add();
      worker = scene.worker(Duration.ofDays(1));
      ref = scene.claim(worker, 1).getFirst().ref();
      scene.store.progress(ref, 40, "half");
      scene.store.log(ref, List.of("one", "two"));
    }
    try (Scene scene = open()) {
      JobRecord job = scene.store.find(ref.job()).orElseThrow();
      assertThat(job.state()).isEqualTo(JobState.PENDING);
      assertThat(job.attempt()).isZero();
      assertThat(job.status().worker()).isNull();
      assertThat(scene.store.logs(ref.job())).hasSize(2);
      assertThat(scene.store.started(ref, true)).isFalse();
      assertThat(scene.store.workers().live()).isEmpty();
      assertThat(scene.worker(Duration.ofDays(1))).isNotEqualTo(worker);
      assertThat(scene.claim(1).getFirst().ref().turn()).isGreaterThan(ref.turn());
    }
  }

  @Test
  void everyPartOfAJob_comesBack() {
    JobRecord before;
    try (Scene scene = open()) {
      UUID id = scene.add(new NewJob(
          new UUID(-5, -6),
          new Lane("acme", "default", "http", "crm", "customer-7"),
          new JobSpec(
              "{\"text\":\"žluťoučký\\u0000 \uD83D\uDE00\"}",
              Priority.HIGH,
              Defaults.RETRY.on(ErrorClass.TIMEOUT, p -> p.withMaxAttempts(9)),
              Duration.ofMillis(1500),
              "key",
              scene.instant().plusNanos(123_456_789),
              Metadata.NONE.withSource("test").with("n", 1).with("list", List.of("a", "b")),
              7),
          When.now(),
          false));
      ClaimRef ref = scene.claim(1).getFirst().ref();
      scene.store.progress(ref, 90, "nearly");
      JobError error = new JobError(
          scene.instant(), 1, ErrorClass.SERVER, "HTTP_503", "busy", "at x", 503, "<html>");
      scene.finish(
          ref,
          new Verdict.Again(
              JobState.RETRYING, When.in(Duration.ofMinutes(1)), true, new Strikes(2, 5), error));
      before = scene.store.find(id).orElseThrow();
    }
    try (Scene scene = open()) {
      assertThat(all(scene)).containsExactly(before);
      scene.advance(Duration.ofMinutes(1));
      scene.store.promote(1);
      assertThat(scene.claim(1).getFirst().strikes()).isEqualTo(new Strikes(2, 5));
      NewJob same = scene.job(before.lane(), Scene.keyed("key"), When.now());
      assertThat(scene.add(same)).isEqualTo(before.id());
    }
  }

  @Test
  void queues_comeBack_withTheirSizes() {
    QueueSettings capped = QueueSettings.of("acme", "capped")
        .withMaxSize(2L)
        .withPaused(true)
        .withPriority(Priority.LOW)
        .withMaxConcurrent(3)
        .withRateLimit(new RateLimit(2.5, Per.MINUTE, 10))
        .withOrdered(Ordering.KEY)
        .withUrlGroup("stripe")
        .withTimeout(Duration.ofSeconds(3))
        .withRetry(Defaults.RETRY.withMaxAttempts(3))
        .withDeadLetter(false)
        .withRetention(new Retention(Duration.ofHours(1), Duration.ofHours(2)));
    Lane lane = Lane.of("acme", "capped", "mail");
    QueueRecord before;
    try (Scene scene = open()) {
      before = scene.store.queues().save(capped);
      scene.add(scene.job(lane, Scene.spec(), When.now()));
      scene.addLater(lane, Duration.ofDays(1));
    }
    try (Scene scene = open()) {
      assertThat(scene.store.queues().list()).containsExactly(before);
      assertThat(scene.store.queues().sizes())
          .containsExactly(new QueueSize("acme", "capped", 2, 2, null, 0));
      assertCode(ErrorCode.QUEUE_FULL, () -> scene.add(scene.job(lane, Scene.spec(), When.now())));
    }
  }

  @Test
  void capsOfTenants_comeBack() {
    TenantCap cap = new TenantCap(1, new Marks(0.2, 0.4));
    QueueSettings marked = QueueSettings.of("q").withLevels(new Marks(0.3, 0.6));
    try (Scene scene = open()) {
      scene.store.queues().capTenant("default", cap);
      scene.store.queues().save(marked);
      scene.add(scene.job(Scene.LANE, Scene.spec(), When.now()));
    }
    try (Scene scene = open()) {
      assertThat(scene.store.queues().tenantSizes())
          .containsExactly(new TenantSize("default", 1, cap, 0));
      assertThat(scene.store.queues().list()).extracting(QueueRecord::settings).contains(marked);
      assertCode(
          ErrorCode.QUEUE_FULL, () -> scene.add(scene.job(Scene.LANE, Scene.spec(), When.now())));
    }
  }

  @Test
  void limits_comeBack_usedAsTheyWere() {
    Limit limit = new Limit(Scope.type("default", "mail"), new RateLimit(1, Per.HOUR, 2), 5);
    try (Scene scene = open()) {
      scene.store.limits().save(limit);
      for (int i = 0; i < 4; i++) {
        scene.add(scene.job(Scene.LANE, Scene.spec(), When.now()));
      }
      assertThat(scene.claim(10)).hasSize(2);
    }
    try (Scene scene = open()) {
      assertThat(scene.store.limits().list(null)).containsExactly(limit);
      assertThat(scene.claim(10)).isEmpty();
      scene.advance(Duration.ofHours(1));
      assertThat(scene.claim(10)).hasSize(1);
    }
  }

  @Test
  void aFileOfTheFirstVersion_isRead() throws IOException {
    take("snapshot-1.sluice");
    try (Scene scene = open()) {
      assertThat(scene.store.queues().list())
          .extracting(QueueRecord::settings)
          .containsExactly(QueueSettings.of("acme", "old")
              .withMaxConcurrent(3)
              .withRateLimit(new RateLimit(2.5, 10))
              .withOrdered(Ordering.KEY));
      assertThat(all(scene))
          .extracting(JobRecord::lane)
          .containsExactly(new Lane("acme", "old", "mail", "", "k"));
    }
  }

  private void take(String name) throws IOException {
    try (InputStream old = SnapshotTest.class.getResourceAsStream(name)) {
      Files.copy(Objects.requireNonNull(old), file);
    }
  }

  @Test
  void aFileOfTheVersionBeforeLinks_isRead() throws IOException {
    take("snapshot-2.sluice");
    try (Scene scene = open()) {
      assertThat(scene.store.limits().list("acme"))
          .containsExactly(new Limit(Scope.type("acme", "mail"), null, 3));
      JobRecord job = all(scene).getFirst();
      assertThat(job.lane()).isEqualTo(new Lane("acme", "old", "mail", "", "k"));
      assertThat(job.spec().cost()).isEqualTo(2);
      assertThat(job.spec().ties()).isEqualTo(Ties.NONE);
      assertThat(scene.store.promote(10).untilNext()).isEqualTo(Duration.ofMinutes(1));
    }
  }

  @Test
  void breakers_comeBack_withTheirState() {
    Scope scope = Scope.urlGroup("acme", "stripe");
    Scope forced = Scope.type("acme", "mail");
    Breaker before;
    try (Scene scene = open()) {
      Breakers breakers = scene.store.breakers();
      BreakerSettings settings =
          BreakerSettings.DEFAULT.withSlowCallThreshold(Duration.ofSeconds(3));
      breakers.move(scope, breakers.save(scope, settings).version(), BreakerState.OPEN);
      breakers.hold(scope, Duration.ofMinutes(5));
      breakers.forceOpen(forced);
      before = breakers.find(scope).orElseThrow();
    }
    try (Scene scene = open()) {
      Breaker after = scene.store.breakers().find(scope).orElseThrow();
      assertThat(after).usingRecursiveComparison().ignoringFields("asOf").isEqualTo(before);
      assertThat(scene.store.breakers().find(forced).orElseThrow().state())
          .isEqualTo(BreakerState.FORCED_OPEN);
    }
  }

  @Test
  void aSecondStore_isRefused_untilTheFirstIsClosed() {
    try (Scene first = open()) {
      first.add();
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(this::open)
            .hasMessageContaining(file.toString())
            .hasMessageContaining("in use");
      }
    }
    try (Scene second = open()) {
      assertThat(all(second)).hasSize(1);
    }
  }

  @Test
  void aFileThatCannotBeRead_isNamed_andKept() throws IOException {
    try (Scene scene = open()) {
      scene.add();
    }
    byte[] whole = Files.readAllBytes(file);
    refuses("not a snapshot", "PK-some-other-file-that-is-long-enough".getBytes(UTF_8));
    refuses("cut short", new byte[0]);
    refuses("version is 99", ByteBuffer.wrap(whole.clone()).putInt(8, 99).array());
    refuses("too long", Arrays.copyOf(whole, whole.length + 1));
    for (int length = 0; length < whole.length; length++) {
      refuses("cut short", Arrays.copyOf(whole, length));
    }
    for (int at = HEADER; at < whole.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      refuses("checksum", damaged);
    }
    Files.write(file, whole);
    try (Scene scene = open()) {
      assertThat(all(scene)).hasSize(1);
    }
  }

  private void refuses(String problem, byte[] content) throws IOException {
    Files.write(file, content);
    try (MemoryStore store = MemoryStore.builder().snapshot(file).build()) {
      assertThatThrownBy(store::open)
          .hasMessageStartingWith("BAD_CONFIGURATION")
          .hasMessageContaining(file.toString())
          .hasMessageContaining(problem);
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(content);
  }

  @Test
  void aFolderThatIsNotThere_isABadConfiguration() {
    file = folder.resolve("none/jobs.sluice");
    assertCode(ErrorCode.BAD_CONFIGURATION, this::open);
  }

  @Test
  void close_keepsTheOldFileAndTheJobs_whenWritingFails() throws IOException {
    try (Scene scene = open()) {
      scene.add();
    }
    byte[] old = Files.readAllBytes(file);
    Path blocked = folder.resolve("jobs.sluice.tmp");
    try (Scene scene = open()) {
      UUID job = scene.add();
      Files.createDirectory(blocked);
      assertCode(ErrorCode.PERSISTENCE_FAILURE, scene::close);
      assertThat(Files.readAllBytes(file)).isEqualTo(old);
      assertThat(scene.store.find(job)).isPresent();
      Files.delete(blocked);
    }
    try (Scene scene = open()) {
      assertThat(all(scene)).hasSize(2);
    }
    assertThat(blocked).doesNotExist();
  }

  @Test
  void close_writesAll_onAnInterruptedThread() {
    try (Scene scene = open()) {
      scene.add();
      Thread.currentThread().interrupt();
    }
    assertThat(Thread.interrupted()).isTrue();
    try (Scene scene = open()) {
      assertThat(all(scene)).hasSize(1);
    }
  }
}
