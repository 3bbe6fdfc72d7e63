package io.sluice.crashtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Defaults;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.Scope;
import io.sluice.Sluice;
import io.sluice.crashtest.Usage.Span;
import io.sluice.postgres.PostgresStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Limits over four worker processes that have more to do than they may, before and after one of them is
 * killed: how well the limits are used, on a machine that has nothing else to do. That they are never
 * exceeded is judged by every crash test as well.
 */
@Tag("long")
@Tag("crash")
@Execution(ExecutionMode.SAME_THREAD)
class LimitsTest {
  private static final int WORKERS = 4;
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MEASURED = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int PER_SECOND = 100;
  private static final int BURST = 10;
  private static final int AT_ONCE = 7;
  private static final int MILLIS = 300;

  /** Numbers of jobs say which queue they are in. */
  private static final long RATED = 0;

  private static final long CAPPED = 1_000_000;
  private static final long WARMING = 2_000_000;

  @TempDir
  Path folder;

  private Server server;
  private PostgresStore store;
  private Sluice producer;
  private final List<Child> workers = new ArrayList<>();
  /** What is wrong in the first part does not keep the second from being measured. */
  private final SoftAssertions found = new SoftAssertions();

  private final AtomicReference<Death> death = new AtomicReference<>();

  private record Death(String who, long at) {}

  @BeforeEach
  void start() {
    server = Server.start(folder.resolve("postgres"));
    store = PostgresStore.connect(server.url());
    producer = Sluice.builder(store).withoutWork().build().start();
    store.queues().save(QueueSettings.of("warming"));
    store.queues().save(QueueSettings.of("rated").withRateLimit(new RateLimit(PER_SECOND, BURST)));
    store.queues().save(QueueSettings.of("capped").withMaxConcurrent(AT_ONCE));
    List<String> arguments =
        List.of(server.url(), folder.toString(), "1", Long.toString(LEASE.toMillis()));
    for (int i = 0; i < WORKERS; i++) {
      workers.add(Child.start("worker-" + i, WorkerProcess.class, folder, arguments));
    }
  }

  @AfterEach
  void stop() {
    workers.forEach(Child::kill);
    producer.stop(SECOND);
    server.close();
  }

  @Test
  void limitsHold_overFourProcesses_alsoWhenOneIsKilled() throws InterruptedException {
    warmUp();
    producer.pause("rated");
    producer.pause("capped");
    // More than is needed by far: on a busy machine much more time passes than is measured.
    long seconds = 2 * MEASURED.toSeconds() + 120;
    enqueue("rated", RATED, PER_SECOND * seconds, 1);
    enqueue("capped", CAPPED, AT_ONCE * seconds * 1000 / MILLIS, MILLIS);
    producer.resume("rated");
    producer.resume("capped");

    Clock.awaits(PATIENCE, () -> !runs(RATED).isEmpty() && !runs(CAPPED).isEmpty());
    Clock.rest(SECOND);
    long begin = Clock.now();
    Clock.rest(MEASURED);
    judge("with all four", begin);

    Child victim = workers.getLast();
    victim.kill();
    death.set(new Death(victim.who(), Clock.now()));
    Clock.rest(LEASE.multipliedBy(2));
    long again = Clock.now();
    Clock.rest(MEASURED);
    judge("from two leases after a death", again);
    found.assertAll();
  }

  /** Has every worker run something, so that it is no longer busy with itself. */
  private void warmUp() throws InterruptedException {
    for (int round = 0; workersSeen() < WORKERS; round++) {
      assertThat(round)
          .as("rounds until all workers run: see the logs in " + folder)
          .isLessThan(300);
      enqueue("warming", WARMING + round * 40L, 40, 20);
      Clock.rest(SECOND.dividedBy(2));
    }
  }

  private long workersSeen() {
    return Journal.read(folder, "").stream()
        .filter(entry -> entry instanceof Entry.Start)
        .map(entry -> ((Entry.Start) entry).who())
        .distinct()
        .count();
  }

  private void enqueue(String queue, long first, long jobs, int millis) {
    producer.enqueueAll(LongStream.range(first, first + jobs)
        .mapToObj(seq -> Work.of(seq, Work.PLAIN, millis, 0).request().queue(queue))
        .toList());
  }

  private List<Timeline.Run> runs(long first) {
    return new Timeline(Journal.read(folder, ""))
        .runs().values().stream()
            .flatMap(List::stream)
            .filter(run -> run.start().seq() / CAPPED == first / CAPPED)
            .toList();
  }

  private void judge(String when, long from) {
    long to = Clock.now();
    List<Long> starts = runs(RATED).stream().map(Timeline.Run::at).toList();
    List<Span> spans = runs(CAPPED).stream().map(run -> span(run, to)).toList();
    Usage.Peak peak = Usage.mostWithin(SECOND, starts);
    int most = peak.count();
    long first = starts.stream().mapToLong(Long::longValue).min().orElse(peak.at());
    List<Long> measured = starts.stream().filter(at -> at >= from && at < to).toList();
    int within = measured.size();
    double perSecond = within * 1e9 / (to - from);
    int atOnce = Usage.mostAtOnce(spans).count();
    double use = Usage.mean(spans, from, to);
    System.out.printf(
        "limits over %d processes, %s, %.0f s: rate %d/s burst %d: %.1f/s, at most %d in a second, and %d ever"
            + " (from %.2f s after the first); %d at once: %.2f on the average, at most %d%n",
        WORKERS,
        when,
        (to - from) / 1e9,
        PER_SECOND,
        BURST,
        perSecond,
        Usage.mostWithin(SECOND, measured).count(),
        most,
        (peak.at() - first) / 1e9,
        AT_ONCE,
        use,
        atOnce);
    found.assertThat(most).as("starts in a second").isLessThanOrEqualTo(BURST + PER_SECOND);
    found.assertThat(atOnce).as("handlers at once").isLessThanOrEqualTo(AT_ONCE);
    found.assertThat(within).as("starts").isPositive();
    found.assertThat(perSecond).as("starts a second").isGreaterThanOrEqualTo(0.95 * PER_SECOND);
    found.assertThat(use).as("mean use").isGreaterThanOrEqualTo(6.5);
    long waiting = store
        .limits()
        .state(Scope.queue(Defaults.TENANT, "capped"))
        .orElseThrow()
        .waiting();
    found.assertThat(waiting).as("jobs left to do").isPositive();
  }

  /** From the beginning of a handler to its end, or to the death of its process. */
  private Span span(Timeline.Run run, long now) {
    Death dead = death.get();
    boolean died = dead != null && dead.who().equals(run.who());
    long end = run.end() == null ? (died ? dead.at() : now) : run.end().at();
    return new Span(run.at(), end);
  }
}
