package io.sluice.postgres;

import java.time.Duration;
import java.util.List;

/**
 * Rows as a busy server has them after three days: finished jobs, one in a hundred of them dead, a backlog,
 * many lanes that were used once, and links of finished jobs.
 */
final class ScaleData {
  /** The queue with a lane for each key; half of the finished jobs are there, the others in one lane. */
  static final String KEYS = "keys";
  /** The queue that workers elsewhere pull from. */
  static final String PULL = "pull";

  /** How many days the finished jobs are of, and for how many they are kept. */
  static final int DAYS = 3;

  private static final int LANES = 100_000;
  private static final int WAITING = 1_000_000;
  private static final int WAITING_TO_BE_PULLED = 20_000;
  private static final int LINKS = 2_000_000;
  /** Rows of one statement. */
  private static final int PORTION = 1_000_000;

  private final Server server;
  private final String schema;
  private final int today;

  ScaleData(Server server, String schema, int today) {
    this.server = server;
    this.schema = schema;
    this.today = today;
  }

  void fill(int finished) {
    long start = System.nanoTime();
    lanes();
    int made = 0;
    for (int day = today - DAYS + 1; day <= today; day++) {
      server.run("select %1$s.make_shelf('job', %2$d), %1$s.make_shelf('done', %2$d + %3$d)"
          .formatted(schema, day, DAYS));
      int end = finished / DAYS;
      for (int from = 0; from < end; from += PORTION) {
        finished(day, from, Math.min(PORTION, end - from));
        made += Math.min(PORTION, end - from);
        report(made + " finished jobs", start);
      }
    }
    waiting();
    links();
    report(WAITING + " waiting jobs and " + LINKS + " links", start);
    tidy();
    report("all is vacuumed", start);
  }

  private static void report(String what, long start) {
    System.out.printf(
        "%s after %d s%n", what, Duration.ofNanos(System.nanoTime() - start).toSeconds());
  }

  private void lanes() {
    server.run("""
        insert into %1$s.lane (queue, type, url_group, limit_key)
        select q.id, 'sample', '', '' from %1$s.queue q order by q.id
        on conflict do nothing;
        insert into %1$s.lane (queue, type, url_group, limit_key)
        select q.id, 'sample', '', 'key-' || k from %1$s.queue q, generate_series(1, %3$d) k where q.name = '%2$s';
        create table %1$s.scale_lane as
        select row_number() over (order by l.id) - 1 as n, l.id from %1$s.lane l where l.limit_key <> '';
        create unique index on %1$s.scale_lane (n);
        analyze %1$s.scale_lane;
        create function %1$s.scale_id(moment timestamptz, n bigint) returns uuid language sql immutable as $$
          select (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '7'
            || lpad(to_hex(n %% 4096), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid
        $$
        """.formatted(schema, KEYS, LANES));
  }

  /** The number of the default lane of a queue. */
  private String lane(String queue) {
    return """
        (select l.id from %1$s.lane l join %1$s.queue q on q.id = l.queue
         where q.name = '%2$s' and l.limit_key = '')""".formatted(schema, queue);
  }

  private void finished(int day, int from, int jobs) {
    server.run("""
        create temporary table made on commit drop as
        select %1$s.scale_id(t.at, i) as id, t.at,
          case when i %% 2 = 0 then t.hot else (select s.id from %1$s.scale_lane s where s.n = i / 2 %% %6$d) end as lane,
          case when i %% 100 = 1 then 7 else 5 end as state
        from generate_series(%3$d::bigint, %3$d::bigint + %4$d - 1) i,
          lateral (select to_timestamp(%2$d * 86400.0 + i * 80000.0 / 7000000) as at, %5$s as hot) t;
        insert into %1$s.job (shelf, id, lane, priority, created_at, payload)
        select %2$d, m.id, m.lane, 10, m.at, '{"order":4711,"note":"one of very many"}' from made m;
        insert into %1$s.done (shelf, id, job_shelf, lane, priority, state, attempt, turn, strikes, replays,
          started_at, finished_at, expires_at)
        select %2$d + %7$d, m.id, %2$d, m.lane, 10, m.state, 1, 1, 0, 0, m.at, m.at, m.at + interval '%7$d days'
        from made m order by m.lane, m.id
        """.formatted(schema, day, from, jobs, lane("default"), LANES, DAYS));
  }

  private void waiting() {
    server.run(
        """
        create temporary table made on commit drop as
        select %1$s.scale_id(to_timestamp(%2$d * 86400.0 + 80000 + i * 0.001), i) as id,
          case when i < %4$d then %6$s when i %% 2 = 0 then %5$s
            else (select s.id from %1$s.scale_lane s where s.n = i / 2 %% 1000) end as lane
        from generate_series(0::bigint, %3$d - 1) i;
        insert into %1$s.job (shelf, id, lane, priority, created_at, payload)
        select %2$d, m.id, m.lane, 10, to_timestamp(%2$d * 86400.0), '{"order":4711}' from made m;
        insert into %1$s.ready (lane, priority, id, shelf, attempt, turn, replays, strikes, suspect)
        select m.lane, 10, m.id, %2$d, 0, 0, 0, 0, 0 from made m
        """.formatted(schema, today, WAITING, WAITING_TO_BE_PULLED, lane("default"), lane(PULL)));
  }

  private void links() {
    server.run("""
        insert into %1$s.link (successor, place, predecessor, name, shelf, open)
        select gen_random_uuid(), 0, gen_random_uuid(), 'x', %2$d - n %% %3$d, false
        from generate_series(1, %4$d) n
        """.formatted(schema, today, DAYS, LINKS));
  }

  /** Leaves nothing for the server to do beside what is measured. */
  private void tidy() {
    String tables = server.ask("""
        select string_agg(c.oid::regclass::text, ' ') from pg_class c
        where c.relnamespace = '%s'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        """.formatted(schema));
    for (String table : List.of(tables.split(" "))) {
      server.run("vacuum (analyze) " + table);
    }
    server.run("checkpoint");
  }
}
