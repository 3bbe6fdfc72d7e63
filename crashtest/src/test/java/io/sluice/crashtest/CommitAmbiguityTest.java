package io.sluice.crashtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.postgres.PostgresStore;
import io.sluice.testkit.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Commits whose answer never comes: what was done is done once. */
@Tag("slow")
@Tag("crash")
@Execution(ExecutionMode.SAME_THREAD)
class CommitAmbiguityTest {
  private static final int TIMES = Tier.choose(25, 1_000);
  private static final int ENGINES = 4;

  @TempDir
  Path folder;

  private Server server;

  @BeforeEach
  void start() {
    server = Server.start(folder);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void enqueue_isRepeatedWithItsKey_andThereIsOneJob() {
    Set<UUID> ids = new HashSet<>();
    try (Proxy proxy = Proxy.to(server.port());
        Sluice sluice = Sluice.builder(PostgresStore.connect(proxy.url(server.url())))
            .build()
            .start()) {
      for (int i = 0; i < TIMES; i++) {
        String key = "key-" + i;
        proxy.loseReplies(Proxy.commitOf("insert into sluice.idempotency"), 1);
        SluiceException unsure = catchThrowableOfType(
            SluiceException.class, () -> sluice.enqueue(Jobs.of("t").idempotencyKey(key)));
        assertThat(unsure.code()).isEqualTo(ErrorCode.PERSISTENCE_FAILURE);
        Enqueued again = sluice.enqueue(Jobs.of("t").idempotencyKey(key));
        assertThat(again.duplicate()).isTrue();
        ids.add(again.id());
      }
      assertThat(proxy.lost()).isEqualTo(TIMES);
    }
    assertThat(ids).hasSize(TIMES);
    assertThat(Bench.ask(server, "select count(*) from sluice.job")).isEqualTo(TIMES);
    assertThat(Bench.ask(server, "select count(*) from sluice.ready")).isEqualTo(TIMES);
    System.out.println("commit ambiguity: " + TIMES + " answers to enqueue lost, one job each");
  }

  @Test
  void finish_isRepeated_andTheJobIsOverOnce() throws InterruptedException {
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger lost = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < ENGINES; i++) {
      String type = "t" + i;
      int jobs = TIMES / ENGINES + (i < TIMES % ENGINES ? 1 : 0);
      threads.add(Thread.ofPlatform().start(() -> lost.addAndGet(finish(type, jobs, runs))));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(lost.get()).isEqualTo(TIMES);
    assertThat(runs.get()).isEqualTo(TIMES);
    assertThat(Bench.ask(server, "select count(*) from sluice.job")).isEqualTo(TIMES);
    assertThat(Bench.ask(
            server,
            "select count(*) from sluice.done where state = 5 and attempt = 1 and turn = 1"))
        .isEqualTo(TIMES);
    assertThat(Bench.ask(server, "select count(*) from sluice.running")).isZero();
    System.out.println("commit ambiguity: " + TIMES + " answers to finish lost, one end each");
  }

  /** Runs jobs one by one, losing the first answer to the end of each; how many were lost. */
  private int finish(String type, int jobs, AtomicInteger runs) {
    Set<UUID> settled = ConcurrentHashMap.newKeySet();
    AtomicBoolean odd = new AtomicBoolean();
    try (Proxy proxy = Proxy.to(server.port());
        Sluice sluice = Sluice.builder(PostgresStore.connect(proxy.url(server.url())))
            .handler(type, Object.class, (job, context) -> runs.incrementAndGet())
            .listener(event -> noteEnd(event, settled))
            .build()
            .start()) {
      // Every other answer: the first try of each finish, and not the second.
      proxy.loseReplies(
          statements -> Proxy.commitOf("delete from sluice.running").test(statements)
              && !odd.getAndSet(!odd.get()),
          jobs);
      for (int i = 0; i < jobs; i++) {
        UUID id = sluice.enqueue(Jobs.of(type)).id();
        Eventually.await(
            "job " + i + " is settled", Duration.ofMinutes(1), () -> settled.contains(id));
      }
      return proxy.lost();
    }
  }

  private static void noteEnd(Event event, Set<UUID> settled) {
    if (event instanceof Event.OfJob of
        && (of.kind() == Event.Kind.COMPLETED || of.kind() == Event.Kind.LOST)) {
      settled.add(of.job());
    }
  }
}
