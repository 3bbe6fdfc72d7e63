package io.sluice.testkit;

import io.sluice.AfterPolicy;
import io.sluice.BatchCounts;
import io.sluice.Defaults;
import io.sluice.JobState;
import io.sluice.Predecessor;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for whom in the model, and its batches. It counts nothing: after each move it asks of every job
 * that waits how those stand that it waits for, until no answer changes anything any more.
 */
final class ModelLinks {
  /** The one reason of a job that was cancelled because of another: which other is not told apart. */
  static final String BECAUSE_OF_ANOTHER = "because of another";

  static final String ALL_COMPLETED = "all that it waits for completed";

  /** A batch and its members. */
  static final class Batch {
    final Set<UUID> members = new LinkedHashSet<>();
    boolean open;
    boolean over;

    Batch(boolean open) {
      this.open = open;
    }
  }

  private final Model model;
  private final Map<UUID, Batch> batches = new LinkedHashMap<>();
  private final Map<UUID, JobState> gone = new HashMap<>();
  private final Set<UUID> forgotten = new HashSet<>();

  ModelLinks(Model model) {
    this.model = model;
  }

  Map<UUID, Batch> batches() {
    return batches;
  }

  /** Jobs past their keeping that were needed: a store may show them for a while longer, or not. */
  Set<UUID> forgotten() {
    return forgotten;
  }

  void start(UUID id, boolean open) {
    batches.put(id, new Batch(open));
  }

  void joined(UUID batch, UUID job) {
    Batch known = batches.get(batch);
    if (known != null) {
      known.members.add(job);
    }
  }

  boolean close(UUID id) {
    Batch batch = batches.get(id);
    boolean closed = batch != null && batch.open;
    if (batch != null) {
      batch.open = false;
    }
    settle();
    return closed;
  }

  /** Notes a job that is dropped, how it ended, and whether a job that is not over names it. */
  void dropped(Model.Job job, Collection<Model.Job> others) {
    UUID id = job.made.id();
    gone.put(id, job.state);
    if (isNeeded(id, others)) {
      forgotten.add(id);
    }
  }

  /** True when one of these that is not over names the job. */
  static boolean isNeeded(UUID id, Collection<Model.Job> others) {
    return others.stream()
        .filter(other -> !other.state.isFinal())
        .anyMatch(other -> predecessors(other).stream().anyMatch(one -> one.id().equals(id)));
  }

  private static List<Predecessor> predecessors(Model.Job job) {
    return job.made.spec().ties().after();
  }

  /** How a job or a batch ended; null while it has not. */
  private @Nullable JobState outcome(UUID id) {
    Batch batch = batches.get(id);
    if (batch != null) {
      return batch.over ? counts(batch).outcome() : null;
    }
    Model.Job job = model.find(id);
    JobState state = job == null ? gone.get(id) : job.state;
    return state != null && state.isFinal() ? state : null;
  }

  BatchCounts counts(Batch batch) {
    long completed = 0;
    long failed = 0;
    long cancelled = 0;
    for (UUID member : batch.members) {
      JobState state = outcome(member);
      completed += state == JobState.COMPLETED ? 1 : 0;
      failed += state == JobState.DEAD || state == JobState.FAILED ? 1 : 0;
      cancelled += state == JobState.CANCELLED ? 1 : 0;
    }
    return new BatchCounts(batch.members.size(), completed, failed, cancelled);
  }

  /** Takes back the ends of batches when a job is over no longer. It needs again those that it names. */
  void back(Model.Job job) {
    batches.values().forEach(batch -> batch.over &= isAllOver(batch));
    predecessors(job).stream()
        .map(Predecessor::id)
        .filter(gone::containsKey)
        .forEach(forgotten::add);
  }

  private boolean isAllOver(Batch batch) {
    BatchCounts counts = counts(batch);
    return counts.over() == counts.total();
  }

  /** Does all that follows from how things stand. */
  void settle() {
    boolean changed;
    do {
      changed = false;
      for (Model.Job job : List.copyOf(model.newestFirst())) {
        changed |= job.tied && decide(job);
      }
      for (Batch batch : batches.values()) {
        boolean ends = !batch.over && !batch.open && isAllOver(batch);
        batch.over |= ends;
        changed |= ends;
      }
    } while (changed);
  }

  private boolean decide(Model.Job job) {
    int over = 0;
    int failed = 0;
    for (Predecessor one : predecessors(job)) {
      JobState state = outcome(one.id());
      over += state == null ? 0 : 1;
      failed += state == null || state == JobState.COMPLETED ? 0 : 1;
    }
    AfterPolicy policy = job.made.spec().ties().policy();
    if (policy == AfterPolicy.CANCEL && failed > 0) {
      model.end(job, JobState.CANCELLED, BECAUSE_OF_ANOTHER, Defaults.KEEP_DEAD);
      return true;
    }
    if (over < predecessors(job).size() || (policy == AfterPolicy.HOLD && failed > 0)) {
      return false;
    }
    if (policy == AfterPolicy.IF_FAILED && failed == 0) {
      model.end(job, JobState.CANCELLED, ALL_COMPLETED, Defaults.KEEP_DEAD);
    } else {
      model.plan(job);
    }
    return true;
  }

  /** Lets a job run for which all are over and that waits all the same. */
  boolean release(UUID id) {
    Model.Job job = model.find(id);
    boolean held = job != null
        && job.tied
        && predecessors(job).stream().noneMatch(one -> outcome(one.id()) == null);
    if (job != null && held) {
      model.plan(job);
    }
    return held;
  }
}
