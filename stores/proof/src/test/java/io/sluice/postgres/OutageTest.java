package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.embedded.EmbeddedPostgres;
import io.sluice.testkit.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that goes away and comes back: nothing is lost, nothing is stuck. */
@Tag("slow")
class OutageTest {
  private static final Duration OUTAGE =
      Duration.ofSeconds(System.getProperty("sluice.tier", "quick").equals("long") ? 30 : 4);

  @TempDir
  Path folder;

  @Test
  void everyAcceptedJobIsDone_afterAnOutage() throws InterruptedException {
    EmbeddedPostgres postgres = EmbeddedPostgres.start(folder);
    int port = postgres.port();
    Set<UUID> accepted = ConcurrentHashMap.newKeySet();
    Set<UUID> done = ConcurrentHashMap.newKeySet();
    Sluice sluice = Sluice.builder(PostgresStore.connect(postgres.urlWithPassword()))
        .lease(Duration.ofSeconds(2))
        .handler("t", Object.class, (job, context) -> {
          new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
          done.add(job.id());
        })
        .build()
        .start();
    try {
      for (int i = 0; i < 300; i++) {
        accepted.add(sluice.enqueue(Jobs.of("t")).id());
      }
      postgres.stop();
      SluiceException refused =
          catchThrowableOfType(SluiceException.class, () -> sluice.enqueue(Jobs.of("t")));
      assertThat(refused.code()).isEqualTo(ErrorCode.PERSISTENCE_FAILURE);
      new CountDownLatch(1).await(OUTAGE.toMillis(), TimeUnit.MILLISECONDS);
      postgres = EmbeddedPostgres.builder(folder).port(port).start();
      Eventually.await("enqueue works again", Duration.ofMinutes(1), () -> tryEnqueue(sluice));
      Eventually.await(
          "every accepted job is completed",
          Duration.ofMinutes(3),
          () -> accepted.stream()
              .allMatch(id -> sluice.find(id).orElseThrow().state() == JobState.COMPLETED));
      assertThat(done).containsAll(accepted);
    } finally {
      sluice.close();
      postgres.stop();
    }
  }

  private static boolean tryEnqueue(Sluice sluice) {
    try {
      sluice.enqueue(Jobs.of("t"));
      return true;
    } catch (SluiceException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.PERSISTENCE_FAILURE);
      return false;
    }
  }
}
