package io.sluice.crashtest;

import io.sluice.BatchCounts;
import io.sluice.JobState;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What became of the batches among other jobs: each is finished, counts what the tables hold of its members,
 * ran or cancelled each of them by the rules of those it waited for, and its callback by its counts.
 */
final class MixedBatchCheck {
  private final Timeline timeline;
  private final Map<Long, Row> rows = new HashMap<>();
  private final List<Finding> findings;
  private final Map<Long, JobState> states = new HashMap<>();
  private final Set<String> wrong = new HashSet<>();

  MixedBatchCheck(Timeline timeline, Map<String, Row> rows, List<Finding> findings) {
    this.timeline = timeline;
    this.findings = findings;
    rows.values().forEach(this::add);
  }

  private void add(Row row) {
    Work work = row.work();
    JobState state = row.status().state();
    if (work != null && BatchPlan.includes(work)) {
      rows.put(work.seq(), row);
      if (state != null) {
        states.put(work.seq(), state);
      }
    }
  }

  void check() {
    timeline.batches().forEach(this::check);
  }

  private void check(Entry.BatchSeen batch) {
    BatchPlan plan = BatchPlan.named(batch.name());
    if (!batch.over()) {
      found(Finding.Kind.WRONG_BATCH, batch, "is not over");
    }
    BatchCounts right = new BatchCounts(
        plan.members().size(),
        in(plan, JobState.COMPLETED),
        in(plan, JobState.DEAD),
        in(plan, JobState.CANCELLED));
    if (!batch.counts().equals(right)) {
      found(
          Finding.Kind.WRONG_BATCH, batch, "has " + batch.counts() + ", the tables hold " + right);
    }
    plan.members().forEach(member -> checkFate(batch, plan, member));
    checkFate(batch, plan, plan.callback());
    checkMoment(batch, plan);
  }

  private long in(BatchPlan plan, JobState state) {
    return plan.members().stream()
        .filter(member -> states.get(member.seq()) == state)
        .count();
  }

  private void checkFate(Entry.BatchSeen batch, BatchPlan plan, Work work) {
    JobState state = states.get(work.seq());
    boolean ran = state == JobState.COMPLETED || state == JobState.DEAD;
    boolean over = ran || state == JobState.CANCELLED;
    if (over && ran != plan.hasToRun(work, states)) {
      found(
          Finding.Kind.WRONG_BATCH,
          batch,
          work.type() + " " + work.key() + " is " + state + " although its batch is "
              + fates(plan));
    }
  }

  private List<JobState> fates(BatchPlan plan) {
    return plan.members().stream()
        .map(member -> states.getOrDefault(member.seq(), JobState.PENDING))
        .toList();
  }

  /** The callback begins after the recorded end of every member that ran. */
  private void checkMoment(Entry.BatchSeen batch, BatchPlan plan) {
    long lastEnd = plan.members().stream()
        .map(member -> rows.get(member.seq()))
        .filter(row -> row != null)
        .flatMap(row -> timeline.runs(row.job()).stream().filter(row::records))
        .filter(run -> run.end() != null)
        .mapToLong(run -> run.end().at())
        .max()
        .orElse(Long.MIN_VALUE);
    Row callback = rows.get(plan.callback().seq());
    boolean early = callback != null
        && timeline.runs(callback.job()).stream().anyMatch(run -> run.at() < lastEnd);
    if (early) {
      found(Finding.Kind.CALLBACK_EARLY, batch, "its callback began before its last job had ended");
    }
  }

  private void found(Finding.Kind kind, Entry.BatchSeen batch, String text) {
    wrong.add(batch.name());
    findings.add(new Finding(kind, batch.name() + ": " + text));
  }

  void figures(Map<String, String> figures) {
    if (timeline.batches().isEmpty()) {
      return;
    }
    figures.put("batches", String.valueOf(timeline.batches().size()));
    figures.put("wrong batches", String.valueOf(wrong.size()));
    figures.put("calls that ended several jobs", String.valueOf(calls(Collection::size, 2)));
    figures.put("  members and strangers together", String.valueOf(calls(this::kinds, 2)));
  }

  /** How many calls to the store have at least this many. */
  private long calls(Function<Collection<UUID>, Integer> measure, int least) {
    Map<String, Set<UUID>> calls = new HashMap<>();
    timeline
        .recorded()
        .forEach(e -> calls
            .computeIfAbsent(e.who() + " " + e.call(), call -> new HashSet<>())
            .add(e.job()));
    return calls.values().stream().filter(jobs -> measure.apply(jobs) >= least).count();
  }

  private int kinds(Collection<UUID> jobs) {
    Set<UUID> members = rows.values().stream().map(Row::job).collect(Collectors.toSet());
    long inside = jobs.stream().filter(members::contains).count();
    return inside == 0 || inside == jobs.size() ? 1 : 2;
  }
}
