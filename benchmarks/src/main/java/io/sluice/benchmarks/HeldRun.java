package io.sluice.benchmarks;

import io.sluice.Sluice;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A steady thousand jobs a second while another session holds a snapshot for minutes: nothing that is
 * done meanwhile can be cleaned away. A fifth of that time goes before and after it.
 */
final class HeldRun {
  static final int JOBS_PER_SECOND = 1_000;
  private static final int SLOTS = 20;
  private static final int SAMPLES = 200;
  private static final Duration SHORTEST = Duration.ofMillis(200);
  private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(10);

  private static final String LOOK = """
      select s.relname, pg_total_relation_size(s.relid) as bytes, s.n_dead_tup as dead,
        (select coalesce(max(age(a.backend_xmin)), 0) from pg_stat_activity a) as oldest
      from pg_stat_user_tables s
      where s.schemaname = ? and s.relname in ('ready', 'running', 'later', 'worker')
      order by s.relname
      """;

  private final long held;
  private final long margin;
  private final long interval;
  private final List<HeldSample> samples = new ArrayList<>();
  private final Timings claims = new Timings();
  private final Timings starts = new Timings();
  private final AtomicLong done = new AtomicLong();

  HeldRun(Duration held) {
    this.held = held.toNanos();
    this.margin = this.held / 5;
    this.interval = Math.max(SHORTEST.toNanos(), (this.held + 2 * margin) / SAMPLES);
  }

  /** Runs, and returns what was seen, in order. */
  List<HeldSample> run() throws Exception {
    try (Database database = new Database()) {
      Subject.Postgres postgres = new Subject.Postgres(database);
      try (Sluice sluice = Sluice.builder(new TimedStore(postgres.fresh(), claims))
              .slots(SLOTS)
              .handler(Feeders.TYPE, Feeders.Timed.class, (job, c) -> {
                starts.add(System.nanoTime() - job.payload().nanoTime());
                done.incrementAndGet();
              })
              .build()
              .start();
          Feeders feeders = new Feeders(sluice, JOBS_PER_SECOND)) {
        feeders.start();
        LockSupport.parkNanos(Math.min(margin, LONGEST_WARM_UP.toNanos()));
        watch(database, postgres.schema(), feeders);
      }
    }
    return samples;
  }

  private void watch(Database database, String schema, Feeders feeders) throws Exception {
    long start = System.nanoTime();
    claims.take();
    starts.take();
    try (Connection connection = database.connect();
        PreparedStatement look = connection.prepareStatement(LOOK)) {
      look.setString(1, schema);
      stretch(start, start + margin, false, look, feeders);
      try (HeldSnapshot snapshot = new HeldSnapshot(database)) {
        stretch(start, start + margin + held, true, look, feeders);
      }
      stretch(start, start + 2 * margin + held, false, look, feeders);
    }
  }

  /** Takes samples at even distances until the end. */
  private void stretch(
      long start, long end, boolean isHeld, PreparedStatement look, Feeders feeders)
      throws SQLException {
    long from = System.nanoTime();
    long count = Math.max(1, Math.round((double) (end - from) / interval));
    long doneThen = done.get();
    for (long left = count; left > 0; left--) {
      waitUntil(end - (left - 1) * (end - from) / left);
      long now = System.nanoTime();
      long doneNow = done.get();
      double second = (now - start) / 1e9;
      double rate = (doneNow - doneThen) * 1e9 / (now - from);
      samples.add(sample(second, isHeld, rate, feeders.enqueued() - doneNow, look));
      from = now;
      doneThen = doneNow;
    }
  }

  private static void waitUntil(long moment) {
    for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private HeldSample sample(
      double second, boolean isHeld, double rate, long waiting, PreparedStatement look)
      throws SQLException {
    Timings.Sorted claim = claims.take();
    Timings.Sorted began = starts.take();
    Map<String, HeldSample.HotTable> tables = new LinkedHashMap<>();
    long oldest = 0;
    try (ResultSet row = look.executeQuery()) {
      while (row.next()) {
        tables.put(
            row.getString("relname"),
            new HeldSample.HotTable(row.getLong("bytes"), row.getLong("dead")));
        oldest = row.getLong("oldest");
      }
    }
    return new HeldSample(
        second,
        isHeld,
        claim.at(0.5),
        claim.at(0.99),
        began.at(0.5),
        began.at(0.99),
        rate,
        Math.max(0, waiting),
        oldest,
        tables);
  }
}
