package io.sluice.server.urlgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ErrorClass;
import io.sluice.SluiceException;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.ManualClock;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an instance counts, what is written of it, and what that says about a group. */
class TalliesTest {
  private final GroupTables tables = new GroupTables();
  private final ManualClock clock = new ManualClock();
  private final AtomicLong nanos = new AtomicLong();
  private final Tallies tallies = instance();
  private final GroupFigures figures =
      new GroupFigures(tables.tables.database(), tallies, tables.json, clock);
  private final UrlGroup group = tables.group("g", "");

  @AfterEach
  void close() {
    tables.close();
  }

  private Tallies instance() {
    return new Tallies(
        tables.tables.database(), tables.json, new Tallies.Tools(clock, nanos::get, tables.ids));
  }

  private void later(Duration time) {
    clock.advance(time);
    nanos.addAndGet(time.toNanos());
  }

  private Seen delivered(long millis) {
    return new Seen(tables.ids.next(), 1, clock.instant(), 200, null, millis);
  }

  private Seen failed() {
    return new Seen(
        tables.ids.next(),
        2,
        clock.instant(),
        500,
        new Seen.Failure(ErrorClass.SERVER, "HTTP_500", "no"),
        20);
  }

  private String run() {
    return String.join(
        "",
        tables.query("select failures || ' ' || (first_failure_at is not null) || ' ' || "
            + "(last_success_at is not null) from url_group_run"));
  }

  @Test
  void percentiles_areRightToWithinATenth() {
    for (int i = 1; i <= 1_000; i++) {
      tallies.add(group, delivered(i));
    }
    GroupFigures.Latency latency =
        figures.sum(group.id(), Duration.ofMinutes(1)).latencyMs();
    assertThat(latency.p50()).isBetween(500.0, 550.0);
    assertThat(latency.p95()).isBetween(950.0, 1045.0);
    assertThat(latency.p99()).isBetween(990.0, 1095.0);
    assertThat(Latencies.bucket(0)).isZero();
    assertThat(Latencies.bucket(1)).isEqualTo(1);
    assertThat(Latencies.bucket(Long.MAX_VALUE)).isEqualTo(Latencies.BUCKETS - 1);
  }

  @Test
  void minutesOfInstances_addUp_withinTheWindow() {
    Tallies other = instance();
    for (int minute = 0; minute < 5; minute++) {
      tallies.add(group, delivered(10));
      tallies.flush();
      tallies.add(group, failed());
      other.add(group, delivered(10));
      other.flush();
      tallies.flush();
      tallies.flush();
      later(Duration.ofMinutes(1));
    }
    GroupFigures.Deliveries all = figures.sum(group.id(), Duration.ofMinutes(5)).deliveries();
    assertThat(all.delivered()).isEqualTo(10);
    assertThat(all.failed()).isEqualTo(5);
    assertThat(all.failedByClass()).containsEntry("SERVER", 5L);
    assertThat(all.deliveredPerMinute()).isEqualTo(2);
    assertThat(figures.sum(group.id(), Duration.ofMinutes(2)).deliveries().delivered())
        .isEqualTo(4);
    assertThat(tables.query("select 1 from url_group_minute")).hasSize(10);
  }

  @Test
  void whatCouldNotBeWritten_isWrittenTheNextTime() {
    tallies.add(group, failed());
    tables.tables.execute("alter table url_group_delivery rename to away");
    assertThatThrownBy(tallies::flush).isInstanceOf(SluiceException.class);
    tallies.add(group, delivered(1));
    tallies.add(group, failed());
    tables.tables.execute("alter table away rename to url_group_delivery");
    GroupFigures.Deliveries all = figures.sum(group.id(), Duration.ofMinutes(5)).deliveries();
    assertThat(all.delivered()).isEqualTo(1);
    assertThat(all.failed()).isEqualTo(2);
    assertThat(figures.recent(group.id(), false, null, 10)).hasSize(3);
    assertThat(run()).isEqualTo("1 true true");
  }

  @Test
  void figuresOfAGroupThatIsBeingDeleted_holdUpNoOthers() throws Exception {
    UrlGroup other = tables.group("other", "");
    tallies.add(group, failed());
    tallies.add(other, delivered(1));
    try (Connection deleting = tables.tables.connect();
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      deleting.setAutoCommit(false);
      deleting.createStatement().execute("delete from url_group where name = 'g'");
      Future<?> flushed = threads.submit(tallies::flush);
      Eventually.await(
          "the figures wait for the group",
          () -> !tables
              .query("select 1 from pg_stat_activity where wait_event_type = 'Lock'"
                  + " and query like '%url_group_minute%'")
              .isEmpty());
      deleting.commit();
      flushed.get();
    }
    assertThat(tables.query("select url_group::text from url_group_minute"))
        .containsExactly(other.id().toString());
  }

  @Test
  void newestOfEachKind_areKept() {
    for (int round = 0; round < 15; round++) {
      for (int i = 0; i < 30; i++) {
        tallies.add(group, delivered(1));
      }
      tallies.add(group, failed());
      later(Duration.ofSeconds(2));
      tallies.flush();
    }
    List<GroupFigures.Delivery> all = figures.recent(group.id(), false, null, 250);
    assertThat(all).filteredOn(one -> one.errorClass() == null).hasSize(100);
    assertThat(all).filteredOn(one -> one.errorClass() != null).hasSize(15);
    assertThat(all.getFirst().at()).isAfter(all.getLast().at());
  }

  @Test
  void run_beginsWithTheFirstFailureAfterASuccess_whoeverSawIt() {
    Tallies other = instance();
    tallies.add(group, failed());
    tallies.flush();
    other.add(group, failed());
    other.add(group, failed());
    other.flush();
    assertThat(run()).isEqualTo("3 true false");
    later(Duration.ofSeconds(1));
    other.add(group, delivered(1));
    other.flush();
    assertThat(run()).isEqualTo("0 false true");
    tallies.add(group, failed());
    tallies.flush();
    assertThat(run()).isEqualTo("1 true true");
  }

  @Test
  void wordOfAnEarlierEpoch_isNotTaken() {
    tallies.add(group, failed());
    tables.tables.execute("update url_group set epoch = 1");
    tallies.flush();
    assertThat(run()).isEmpty();
    tallies.add(tables.read(group), failed());
    tallies.add(group, failed());
    tallies.flush();
    assertThat(run()).isEqualTo("1 true false");
  }

  @Test
  void oldMinutes_areForgotten_andDeletedGroupsLeaveNothing() {
    tallies.add(group, delivered(1));
    tallies.flush();
    later(Duration.ofHours(25));
    tallies.flush();
    assertThat(tables.query("select 1 from url_group_minute")).isEmpty();
    tallies.add(group, failed());
    tables.groups.delete("default", group.id(), UrlGroups.ChangeNote.NONE);
    tallies.flush();
    for (String table : List.of("minute", "delivery", "run")) {
      assertThat(tables.query("select 1 from url_group_" + table)).isEmpty();
    }
  }
}
