package io.sluice.crashtest;

import io.sluice.JobState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What handlers did, held against what was enqueued and what was recorded. */
final class RunChecks {
  private final Timeline timeline;
  private final Map<UUID, Row> rows;
  private final List<Finding> findings;
  private final Map<String, Integer> byCause = new HashMap<>();
  private long total;
  private long retries;

  RunChecks(Timeline timeline, Map<String, Row> rows, List<Finding> findings) {
    this.timeline = timeline;
    this.rows = rows.values().stream().collect(Collectors.toMap(Row::job, Function.identity()));
    this.findings = findings;
  }

  void check() {
    timeline.runs().forEach((job, runs) -> {
      total += runs.size();
      Row row = rows.get(job);
      if (row == null) {
        found(Finding.Kind.PHANTOM, "job " + job + " ran and is not in the tables");
      } else {
        runs.forEach(run -> checkRun(run, row));
        checkTurns(runs, row);
      }
    });
    rows.values().forEach(this::checkRecorded);
  }

  private void found(Finding.Kind kind, String text) {
    findings.add(new Finding(kind, text));
  }

  private void checkRun(Timeline.Run run, Row row) {
    Entry.Invoke invoke = timeline.invokes().get(row.key());
    if (invoke == null || invoke.at() > run.at()) {
      found(Finding.Kind.PHANTOM, run + " ran before it was enqueued");
    } else if (run.start().seq() != invoke.work().seq()
        || run.start().checksum() != invoke.work().checksum()) {
      found(Finding.Kind.WRONG_PAYLOAD, run + " of " + invoke);
    }
    if (run.start().attempt() > Work.ATTEMPTS) {
      found(Finding.Kind.TOO_MANY_ATTEMPTS, run.toString());
    }
    if (row.isOver() && run.turn() > row.status().turn()) {
      found(
          Finding.Kind.LATE_WRITE_TAKEN,
          row.key() + ": over with turn " + row.status().turn() + " although " + run + " had it");
    }
  }

  /** Goes from each run of a job to the next: there must be a reason for it. */
  private void checkTurns(List<Timeline.Run> runs, Row row) {
    Work work = row.work();
    boolean fragile = work != null && work.type().equals(Work.FRAGILE);
    for (int i = 1; i < runs.size(); i++) {
      Timeline.Run earlier = runs.get(i - 1);
      Timeline.Run later = runs.get(i);
      if (fragile) {
        found(Finding.Kind.FRAGILE_RAN_TWICE, row.key() + ": " + earlier + ", " + later);
      } else if (earlier.turn() == later.turn()) {
        found(Finding.Kind.CLAIM_RAN_TWICE, row.key() + ": " + earlier + ", " + later);
      } else if (isRecordedFailure(earlier, row)) {
        retries++;
      } else {
        explain(earlier, later, row);
      }
    }
  }

  private static boolean isRecordedFailure(Timeline.Run run, Row row) {
    return run.endedAs(Entry.How.THREW)
        && row.failures().stream().anyMatch(f -> run.start().run().equals(f.run()));
  }

  private void explain(Timeline.Run earlier, Timeline.Run later, Row row) {
    long from = Math.min(earlier.at(), later.at());
    long to = Math.max(earlier.at(), later.at());
    Optional<FaultKind> cause =
        timeline.incidents().cause(Set.copyOf(List.of(earlier.who(), later.who())), from, to);
    if (cause.isPresent()) {
      byCause.merge(cause.get().name(), 1, Integer::sum);
    } else {
      byCause.merge("no cause", 1, Integer::sum);
      found(
          Finding.Kind.UNEXPLAINED_DUPLICATE,
          row.key() + ": " + earlier + " and then " + later + ", " + row.status());
    }
  }

  /** Every recorded outcome must come from a run that had the claim it was recorded under. */
  private void checkRecorded(Row row) {
    Row.Status status = row.status();
    if (status.state() == JobState.COMPLETED) {
      if (row.work() != null && row.work().isSilent()) {
        checkSilentEnd(row);
      } else {
        checkOutcome(row, status.run(), status.turn(), Entry.How.DONE);
      }
    }
    for (Row.Failure failure : row.failures()) {
      if (failure.run() != null) {
        checkOutcome(row, failure.run(), failure.turn(), Entry.How.THREW);
      }
    }
    List<String> named = row.failures().stream()
        .map(Row.Failure::run)
        .filter(run -> run != null)
        .map(String::valueOf)
        .toList();
    if (Set.copyOf(named).size() != named.size() || named.contains(String.valueOf(status.run()))) {
      found(Finding.Kind.FINISHED_TWICE, row.key() + ": one run, two outcomes: " + row);
    }
  }

  /** A job that left no result must have a run that ended well under the claim it was recorded under. */
  private void checkSilentEnd(Row row) {
    boolean known = timeline.runs(row.job()).stream()
        .anyMatch(run -> row.records(run) && run.endedAs(Entry.How.DONE));
    if (!known || row.status().run() != null) {
      found(Finding.Kind.PHANTOM, row.key() + ": no run ended like its outcome: " + row);
    }
  }

  private void checkOutcome(Row row, @Nullable String name, int turn, Entry.How how) {
    Optional<Timeline.Run> run = timeline.run(name);
    boolean known = run.isPresent()
        && run.get().start().job().equals(row.job())
        && run.get().endedAs(how);
    if (!known) {
      found(Finding.Kind.PHANTOM, row.key() + ": no run ended like its outcome: " + row);
    } else if (run.get().turn() != turn) {
      found(
          Finding.Kind.LATE_WRITE_TAKEN,
          row.key() + ": " + run.get() + " was recorded under turn " + turn);
    }
  }

  long total() {
    return total;
  }

  long retries() {
    return retries;
  }

  long duplicates() {
    return byCause.values().stream().mapToInt(n -> n).sum();
  }

  Map<String, Integer> byCause() {
    return byCause;
  }
}
