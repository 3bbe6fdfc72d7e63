package io.sluice.crashtest;

import io.sluice.JobState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Judges the evidence of a run: a pure function from history and tables to broken promises and figures. */
final class Checker {
  private final Evidence evidence;
  private final Timeline timeline;
  private final Map<String, Row> rows = new HashMap<>();
  private final List<Finding> findings = new ArrayList<>();

  private Checker(Evidence evidence) {
    this.evidence = evidence;
    this.timeline = new Timeline(evidence.history());
  }

  static Report check(Evidence evidence) {
    return new Checker(evidence).check();
  }

  private Report check() {
    for (Row row : evidence.rows()) {
      Row other = rows.put(row.key(), row);
      if (other != null) {
        found(Finding.Kind.KEY_TAKEN_TWICE, row.key(), "jobs " + other.job() + ", " + row.job());
      }
    }
    timeline.acknowledged().forEach(this::checkAcknowledged);
    evidence.rows().forEach(this::checkRow);
    RunChecks runs = new RunChecks(timeline, Map.copyOf(rows), findings);
    runs.check();
    OrderCheck order = new OrderCheck(timeline, findings);
    order.check();
    RecoveryCheck recovery =
        new RecoveryCheck(timeline, Map.copyOf(rows), evidence.lease(), findings);
    recovery.check();
    LimitCheck limits = new LimitCheck(timeline, evidence.lease(), findings);
    limits.check();
    new ClaimCheck(timeline, evidence.lease(), findings).check();
    new PaceCheck(timeline, evidence.lease(), findings).check();
    new StrictOrderCheck(timeline, Map.copyOf(rows), findings).check();
    BatchCheck batch = new BatchCheck(timeline, Map.copyOf(rows), findings);
    batch.check();
    MixedBatchCheck batches = new MixedBatchCheck(timeline, Map.copyOf(rows), findings);
    batches.check();
    WaitCheck waits = new WaitCheck(timeline, evidence.lease(), findings);
    waits.check();
    Map<String, String> figures = figures(runs, order, recovery);
    limits.figures(figures);
    batch.figures(figures);
    batches.figures(figures);
    waits.figures(figures);
    return new Report(findings, figures);
  }

  private void found(Finding.Kind kind, String key, String text) {
    findings.add(new Finding(kind, key + ": " + text));
  }

  private void checkAcknowledged(String key) {
    Row row = rows.get(key);
    List<Entry.Ok> oks = timeline.oks(key);
    if (row == null) {
      found(Finding.Kind.LOST, key, "acknowledged as " + oks.getFirst().job() + " and not there");
      return;
    }
    if (!row.isOver()) {
      found(Finding.Kind.LOST, key, "acknowledged and not over: " + row.status());
    }
    for (Entry.Ok ok : oks) {
      if (!ok.job().equals(row.job())) {
        found(
            Finding.Kind.KEY_TAKEN_TWICE,
            key,
            "acknowledged as " + ok.job() + " but is " + row.job());
      }
    }
  }

  private void checkRow(Row row) {
    Entry.Invoke invoke = timeline.invokes().get(row.key());
    if (invoke == null) {
      found(Finding.Kind.PHANTOM, row.key(), "is in the tables, and nobody enqueued it");
      return;
    }
    if (!invoke.work().equals(row.work())) {
      found(Finding.Kind.WRONG_PAYLOAD, row.key(), "holds " + row.work());
    }
    if (row.ends() > 1 || (row.ends() == 1 && row.places() != 1)) {
      found(
          Finding.Kind.FINISHED_TWICE,
          row.key(),
          row.ends() + " ends, " + row.places() + " places");
    }
    if (row.status().attempt() > Work.ATTEMPTS) {
      found(Finding.Kind.TOO_MANY_ATTEMPTS, row.key(), row.status().attempt() + " attempts");
    }
    if (row.isOver()) {
      checkEnd(row, invoke.work());
    }
  }

  private void checkEnd(Row row, Work work) {
    Row.Status status = row.status();
    long failures = row.failures().stream().filter(f -> f.run() != null).count();
    long distinct = row.failures().stream()
        .filter(f -> f.run() != null)
        .map(Row.Failure::attempt)
        .distinct()
        .count();
    if (distinct != failures) {
      found(Finding.Kind.FINISHED_TWICE, row.key(), "an attempt failed twice: " + row.failures());
    }
    boolean explained = status.state() == JobState.COMPLETED
        ? work.canSucceed() && failures == status.attempt() - 1
        : status.state() == JobState.DEAD && isDeadForAReason(row, work, failures);
    boolean judgedWithItsBatch = status.state() == JobState.CANCELLED && BatchPlan.includes(work);
    if (!explained && !judgedWithItsBatch) {
      found(
          Finding.Kind.WRONG_END,
          row.key(),
          work + " ended as " + status + " after " + row.failures());
    }
  }

  private boolean isDeadForAReason(Row row, Work work, long failures) {
    if (failures == Work.ATTEMPTS) {
      return !work.canSucceed();
    }
    boolean lost = "WORKER_LOST".equals(row.status().reason());
    return lost && (work.type().equals(Work.FRAGILE) || row.status().strikes() >= 2);
  }

  private Map<String, String> figures(RunChecks runs, OrderCheck order, RecoveryCheck recovery) {
    Map<String, String> figures = new LinkedHashMap<>();
    Incidents incidents = timeline.incidents();
    figures.put("took", evidence.took().toSeconds() + " s");
    figures.put("jobs acknowledged", String.valueOf(acknowledged(true)));
    figures.put("  of batches and callers", String.valueOf(acknowledged(false)));
    figures.put(
        "enqueues with an unknown answer", String.valueOf(timeline.unsure().size()));
    figures.put("jobs completed", String.valueOf(in(JobState.COMPLETED)));
    figures.put("jobs dead", String.valueOf(in(JobState.DEAD)));
    figures.put("jobs lost", String.valueOf(count(Finding.Kind.LOST)));
    figures.put("handler runs", String.valueOf(runs.total()));
    figures.put("retries of failed attempts", String.valueOf(runs.retries()));
    figures.put("duplicate runs", String.valueOf(runs.duplicates()));
    new TreeMap<>(runs.byCause())
        .forEach((cause, n) -> figures.put("  after " + cause, String.valueOf(n)));
    figures.put("order broken with a cause", String.valueOf(order.explained()));
    recovery.figures(figures);
    for (FaultKind kind : FaultKind.values()) {
      figures.put("faults " + kind, String.valueOf(incidents.count(kind)));
    }
    figures.put("longest stall of the machine", incidents.longestStall().toMillis() + " ms");
    return figures;
  }

  private long acknowledged(boolean numbered) {
    return timeline.acknowledged().stream()
        .map(key -> timeline.invokes().get(key))
        .filter(invoke -> invoke != null && invoke.work().isNumbered() == numbered)
        .count();
  }

  private long in(JobState state) {
    return evidence.rows().stream().filter(r -> r.status().state() == state).count();
  }

  private long count(Finding.Kind kind) {
    return Set.copyOf(findings).stream().filter(f -> f.kind() == kind).count();
  }
}
