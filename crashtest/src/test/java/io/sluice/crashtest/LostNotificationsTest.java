package io.sluice.crashtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.postgres.PostgresStore;
import io.sluice.testkit.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wake-ups are hints: with every one of them lost, work is picked up all the same. */
@Tag("slow")
@Tag("crash")
class LostNotificationsTest {
  private static final int JOBS = Tier.choose(40, 400);
  private static final Duration POLL = Duration.ofSeconds(1);

  @TempDir
  Path folder;

  @Test
  void everyJobRuns_withinThePollInterval_whenNotificationsAreLost() throws InterruptedException {
    Map<UUID, Long> begun = new ConcurrentHashMap<>();
    Map<UUID, Long> enqueued = new HashMap<>();
    AtomicInteger silenced = new AtomicInteger();
    try (Server server = Server.start(folder);
        Proxy proxy = Proxy.to(server.port())) {
      proxy.swallowAfter(sql -> isListen(sql, silenced));
      try (Sluice worker = Sluice.builder(PostgresStore.connect(proxy.url(server.url())))
              .poll(POLL)
              .handler("t", Object.class, (job, context) -> begun.put(job.id(), Clock.now()))
              .build()
              .start();
          Sluice producer =
              Sluice.builder(PostgresStore.connect(server.url())).build().start()) {
        Eventually.await("the worker listens, to nothing", () -> silenced.get() > 0);
        Random random = new Random(1);
        for (int i = 0; i < JOBS; i++) {
          UUID id = producer.enqueue(Jobs.of("t")).id();
          enqueued.put(id, Clock.now());
          // Apart, so that each finds the worker at rest.
          Clock.rest(Duration.ofMillis(50 + random.nextInt(200)));
        }
        Eventually.await("every job has run", Duration.ofMinutes(1), () -> begun.size() == JOBS);
        assertThat(worker.health()).isNotNull();
      }
    }
    long[] waits = enqueued.entrySet().stream()
        .mapToLong(e -> Math.max(0, begun.getOrDefault(e.getKey(), 0L) - e.getValue()))
        .toArray();
    System.out.printf(
        "lost notifications: %d jobs, picked up after p50 %d ms, p99 %d ms, worst %d ms; poll %d ms%n",
        JOBS,
        Bench.percentile(waits, 0.5).toMillis(),
        Bench.percentile(waits, 0.99).toMillis(),
        Bench.percentile(waits, 1).toMillis(),
        POLL.toMillis());
  }

  private static boolean isListen(String sql, AtomicInteger silenced) {
    boolean listen = sql.strip().startsWith("listen");
    if (listen) {
      silenced.incrementAndGet();
    }
    return listen;
  }
}
