package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.QueueSettings;
import io.sluice.embedded.EmbeddedPostgres;
import io.sluice.store.Claim;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.LaneQuota;
import io.sluice.store.NewJob;
import io.sluice.store.WorkerSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A standby that is promoted without the last rows of its primary. The primary claims jobs and signs workers on
 * after the standby's copy was made; nothing of that may fit anything that the standby does later.
 */
@Tag("slow")
class FailoverTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final WorkerSpec PULLER =
      WorkerSpec.remote("default", "default", "puller", 5, Set.of());

  @TempDir
  static Path folder;

  private static final NewJob JOB = Sample.job("held", "{}", null);
  private static final NewJob PULLED = Sample.job("pulled", "{}", null);

  /** Who had signed on when the copy was made, and who came after that. */
  private static long engine;

  private static long puller;
  private static long late;

  /** What the primary handed out that the standby does not know of. */
  private static ClaimRef unknownClaim;

  private static ClaimRef unknownLease;

  private static EmbeddedPostgres promoted;
  private static PostgresStore store;

  @BeforeAll
  static void failOver() throws IOException, SQLException {
    Path primary = folder.resolve("primary");
    Path standby = folder.resolve("standby");
    on(primary, before -> {
      before.queues().save(QueueSettings.of("held"));
      before.queues().save(QueueSettings.of("pulled"));
      before.insert(List.of(JOB, PULLED));
      engine = Sample.worker(before);
      puller = before.workers().visit(PULLER, HOUR);
    });
    copy(primary, standby);
    on(primary, last -> {
      unknownClaim = claim(last, engine, null).ref();
      unknownLease = claim(last, puller, HOUR).ref();
      late = Sample.worker(last);
    });
    Files.createFile(standby.resolve("pgdata").resolve("standby.signal"));
    promoted = EmbeddedPostgres.start(standby);
    try (Connection connection = DriverManager.getConnection(promoted.urlWithPassword());
        Statement statement = connection.createStatement()) {
      statement.execute("select pg_promote()");
    }
    store = PostgresStore.connect(promoted.urlWithPassword());
    store.open();
  }

  @AfterAll
  static void stop() {
    store.close();
    promoted.stop();
  }

  private interface Use {
    void of(PostgresStore store);
  }

  private static void on(Path data, Use use) {
    try (EmbeddedPostgres server = EmbeddedPostgres.start(data);
        PostgresStore opened = PostgresStore.connect(server.urlWithPassword())) {
      opened.open();
      use.of(opened);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  /** Claims the oldest job of the queue for engines, or with a lease that of the one for pull workers. */
  private static ClaimedJob claim(PostgresStore from, long worker, @Nullable Duration lease) {
    List<ClaimedJob> claimed = claimed(from, worker, lease);
    assertThat(claimed).hasSize(1);
    return claimed.getFirst();
  }

  private static List<ClaimedJob> claimed(
      PostgresStore from, long worker, @Nullable Duration lease) {
    String queue = lease == null ? "held" : "pulled";
    List<LaneQuota> lanes = from.heads().stream()
        .filter(head -> head.lane().queue().equals(queue))
        .map(head -> new LaneQuota(head.laneId(), head.priority(), 1))
        .toList();
    Claim claim = lease == null ? new Claim(worker, lanes, 1) : new Claim(worker, lanes, 1, lease);
    return from.claim(claim).jobs();
  }

  private static boolean isTaken(ClaimRef ref) {
    return !store.finish(List.of(new Finish(ref, Sample.COMPLETED))).isEmpty();
  }

  @Test
  void workerOfBefore_getsNothing_andSignsOnAnew() {
    assertThat(claimed(store, engine, null)).isEmpty();
    assertThat(store.workers().heartbeat(engine, HOUR, List.of()).alive()).isFalse();
    long again = Sample.worker(store);
    assertThat(again).isNotIn(engine, puller, late);
    assertThat(store.workers().heartbeat(again, HOUR, List.of()).alive()).isTrue();
    ClaimRef here = claim(store, again, null).ref();
    assertThat(here.job()).isEqualTo(unknownClaim.job()).isEqualTo(JOB.id());
    assertThat(here).isNotEqualTo(unknownClaim);
    assertThat(isTaken(unknownClaim))
        .as("the end by whom the primary gave it to")
        .isFalse();
    assertThat(isTaken(here)).isTrue();
  }

  @Test
  void pullWorkerOfBefore_isAnother_andItsLeaseFitsNothing() {
    long again = store.workers().visit(PULLER, HOUR);
    assertThat(again).isNotIn(engine, puller, late);
    assertThat(store.workers().visit(PULLER, HOUR)).isEqualTo(again);
    ClaimRef here = claim(store, again, HOUR).ref();
    assertThat(here.job()).isEqualTo(unknownLease.job()).isEqualTo(PULLED.id());
    assertThat(store.held(unknownLease)).isEmpty();
    assertThat(store.extend(unknownLease, HOUR)).isEmpty();
    assertThat(isTaken(unknownLease)).isFalse();
    assertThat(isTaken(here)).isTrue();
  }
}
