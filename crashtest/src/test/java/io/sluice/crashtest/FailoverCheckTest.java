package io.sluice.crashtest;

import static io.sluice.crashtest.Story.FIRST;
import static io.sluice.crashtest.Story.LEASE;
import static io.sluice.crashtest.Story.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Failovers written by hand; the standby was cut off at 1 s and promoted at 2 s. */
class FailoverCheckTest {
  private static final Work JOB = Story.work(1, Work.SLOW, 0);
  private static final Work NEXT = Story.work(2, Work.SLOW, 0);

  private final List<Entry> history = new ArrayList<>();
  private final List<Row> had = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();

  private static long nanos(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  private void enqueued(long millis, Work work) {
    history.add(new Entry.Invoke(nanos(millis), "director", work.key(), work));
    history.add(new Entry.Ok(nanos(millis + 1), "director", work.key(), Story.id(work.seq())));
  }

  private void ran(long from, long to, String who, Work work) {
    String run = who + "/" + work.seq();
    history.add(new Entry.Granted(nanos(from), who, Story.id(work.seq()), 1));
    history.add(new Entry.Start(
        nanos(from), who, run, Story.id(work.seq()), 1, 1, work.seq(), work.checksum()));
    history.add(new Entry.End(nanos(to), who, run, Entry.How.DONE));
  }

  private static Row row(Work work, JobState state, String who) {
    String run = state == JobState.COMPLETED ? who + "/" + work.seq() : null;
    int ends = state == JobState.COMPLETED ? 1 : 0;
    Row.Status status = new Row.Status(state, 1, 1, 0, run, null);
    return new Row(Story.id(work.seq()), work.key(), work, 1, ends, status, List.of());
  }

  private void flags(Finding.Kind... kinds) {
    enqueued(2_000, NEXT);
    ran(2_100, 2_200, FIRST, NEXT);
    history.add(new Entry.Granted(nanos(2_300), SECOND, Story.id(99), 1));
    rows.add(row(NEXT, JobState.COMPLETED, FIRST));
    history.sort(Comparator.comparingLong(Entry::at));
    Failover.Moments moments = new Failover.Moments(nanos(1_000), nanos(1_500), nanos(2_000));
    Report report = FailoverCheck.check(
        new Failover(history, had, rows, List.of(FIRST, SECOND), moments, LEASE));
    assertThat(report.findings().stream().map(Finding::kind).toList())
        .containsExactlyInAnyOrder(kinds);
  }

  @Test
  void jobThatTheStandbyLacked_mayBeLost() {
    enqueued(1_100, JOB);
    flags();
  }

  @Test
  void jobThatWasSentToThePrimary_mayBeLost_thoughItsAnswerCameLate() {
    history.add(new Entry.Invoke(nanos(1_900), "director", JOB.key(), JOB));
    history.add(new Entry.Ok(nanos(2_050), "director", JOB.key(), Story.id(JOB.seq())));
    flags();
  }

  @Test
  void jobThatWasSentToTheStandby_mayNotBeLost() {
    enqueued(2_050, JOB);
    flags(Finding.Kind.LOST);
  }

  @Test
  void jobThatTheStandbyHad_mayNotBeLost() {
    enqueued(500, JOB);
    had.add(row(JOB, JobState.PENDING, ""));
    flags(Finding.Kind.LOST);
  }

  @Test
  void outcomeThatTheStandbyLacked_mayBeRunAgain() {
    enqueued(500, JOB);
    ran(1_100, 1_200, FIRST, JOB);
    ran(2_300, 2_400, SECOND, JOB);
    had.add(row(JOB, JobState.PENDING, ""));
    rows.add(row(JOB, JobState.COMPLETED, SECOND));
    flags();
  }

  @Test
  void outcomeThatTheStandbyHad_mayNotBeRunAgain() {
    enqueued(500, JOB);
    ran(600, 700, FIRST, JOB);
    ran(2_300, 2_400, SECOND, JOB);
    had.add(row(JOB, JobState.COMPLETED, FIRST));
    rows.add(row(JOB, JobState.COMPLETED, SECOND));
    flags(Finding.Kind.UNEXPLAINED_DUPLICATE);
  }

  @Test
  void outcomeOfAnOldClaim_isFlagged_onceTheNewServerGaveTheJobAway() {
    enqueued(500, JOB);
    ran(1_100, 2_500, FIRST, JOB);
    ran(2_300, 2_900, SECOND, JOB);
    had.add(row(JOB, JobState.PENDING, ""));
    rows.add(row(JOB, JobState.COMPLETED, FIRST));
    flags(Finding.Kind.LATE_WRITE_TAKEN);
  }

  @Test
  void engineThatGetsNoWork_isFlagged() {
    history.add(new Entry.Granted(nanos(1_900), "worker-2#3", Story.id(98), 1));
    Failover.Moments moments = new Failover.Moments(nanos(1_000), nanos(1_500), nanos(2_000));
    Report report = FailoverCheck.check(
        new Failover(history, had, rows, List.of("worker-2#3"), moments, LEASE));
    assertThat(report.count(Finding.Kind.SLOW_RECOVERY)).isEqualTo(1);
  }
}
