package io.sluice.crashtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.postgres.PostgresStore;
import io.sluice.postgres.PostgresStoreBuilder;
import io.sluice.store.Claim;
import io.sluice.store.LaneQuota;
import io.sluice.store.WorkerSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A database that accepts connections and never answers, and then does again: nothing stays stuck. */
@Tag("slow")
@Tag("crash")
@Execution(ExecutionMode.SAME_THREAD)
class SilentDatabaseTest {
  private static final Duration SILENCE = Duration.ofSeconds(Tier.choose(5, 120));
  private static final Duration LEASE = Duration.ofSeconds(Tier.choose(2, 30));
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int PRODUCERS = 4;

  @TempDir
  Path folder;

  private Server server;
  private Proxy proxy;
  private PostgresStore store;
  private PostgresStore direct;
  private Sluice sluice;
  private final Set<String> ran = ConcurrentHashMap.newKeySet();
  private final AtomicInteger enqueued = new AtomicInteger();
  private final AtomicInteger processed = new AtomicInteger();
  private final AtomicBoolean stopped = new AtomicBoolean();

  @BeforeEach
  void start() {
    server = Server.start(folder);
    proxy = Proxy.to(server.port());
    PostgresStoreBuilder builder = PostgresStore.builder().url(proxy.url(server.url()));
    store = (Tier.isLong() ? builder : builder.statementTimeout(Duration.ofSeconds(1))).build();
    direct = PostgresStore.connect(server.url());
    sluice = Sluice.builder(store)
        .lease(LEASE)
        .handler("load", Object.class, (job, context) -> processed.incrementAndGet())
        .handler("late", Object.class, (job, context) -> ran.add("promotion"))
        .handler("orphan", Object.class, (job, context) -> ran.add("rescue"))
        .build()
        .start();
  }

  @AfterEach
  void stop() {
    stopped.set(true);
    proxy.forward();
    sluice.stop(Duration.ofSeconds(1));
    direct.close();
    proxy.close();
    server.close();
  }

  @Test
  void everyLoopIsBack_soonAfterASilentDatabaseAnswersAgain() throws InterruptedException {
    for (int i = 0; i < PRODUCERS; i++) {
      Thread.ofPlatform().daemon().start(this::produce);
    }
    assertThat(Clock.awaits(LIMIT, () -> processed.get() > 100)).isTrue();
    double before = rate(enqueued);

    proxy.swallow();
    leaveALateJob();
    leaveAnOrphan();
    Clock.rest(SILENCE);
    assertThat(ran).isEmpty();
    long seen = newestHeartbeat();
    int jobs = processed.get();
    proxy.forward();
    long begin = Clock.now();
    Thread.ofPlatform().daemon().start(this::purge);

    Map<String, Long> back = new TreeMap<>();
    int accepted = enqueued.get();
    Map<String, BooleanSupplier> signs = Map.of(
        "enqueue", () -> enqueued.get() > accepted + PRODUCERS,
        "processing", () -> processed.get() > jobs + 10,
        "heartbeat", () -> newestHeartbeat() > seen,
        "promotion", () -> ran.contains("promotion"),
        "rescue", () -> ran.contains("rescue"),
        "purge", () -> ran.contains("purge"));
    Clock.awaits(LIMIT.multipliedBy(2), () -> {
      signs.forEach((name, sign) -> {
        if (!back.containsKey(name) && sign.getAsBoolean()) {
          back.put(name, Duration.ofNanos(Clock.now() - begin).toMillis());
        }
      });
      return back.size() == signs.size();
    });
    double after = rate(enqueued);
    System.out.printf(
        "silent database for %d s: milliseconds until each is back %s; enqueues/s %.0f before, %.0f after%n",
        SILENCE.toSeconds(), back, before, after);
    assertThat(back.keySet()).isEqualTo(signs.keySet());
    assertThat(back.values()).allMatch(millis -> millis <= LIMIT.toMillis());
    assertThat(after).isGreaterThan(before / 3);
  }

  private void produce() {
    while (!stopped.get()) {
      try {
        sluice.enqueue(Jobs.of("load"));
        enqueued.incrementAndGet();
        Clock.rest(Duration.ofMillis(5));
      } catch (SluiceException e) {
        // Tried again at once: a producer that hammers must not keep others from coming back.
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static double rate(AtomicInteger counter) throws InterruptedException {
    int before = counter.get();
    Clock.rest(Duration.ofSeconds(2));
    return (counter.get() - before) / 2.0;
  }

  private void leaveALateJob() {
    try (Sluice producer = Sluice.builder(direct).keepStoreOpen().build().start()) {
      producer.enqueue(Jobs.of("late").delay(SILENCE.minusSeconds(2)));
      producer.enqueue(Jobs.of("orphan"));
    }
  }

  /** Claims a job for a worker that will never be heard of again, and whose lease ends in the silence. */
  private void leaveAnOrphan() {
    long worker = direct.workers().register(new WorkerSpec("gone", 1, Set.of(), Set.of()), LEASE);
    List<LaneQuota> lanes = direct.heads().stream()
        .filter(head -> head.lane().type().equals("orphan"))
        .map(head -> new LaneQuota(head.laneId(), head.priority(), 1))
        .toList();
    assertThat(direct.claim(new Claim(worker, lanes, 1)).jobs()).hasSize(1);
  }

  private long newestHeartbeat() {
    return Bench.ask(
        server,
        "select max(extract(epoch from seen_at) * 1000)::bigint from sluice.worker"
            + " where name <> 'gone'");
  }

  private void purge() {
    while (!ran.contains("purge") && !stopped.get()) {
      try {
        store.purge();
        ran.add("purge");
      } catch (SluiceException e) {
        // Not yet.
      }
    }
  }
}
