package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.Sluice;
import io.sluice.postgres.ScaleTable.Figures;
import io.sluice.store.Claim;
import io.sluice.store.ClaimedJob;
import io.sluice.store.LaneQuota;
import io.sluice.store.NewJob;
import io.sluice.store.WorkerSpec;
import io.sluice.testkit.ManualClock;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A schema with many finished jobs, opened by two stores: one with connections of its own is timed, the blocks
 * of the other are counted.
 */
final class ScaleLab implements AutoCloseable {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final int TODAY = Shelves.dayOf(ManualClock.START);
  private static final int TAKINGS = 15;
  private static final int BATCH = 100;
  private static final Duration LEASE = Duration.ofDays(999);

  /** One of the two stores, with an engine that is not started and a worker that claims. */
  private record Subject(PostgresStore store, Sluice sluice, long worker) {
    static Subject of(PostgresStore store) {
      long worker = store.workers().register(new WorkerSpec("w", 10, Set.of(), Set.of()), LEASE);
      return new Subject(store, Sluice.builder(store).build(), worker);
    }
  }

  private final String schema = Server.newSchema();
  private final ManualClock clock = new ManualClock();
  private final MeteredSource source = new MeteredSource(SERVER);
  private final Subject timed;
  private final Subject metered;
  private final Map<String, Figures> figures = new LinkedHashMap<>();
  private List<ClaimedJob> held = List.of();

  private static void nothing(Subject subject) {}

  ScaleLab(int finished) {
    PostgresStore first = SERVER.store(schema).clock(clock).build();
    first.open();
    for (String queue : List.of("default", ScaleData.KEYS, ScaleData.PULL)) {
      first.queues().save(QueueSettings.of("default", queue));
    }
    SERVER.makeWeek(schema);
    new ScaleData(SERVER, schema, TODAY).fill(finished);
    PostgresStore second = PostgresStore.builder()
        .dataSource(source)
        .pooled(true)
        .schema(schema)
        .clock(clock)
        .build();
    second.open();
    timed = Subject.of(first);
    metered = Subject.of(second);
  }

  Map<String, Figures> measure() {
    take("enqueue one", subject -> subject.store().insert(List.of(Sample.job())));
    take("enqueue 1,000", subject -> subject.store().insert(Sample.jobs(1_000)));
    take("enqueue one with a key", subject -> subject.store().insert(List.of(withKey())));
    take("look for ready lanes", subject -> subject.store().heads());
    take(
        "claim 100",
        ScaleLab::nothing,
        subject -> held = claim(subject, "default", null),
        this::finish);
    take(
        "finish 100",
        subject -> held = claim(subject, "default", null),
        this::finish,
        ScaleLab::nothing);
    take(
        "pull claim of 100",
        ScaleLab::nothing,
        subject -> held = claim(subject, ScaleData.PULL, LEASE),
        this::finish);
    list("list, newest 50", JobFilter.all());
    list("list COMPLETED", JobFilter.all().in(JobState.COMPLETED));
    list("list DEAD", JobFilter.all().in(JobState.DEAD));
    list("list a queue", JobFilter.all().inTenant("default").inQueue(ScaleData.KEYS));
    list("list a key", JobFilter.all().inTenant("default").withLimitKey("key-7"));
    take("stats", subject -> subject.sluice().stats());
    take("stats of a tenant", subject -> subject.store().counts("default"));
    take("health", subject -> subject.sluice().health());
    take("purge, nothing to drop", subject -> subject.store().purge());
    dropADay();
    return figures;
  }

  private static NewJob withKey() {
    return Sample.job("default", "{\"n\":1}", "scale-" + Sample.id());
  }

  private void list(String operation, JobFilter filter) {
    take(
        operation,
        subject -> assertThat(subject.store().page(filter, null, 50).items()).isNotEmpty());
  }

  private static List<ClaimedJob> claim(Subject subject, String queue, @Nullable Duration lease) {
    List<LaneQuota> lanes = subject.store().heads("default", queue).stream()
        .map(head -> new LaneQuota(head.laneId(), head.priority(), BATCH))
        .toList();
    Claim claim = lease == null
        ? new Claim(subject.worker(), lanes, BATCH)
        : new Claim(subject.worker(), lanes, BATCH, lease);
    List<ClaimedJob> jobs = subject.store().claim(claim).jobs();
    assertThat(jobs).hasSize(BATCH);
    return jobs;
  }

  private void finish(Subject subject) {
    subject.store().finish(Sample.completed(held));
  }

  private void take(String operation, Consumer<Subject> work) {
    take(operation, ScaleLab::nothing, work, ScaleLab::nothing);
  }

  /** Measures some work, between two others that are not measured. */
  private void take(
      String operation, Consumer<Subject> before, Consumer<Subject> work, Consumer<Subject> after) {
    double[] millis = new double[TAKINGS];
    long[] blocks = new long[TAKINGS];
    for (int i = 0; i < TAKINGS; i++) {
      before.accept(timed);
      millis[i] = millis(() -> work.accept(timed));
      after.accept(timed);
      before.accept(metered);
      blocks[i] = source.blocks(() -> work.accept(metered));
      after.accept(metered);
    }
    Arrays.sort(millis);
    Arrays.sort(blocks);
    figures.put(operation, new Figures(millis[TAKINGS / 2], blocks[0]));
  }

  private static double millis(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e6;
  }

  /** Two days end, one after the other, and each of the stores drops one. */
  private void dropADay() {
    clock.advance(Duration.ofDays(3));
    long days = daysKept();
    double millis = millis(() -> timed.store().purge());
    assertThat(daysKept()).isEqualTo(days - 1);
    clock.advance(Duration.ofDays(1));
    long blocks = source.blocks(() -> metered.store().purge());
    assertThat(daysKept()).isEqualTo(days - 2);
    figures.put("purge, a day to drop", new Figures(millis, blocks));
  }

  /** Of the days that outcomes were made for. */
  private long daysKept() {
    return Long.parseLong(
        SERVER.ask("select count(*) from %s.shelf where kind = 'done' and day between %d and %d"
            .formatted(schema, TODAY + 1, TODAY + ScaleData.DAYS)));
  }

  @Override
  public void close() throws SQLException {
    timed.store().close();
    metered.store().close();
    source.close();
    SERVER.run("drop schema " + schema + " cascade");
  }
}
