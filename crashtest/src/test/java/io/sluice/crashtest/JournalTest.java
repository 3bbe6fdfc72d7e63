package io.sluice.crashtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.BatchCounts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  private static final UUID JOB = new UUID(1, 2);
  private static final List<Entry> ONE_OF_EACH = List.of(
      new Entry.Ready(1, "worker-0#1"),
      new Entry.Invoke(2, "producer#2", "job-1", Work.of(1, Work.PLAIN, 5, 2)),
      new Entry.Ok(3, "producer#2", "job-1", JOB),
      new Entry.Fail(4, "producer#2", "job-1", "QUEUE_FULL: no room"),
      new Entry.Unknown(5, "producer#2", "job-1"),
      new Entry.Start(6, "worker-0#1", "worker-0#1/1", JOB, 3, 2, 1, 99),
      new Entry.End(7, "worker-0#1", "worker-0#1/1", Entry.How.THREW),
      new Entry.Stall(8, "worker-0#1", 4),
      new Entry.Begin(9, 1, FaultKind.KILL_DATABASE, ""),
      new Entry.Over(10, 1),
      new Entry.Overdue(11, JOB, 2500),
      new Entry.Slots(12, 5, Map.of("worker-0#1", 2, "worker-1#2", 1)),
      new Entry.Slots(13, 5, Map.of()),
      new Entry.Counted(14, "capped", 3),
      new Entry.Tally(15, "worker-0#1", 1, new BatchCounts(10, 7, 2, 1)),
      new Entry.Told(16, "left#1", 7, 17),
      new Entry.Granted(17, "worker-0#1", JOB, 3),
      new Entry.Recorded(18, "worker-0#1", 4, JOB, 3),
      new Entry.Held(18, "worker-0#1", JOB, 3),
      new Entry.Pinned(19, "job-1"),
      new Entry.BatchSeen(20, "batch-7", true, new BatchCounts(10, 7, 2, 1)));

  @TempDir
  Path folder;

  @Test
  void everyKindOfLine_isReadAsItWasWritten() {
    try (Journal journal = Journal.open(folder, "worker-0#1")) {
      ONE_OF_EACH.forEach(journal::write);
    }
    assertThat(Journal.read(folder, "")).isEqualTo(ONE_OF_EACH);
    assertThat(Journal.read(folder, "producer")).isEmpty();
  }

  @Test
  void journal_goesOn_whenAnInterruptedThreadWritesToIt() {
    try (Journal journal = Journal.open(folder, "worker-0#1")) {
      Thread.currentThread().interrupt();
      journal.write(ONE_OF_EACH.getFirst());
      assertThat(Thread.interrupted()).isTrue();
      journal.write(ONE_OF_EACH.get(1));
    }
    assertThat(Journal.read(folder, "")).hasSize(2);
  }

  @Test
  void tornLastLine_isLeftOut() {
    String whole = ONE_OF_EACH.getFirst().line() + "\n";
    assertThat(Journal.parse(whole + "2\tinvo")).containsExactly(ONE_OF_EACH.getFirst());
    assertThat(Journal.parse("2\tinvo")).isEmpty();
  }

  @Test
  void schedule_isAFunctionOfItsSeed() {
    Size size = Size.large();
    Schedule schedule = Schedule.of(7, size);
    assertThat(schedule).isEqualTo(Schedule.of(7, size)).isNotEqualTo(Schedule.of(8, size));
    assertThat(schedule.steps().stream().filter(s -> s.kind() == FaultKind.KILL_WORKER))
        .hasSize(20);
    assertThat(schedule.steps().stream().filter(s -> s.kind() == FaultKind.PAUSE_WORKER))
        .hasSize(10)
        .allSatisfy(s -> assertThat(s.lasting()).isGreaterThan(size.lease()));
    assertThat(schedule.steps().stream().filter(s -> s.kind() == FaultKind.KILL_DATABASE))
        .hasSize(5);
  }

  @Test
  void work_isAFunctionOfSeedAndNumber_andKnowsWhenItIsTorn() {
    Work work = Work.of(7, 123, Duration.ofSeconds(2));
    assertThat(work).isEqualTo(Work.of(7, 123, Duration.ofSeconds(2)));
    assertThat(work.isIntact()).isTrue();
    assertThat(new Work(work.seq() + 1, work.type(), 1, 0, work.checksum()).isIntact())
        .isFalse();
  }
}
