package io.sluice.testkit;

import io.sluice.CancelResult;
import io.sluice.Defaults;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.store.ClaimRef;
import io.sluice.store.Finish;
import io.sluice.store.NewJob;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a store must answer and show, in the plainest words: jobs in a map, and one method for each move
 * that can be made on them. It knows no threads, no indexes and no files.
 */
final class Model {
  /** A store may look at a running job's expiry again only after so long. */
  private static final Duration SECOND_LOOK = Duration.ofSeconds(5);

  /** A job and what became of it. */
  static final class Job {
    final NewJob made;
    JobState state;
    int turn;
    int attempt;
    int replays;
    int errors;
    Strikes strikes = Strikes.NONE;
    long worker;
    boolean expires;
    /** Whether it waits for others, or is held. */
    boolean tied;

    Instant lookedAt = Instant.MIN;
    Instant keptUntil = Instant.MAX;

    @Nullable
    Instant runAt;

    @Nullable
    Instant startedAt;

    @Nullable
    Instant finishedAt;

    @Nullable
    String reason;

    /** When it may run by its own time. */
    @Nullable
    Instant dueAt;

    private Job(NewJob made, JobState state) {
      this.made = made;
      this.state = state;
      this.expires = made.spec().expiresAt() != null;
    }

    ClaimRef ref() {
      return new ClaimRef(made.id(), turn, worker);
    }

    boolean waits() {
      return !state.isFinal() && state != JobState.RUNNING;
    }

    private void become(JobState next) {
      state = next;
      tied = false;
      runAt = null;
      finishedAt = null;
      reason = null;
      worker = 0;
    }
  }

  /** Where ready work is: a lane and a priority, and the ids in the order of their turn. */
  record Head(Lane lane, int priority, List<Job> jobs) {
    UUID first() {
      return jobs.getFirst().made.id();
    }
  }

  private final TreeMap<UUID, Job> jobs = new TreeMap<>();
  private final Map<Long, Instant> leases = new HashMap<>();
  private final Map<String, Long> caps = new TreeMap<>();
  private final Set<String> paused = new HashSet<>();
  private final ModelLinks links = new ModelLinks(this);
  private Instant now;

  Model(Instant now) {
    this.now = now;
  }

  void advance(Duration step) {
    now = now.plus(step);
    List<Job> past =
        jobs.values().stream().filter(job -> !job.keptUntil.isAfter(now)).toList();
    past.forEach(job -> links.dropped(job, jobs.values()));
    jobs.values().removeAll(past);
  }

  ModelLinks links() {
    return links;
  }

  // ---- what is there

  Collection<Job> newestFirst() {
    return jobs.descendingMap().values();
  }

  @Nullable
  Job find(UUID id) {
    return jobs.get(id);
  }

  /** Every lane and priority with ready work, the most urgent and oldest first. */
  List<Head> heads() {
    Map<Lane, Map<Integer, List<Job>>> lanes = new HashMap<>();
    in(JobState.PENDING)
        .forEach(job -> lanes
            .computeIfAbsent(job.made.lane(), lane -> new TreeMap<>())
            .computeIfAbsent(job.made.spec().priority().value(), p -> new ArrayList<>())
            .add(job));
    List<Head> heads = new ArrayList<>();
    lanes.forEach((lane, levels) ->
        levels.forEach((priority, waiting) -> heads.add(new Head(lane, priority, waiting))));
    heads.sort(Comparator.comparingInt(Head::priority).thenComparing(Head::first));
    return heads;
  }

  Map<String, Long> caps() {
    return caps;
  }

  long unfinished(String queue) {
    return jobs.values().stream()
        .filter(job -> job.made.lane().queue().equals(queue) && !job.state.isFinal())
        .count();
  }

  Stream<Job> in(JobState state) {
    return jobs.values().stream().filter(job -> job.state == state);
  }

  // ---- queues

  void pause(String queue, boolean stop) {
    if (stop) {
      paused.add(queue);
    } else {
      paused.remove(queue);
    }
  }

  boolean isPaused(String queue) {
    return paused.contains(queue);
  }

  void cap(String queue, @Nullable Long most) {
    if (most == null) {
      caps.remove(queue);
    } else {
      caps.put(queue, most);
    }
  }

  // ---- the path of a job

  /** Why a call must be refused; empty when it is taken, and any one of these when there are several. */
  Set<ErrorCode> refusals(List<NewJob> call) {
    Set<ErrorCode> why = EnumSet.noneOf(ErrorCode.class);
    Set<String> keys = new HashSet<>();
    Map<String, Long> fresh = new HashMap<>();
    for (NewJob job : call) {
      String key = job.spec().idempotencyKey();
      boolean known = key != null && (owner(job) != null || !keys.add(job.lane().queue() + key));
      if (known && job.strict()) {
        why.add(ErrorCode.DUPLICATE_MESSAGE);
      }
      if (!known) {
        fresh.merge(job.lane().queue(), 1L, Long::sum);
      }
    }
    fresh.forEach((queue, more) -> {
      if (unfinished(queue) + more > caps.getOrDefault(queue, Long.MAX_VALUE)) {
        why.add(ErrorCode.QUEUE_FULL);
      }
    });
    return why;
  }

  List<Enqueued> insert(List<NewJob> call) {
    List<Enqueued> answers = new ArrayList<>();
    for (NewJob made : call) {
      Job owner = owner(made);
      if (owner != null) {
        answers.add(new Enqueued(owner.made.id(), owner.state, true));
      } else {
        jobs.put(made.id(), taken(made));
        answers.add(new Enqueued(made.id(), JobState.PENDING, false));
      }
    }
    links.settle();
    answers.replaceAll(answer -> new Enqueued(
        answer.id(), Objects.requireNonNull(jobs.get(answer.id())).state, answer.duplicate()));
    return answers;
  }

  private Job taken(NewJob made) {
    Job job = new Job(made, JobState.SCHEDULED);
    Instant at = made.when().from(now);
    job.dueAt = at.isAfter(now) ? at : null;
    job.tied = made.spec().ties().waits();
    if (!job.tied) {
      plan(job);
    }
    UUID batch = made.spec().ties().batch();
    if (batch != null) {
      links.joined(batch, made.id());
    }
    return job;
  }

  /** Has a job wait for its own time alone. */
  void plan(Job job) {
    boolean later = job.dueAt != null && job.dueAt.isAfter(now);
    job.become(later ? JobState.SCHEDULED : JobState.PENDING);
    job.runAt = later ? job.dueAt : null;
  }

  private @Nullable Job owner(NewJob made) {
    String key = made.spec().idempotencyKey();
    return jobs.values().stream()
        .filter(job -> key != null
            && key.equals(job.made.spec().idempotencyKey())
            && job.made.lane().queue().equals(made.lane().queue()))
        .findFirst()
        .orElse(null);
  }

  List<Job> claim(long worker, int max) {
    List<Job> claimed = new ArrayList<>();
    if (!isAlive(worker)) {
      return claimed;
    }
    for (Head head : heads()) {
      if (!paused.contains(head.lane().queue())) {
        claimed.addAll(head.jobs().subList(0, Math.min(head.jobs().size(), max - claimed.size())));
      }
    }
    for (Job job : claimed) {
      job.become(JobState.RUNNING);
      job.turn++;
      job.attempt++;
      job.worker = worker;
      job.startedAt = now;
    }
    return claimed;
  }

  private boolean holds(ClaimRef ref) {
    Job job = jobs.get(ref.job());
    return job != null && job.state == JobState.RUNNING && job.ref().equals(ref);
  }

  boolean finish(ClaimRef ref, Verdict verdict) {
    return !finish(List.of(new Finish(ref, verdict))).isEmpty();
  }

  /** Those that took effect. What follows from all of them follows when all are written. */
  Set<ClaimRef> finish(List<Finish> call) {
    Set<ClaimRef> taken = new HashSet<>();
    for (Finish finish : call) {
      Job job = jobs.get(finish.ref().job());
      if (job != null && holds(finish.ref())) {
        finish(job, finish.verdict());
        taken.add(finish.ref());
      }
    }
    links.settle();
    return taken;
  }

  private void finish(Job job, Verdict verdict) {
    if (verdict.error() != null) {
      job.errors = Math.min(job.errors + 1, Defaults.MAX_ERRORS);
    }
    switch (verdict) {
      case Verdict.End end -> end(job, end.state(), end.reason(), end.keepFor());
      case Verdict.Again again -> {
        Instant at = again.when().from(now);
        job.become(at.isAfter(now) ? again.state() : JobState.PENDING);
        job.runAt = at.isAfter(now) ? at : null;
        job.attempt -= again.spent() ? 0 : 1;
        job.strikes = again.strikes();
        job.startedAt = null;
      }
    }
  }

  void end(Job job, JobState state, @Nullable String reason, Duration keepFor) {
    job.become(state);
    job.finishedAt = now;
    job.reason = reason;
    job.keptUntil = now.plus(keepFor);
  }

  // ---- by a person's hand

  CancelResult cancel(UUID id, String reason, Duration keepFor) {
    Job job = jobs.get(id);
    if (job == null) {
      return CancelResult.NOT_FOUND;
    }
    if (job.state.isFinal()) {
      return CancelResult.ALREADY_FINISHED;
    }
    end(job, JobState.CANCELLED, reason, keepFor);
    links.settle();
    return CancelResult.CANCELLED;
  }

  /** Those that were not over. */
  List<UUID> cancelAll(List<UUID> ids, String reason) {
    List<Job> open = ids.stream()
        .flatMap(id -> Stream.ofNullable(jobs.get(id)))
        .filter(job -> !job.state.isFinal())
        .toList();
    open.forEach(job -> end(job, JobState.CANCELLED, reason, Defaults.KEEP_DEAD));
    links.settle();
    return open.stream().map(job -> job.made.id()).toList();
  }

  boolean replay(UUID id) {
    Job job = jobs.get(id);
    if (job == null || !job.state.isReplayable()) {
      return false;
    }
    job.become(JobState.PENDING);
    job.attempt = 0;
    job.strikes = Strikes.NONE;
    job.replays++;
    job.startedAt = null;
    job.keptUntil = Instant.MAX;
    job.expires &= !isExpired(job);
    links.back(job);
    return true;
  }

  boolean delete(UUID id) {
    Job job = jobs.get(id);
    if (job == null || !job.state.isFinal() || ModelLinks.isNeeded(id, jobs.values())) {
      return false;
    }
    links.dropped(job, jobs.values());
    return jobs.remove(id) != null;
  }

  // ---- duties

  int promote() {
    List<Job> due = jobs.values().stream()
        .filter(job -> job.runAt != null && !job.runAt.isAfter(now))
        .toList();
    due.forEach(job -> job.become(JobState.PENDING));
    return due.size();
  }

  @Nullable
  Duration untilNext() {
    return jobs.values().stream()
        .flatMap(job -> Stream.ofNullable(job.runAt))
        .min(Comparator.naturalOrder())
        .map(at -> Duration.between(now, at))
        .orElse(null);
  }

  private boolean isExpired(Job job) {
    Instant expiry = job.made.spec().expiresAt();
    return job.expires && expiry != null && !expiry.isAfter(now);
  }

  /** The waiting jobs past their expiry; with {@code surely}, those that no store may leave for later. */
  Set<UUID> expirable(boolean surely) {
    Set<UUID> ids = new HashSet<>();
    jobs.values().stream()
        .filter(job -> job.waits() && isExpired(job))
        .filter(job -> !surely || !job.lookedAt.plus(SECOND_LOOK).isAfter(now))
        .forEach(job -> ids.add(job.made.id()));
    return ids;
  }

  void expire(Collection<UUID> ids, Duration keepFor) {
    in(JobState.RUNNING).filter(this::isExpired).forEach(job -> job.lookedAt = now);
    for (Job job : jobs.values()) {
      if (ids.contains(job.made.id())) {
        end(job, JobState.CANCELLED, "expired", keepFor);
      }
    }
    links.settle();
  }

  // ---- workers

  void register(long worker, Duration lease) {
    leases.put(worker, now.plus(lease));
  }

  boolean isAlive(long worker) {
    return leases.getOrDefault(worker, Instant.MIN).isAfter(now);
  }

  boolean heartbeat(long worker, Duration lease) {
    boolean alive = isAlive(worker);
    if (alive) {
      leases.put(worker, now.plus(lease));
    }
    return alive;
  }

  void leave(long worker) {
    leases.put(worker, now);
  }

  Set<ClaimRef> lost() {
    Set<ClaimRef> lost = new HashSet<>();
    in(JobState.RUNNING).filter(job -> !isAlive(job.worker)).forEach(job -> lost.add(job.ref()));
    return lost;
  }
}
