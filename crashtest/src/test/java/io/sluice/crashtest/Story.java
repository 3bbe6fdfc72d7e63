package io.sluice.crashtest;

import io.sluice.JobState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** A history written by hand, in milliseconds, for tests of the checker. */
final class Story {
  static final Duration LEASE = Duration.ofSeconds(2);
  static final String FIRST = "worker-0#1";
  static final String SECOND = "worker-1#2";

  private final List<Entry> history = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();
  private int faults;

  Story() {
    history.add(new Entry.Ready(nanos(-9_000), FIRST));
    history.add(new Entry.Ready(nanos(-9_000), SECOND));
  }

  static UUID id(long seq) {
    return new UUID(7, seq);
  }

  static Work work(long seq, String type, int failures) {
    return Work.of(seq, type, 1, failures);
  }

  private static long nanos(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  Story add(Entry entry) {
    history.add(entry);
    return this;
  }

  Story enqueued(long millis, Work work) {
    add(new Entry.Invoke(nanos(millis), "producer#9", work.key(), work));
    return add(new Entry.Ok(nanos(millis + 1), "producer#9", work.key(), id(work.seq())));
  }

  /** A run that lasts ten milliseconds. */
  Story ran(long millis, String who, Work work, int turn, Entry.How how) {
    began(millis, who, work, turn);
    return add(new Entry.End(nanos(millis + 10), who, run(work, turn), how));
  }

  Story ended(long millis, String who, Work work, int turn) {
    return add(new Entry.End(nanos(millis), who, run(work, turn), Entry.How.DONE));
  }

  Story began(long millis, String who, Work work, int turn) {
    return add(new Entry.Start(
        nanos(millis), who, run(work, turn), id(work.seq()), turn, 1, work.seq(), work.checksum()));
  }

  static String run(Work work, int turn) {
    return "run-" + work.seq() + "-" + turn;
  }

  Story fault(long from, long to, FaultKind kind, String who) {
    faults++;
    add(new Entry.Begin(nanos(from), faults, kind, who));
    return add(new Entry.Over(nanos(to), faults));
  }

  Story recorded(long millis, String who, Work work, int turn) {
    return add(new Entry.Recorded(nanos(millis), who, millis, id(work.seq()), turn));
  }

  Story overdue(long millis, Work work) {
    return add(new Entry.Overdue(nanos(millis), id(work.seq()), 2_500));
  }

  Story completed(Work work, int turn, Row.Failure... failures) {
    return row(
        work,
        new Row.Status(JobState.COMPLETED, failures.length + 1, turn, 0, run(work, turn), null),
        1,
        failures);
  }

  Story row(Work work, Row.Status status, int ends, Row.Failure... failures) {
    rows.add(new Row(
        id(work.seq()), work.key(), work, Math.max(1, ends), ends, status, List.of(failures)));
    return this;
  }

  Story row(Row row) {
    rows.add(row);
    return this;
  }

  Report judged() {
    List<Entry> ordered = new ArrayList<>(history);
    ordered.sort(Comparator.comparingLong(Entry::at));
    return Checker.check(new Evidence(ordered, rows, LEASE, Duration.ofSeconds(1)));
  }
}
