package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.Verdict;
import io.sluice.store.WorkerSpec;
import io.sluice.testkit.ManualClock;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ShelvesTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final int FIRST = Shelves.dayOf(ManualClock.START);

  private final String schema = Server.newSchema();
  private final ManualClock clock = new ManualClock();
  private PostgresStore store;
  private long worker;

  @BeforeEach
  void open() {
    store = SERVER.store(schema).clock(clock).build();
    store.open();
    worker =
        store.workers().register(new WorkerSpec("w", 1, Set.of(), Set.of()), Duration.ofDays(999));
  }

  @AfterEach
  void close() {
    store.close();
    SERVER.run("drop schema if exists " + schema + " cascade");
  }

  @Test
  void newSchema_hasTodayAndTomorrow_andADayMoreWithEachPurge_untilThereIsAWeek() {
    assertThat(days()).isEqualTo(List.of(FIRST, FIRST + 1));
    store.purge();
    assertThat(days()).isEqualTo(List.of(FIRST, FIRST + 1, FIRST + 2));
    makeTheWeek();
    store.purge();
    assertThat(days()).hasSize(1 + Shelves.DAYS_AHEAD).endsWith(FIRST + Shelves.DAYS_AHEAD);
  }

  @Test
  void jobs_lieOnTheirDay_andGoWithIt() {
    makeTheWeek();
    UUID done = end(JobState.COMPLETED, Duration.ofHours(24));
    UUID dead = end(JobState.DEAD, Duration.ofDays(7));
    UUID kept = end(JobState.DEAD, Duration.ofDays(90));
    UUID waiting =
        store.insert(List.of(Sample.job("default", "\"w\"", "key"))).getFirst().id();
    assertThat(count("job_" + FIRST)).isEqualTo("4");
    assertThat(count("done_" + (FIRST + 1))).isEqualTo("1");
    assertThat(count("done_" + (FIRST + 7))).isEqualTo("1");
    assertThat(count("done_0")).isEqualTo("1");

    clock.advance(Duration.ofDays(3));
    assertThat(store.purge()).isEqualTo(1);
    assertThat(table("job_" + FIRST)).isEqualTo("f");
    assertThat(table("done_" + (FIRST + 1))).isEqualTo("f");
    makeTheWeek();
    assertThat(table("job_" + (FIRST + 11))).isEqualTo("t");
    assertThat(count("job_0")).isEqualTo("3");
    assertThat(store.find(done)).isEmpty();
    assertThat(store.find(dead)).isPresent();
    assertThat(store.find(kept)).isPresent();
    assertThat(
            store.insert(List.of(Sample.job("default", "1", "key"))).getFirst().id())
        .isEqualTo(waiting);

    clock.advance(Duration.ofDays(7));
    store.purge();
    assertThat(store.find(dead)).isEmpty();
    assertThat(count("job_0")).isEqualTo("2");
    clock.advance(Duration.ofDays(90));
    store.purge();
    assertThat(count("job_0")).isEqualTo("1");
    assertThat(count("done_0")).isEqualTo("0");
    assertThat(Sample.claim(store, worker, 9).getFirst().spec().payload()).isEqualTo("\"w\"");
  }

  @Test
  void purge_waitsForNobody_andGoesOnLater() throws Exception {
    end(JobState.COMPLETED, Duration.ofHours(1));
    try (PostgresStore hurried = SERVER
            .store(schema)
            .clock(clock)
            .statementTimeout(Duration.ofSeconds(3))
            .build();
        Connection reader = SERVER.connect();
        Statement statement = reader.createStatement()) {
      reader.setAutoCommit(false);
      statement.execute("select count(*) from " + schema + ".job");
      clock.advance(Duration.ofDays(3));
      hurried.purge();
      assertThat(store.insert(List.of(Sample.job()))).hasSize(1);
      assertThat(Sample.claim(store, worker, 1)).hasSize(1);
    }
    store.purge();
    assertThat(table("job_" + FIRST)).isEqualTo("f");
    assertThat(table("done_" + FIRST)).isEqualTo("f");
  }

  /** Purges as often as it takes to have every day that is made ahead. */
  private void makeTheWeek() {
    for (int day = 0; day < Shelves.DAYS_AHEAD; day++) {
      store.purge();
    }
  }

  /** The days that have partitions for bodies and for outcomes. */
  private List<Integer> days() {
    return Arrays.stream(SERVER
            .ask("select string_agg(day::text, ',' order by day) from (select day from " + schema
                + ".shelf group by day having count(*) = 2) whole")
            .split(","))
        .map(Integer::valueOf)
        .toList();
  }

  private UUID end(JobState state, Duration keepFor) {
    store.insert(List.of(Sample.job()));
    ClaimedJob claimed = Sample.claim(store, worker, 1).getFirst();
    store.finish(
        List.of(new Finish(claimed.ref(), new Verdict.End(state, null, null, null, keepFor))));
    return claimed.ref().job();
  }

  private String count(String table) {
    return SERVER.ask("select count(*) from " + schema + "." + table);
  }

  private String table(String name) {
    return SERVER.ask("select to_regclass('" + schema + "." + name + "') is not null");
  }
}
