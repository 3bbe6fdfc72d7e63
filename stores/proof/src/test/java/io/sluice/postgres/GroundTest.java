package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.SluiceException;
import io.sluice.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What a test finds where another was before it. */
class GroundTest {
  private static final Server SERVER = Server.POSTGRES_18;

  private final ManualClock clock = new ManualClock();
  private final Ground ground =
      new Ground(SERVER, Server.newSchema(), Shelves.dayOf(ManualClock.START));

  @AfterEach
  void drop() {
    ground.close();
  }

  private PostgresStore open() {
    PostgresStore store = ground.store().clock(clock).build();
    store.open();
    return store;
  }

  private long rows(String table) {
    return Long.parseLong(SERVER.ask("select count(*) from " + ground.schema() + "." + table));
  }

  @Test
  void everyTableThereIs_isSwept_butMigrationsAndDays() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(SERVER.url());
    Set<String> tables = new TreeSet<>(Migrator.ofJobs(source, ground.schema()).tables());
    open().close();
    String there = SERVER.ask("""
        select string_agg(c.relname, ',' order by c.relname) from pg_class c
        where c.relnamespace = '%s'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and c.relname not in ('shelf', 'migration', 'flow_version', 'lane_epoch')
        """.formatted(ground.schema()));
    assertThat(there.split(",")).containsExactlyInAnyOrderElementsOf(Ground.TABLES);
    assertThat(tables).containsAll(Ground.TABLES);
  }

  @Test
  void rowsOfEveryTable_areGone_forTheTestAfter() {
    open().close();
    SERVER.run(fill() + "update " + ground.schema() + ".flow_version set version = 7");
    assertThat(Ground.TABLES).allSatisfy(table -> assertThat(rows(table)).isPositive());
    ground.clear();
    assertThat(Ground.TABLES)
        .allSatisfy(table -> assertThat(rows(table)).as(table).isZero());
    assertThat(rows("shelf")).isEqualTo(Ground.SHELVES);
    assertThat(rows("flow_version where version = 1")).isEqualTo(1);
  }

  /** One row of made-up values for each table, first those that others refer to. */
  private String fill() {
    List<String> tables = new ArrayList<>(Ground.TABLES);
    Collections.reverse(tables);
    StringBuilder fill = new StringBuilder("set session_replication_role = replica;");
    for (String table : tables) {
      fill.append(SERVER.ask("""
          select format('insert into %1$s.%2$s (%%s) %%s values (%%s);', string_agg(quote_ident(attname), ','),
            'overriding system value',
            string_agg(case
              when a.atthasdef then 'default'
              when attname = 'shelf' then '0'
              when attname = 'kind' and typname = 'text' then quote_literal('TYPE')
              when typname in ('int2', 'int4', 'int8', 'float8', 'numeric') then '1'
              when typname in ('text') then quote_literal('x')
              when left(typname, 1) = '_' then quote_literal('{}')
              when typname = 'bool' then 'true'
              when typname = 'uuid' then 'gen_random_uuid()'
              when typname = 'timestamptz' then 'now()'
              when typname in ('json', 'jsonb') then quote_literal('{}')
              else 'default' end, ','))
          from pg_attribute a join pg_type t on t.oid = a.atttypid
          where a.attrelid = '%1$s.%2$s'::regclass and a.attnum > 0 and not a.attisdropped and a.attnotnull
          """.formatted(ground.schema(), table)));
    }
    return fill.toString();
  }

  @Test
  void connections_stay_forTheTestAfter() {
    open().close();
    String pids = SERVER.ask("""
        select string_agg(pid::text, ',') from pg_stat_activity
        where application_name = 'sluice' and query like '%%%s%%' and query not like 'listen%%'
        """.formatted(ground.schema()));
    ground.clear();
    open().close();
    assertThat(SERVER.ask("select count(*) from pg_stat_activity where pid in (" + pids + ")"))
        .isEqualTo(String.valueOf(pids.split(",").length));
  }

  @Test
  void aStoreOfTheTestBefore_writesNothingMore() {
    PostgresStore late = open();
    ground.clear();
    try (PostgresStore store = open()) {
      assertThatThrownBy(() -> late.insert(Sample.jobs(2)))
          .isInstanceOf(SluiceException.class)
          .hasMessageContaining("is over");
      assertThat(store.counts(null)).isEmpty();
    }
    late.close();
  }

  @Test
  void aTestThatLetsDaysPass_leavesNoneOfThem_andItsFirstIsThereAgain() {
    try (PostgresStore store = open()) {
      store.insert(Sample.jobs(2));
      clock.advance(Duration.ofDays(3));
      store.purge();
    }
    assertThat(days()).isNotEqualTo(firstDays());
    ground.clear();
    clock.advance(Duration.ofDays(-3));
    try (PostgresStore store = open()) {
      assertThat(days()).isEqualTo(firstDays());
      assertThat(rows("job")).isZero();
      store.insert(Sample.jobs(2));
      assertThat(rows("job_" + ground.today())).isEqualTo(2);
    }
  }

  @Test
  void aDayThatIsHalfGone_isThereAgain() {
    open().close();
    SERVER.run("alter table %1$s.job_log detach partition %1$s.job_log_%2$d"
        .formatted(ground.schema(), ground.today()));
    ground.clear();
    try (PostgresStore store = open()) {
      store.insert(Sample.jobs(2));
      assertThat(rows("job_" + ground.today())).isEqualTo(2);
      assertThat(rows("shelf")).isEqualTo(Ground.SHELVES);
    }
  }

  private String days() {
    return SERVER.ask(
        "select string_agg(distinct day::text, ',') from " + ground.schema() + ".shelf");
  }

  private String firstDays() {
    return ground.today() + "," + (ground.today() + 1);
  }
}
