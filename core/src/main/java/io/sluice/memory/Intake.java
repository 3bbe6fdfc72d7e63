package io.sluice.memory;

import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.Names;
import io.sluice.Overflow;
import io.sluice.Predecessor;
import io.sluice.QueueFull;
import io.sluice.SluiceException;
import io.sluice.Ties;
import io.sluice.store.Circle;
import io.sluice.store.NewJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One insert. It looks at all of its jobs before it stores the first, so that a refusal leaves nothing
 * behind.
 */
final class Intake {
  private final Shelf shelf;
  private final Instant now;
  private final long maxJobs;
  private final List<NewJob> fresh = new ArrayList<>();
  private final Map<UUID, String> tenants = new HashMap<>();
  private final Set<JobEntry> named = new HashSet<>();
  private final Map<JobKey, Enqueued> freshKeys = new HashMap<>();
  private final Map<QueueEntry, Long> perQueue = new HashMap<>();
  private final Map<TenantEntry, Long> perTenant = new HashMap<>();

  Intake(Shelf shelf, Instant now, long maxJobs) {
    this.shelf = shelf;
    this.now = now;
    this.maxJobs = maxJobs;
  }

  List<Enqueued> insert(List<NewJob> jobs) {
    return insert(jobs, null);
  }

  /** As above, together with a batch that these jobs are in or wait for. */
  List<Enqueued> insert(List<NewJob> jobs, @Nullable BatchEntry coming) {
    List<Enqueued> answers = new ArrayList<>(jobs.size());
    for (NewJob job : jobs) {
      answers.add(answer(job));
    }
    for (NewJob job : fresh) {
      for (Predecessor one : job.spec().ties().after()) {
        requireKnown(one.id(), job.lane().tenant(), coming);
      }
    }
    refuseCircles(coming);
    requireRoom();
    if (coming != null) {
      store(coming);
    }
    List<JobEntry> waiting = new ArrayList<>();
    for (NewJob job : fresh) {
      JobEntry entry = store(job);
      if (entry.wait != null) {
        waiting.add(entry);
      }
    }
    bind(waiting);
    if (coming != null) {
      new Waking(shelf, now).settle(coming);
    }
    if (!waiting.isEmpty()) {
      answers.replaceAll(this::asItIs);
    }
    return answers;
  }

  private void bind(List<JobEntry> waiting) {
    waiting.forEach(shelf.links::bind);
    waiting.forEach(job -> shelf.need(job, 1));
    new Waking(shelf, now).begun(waiting);
  }

  /** What a job is now that those it waits for are counted. */
  private Enqueued asItIs(Enqueued answer) {
    JobEntry job = shelf.find(answer.id(), now);
    return job == null ? answer : new Enqueued(answer.id(), job.state, answer.duplicate());
  }

  /** Refuses a predecessor that is not there or of another tenant, and notes that it is needed. */
  private void requireKnown(UUID id, String tenant, @Nullable BatchEntry coming) {
    JobEntry job = shelf.find(id, now);
    String owner = job == null ? tenants.get(id) : job.lane.lane.tenant();
    if (owner == null) {
      BatchEntry batch =
          coming != null && coming.facts.id().equals(id) ? coming : shelf.links.find(id, now);
      owner = batch == null ? null : batch.facts.tenant();
    }
    if (!tenant.equals(owner)) {
      throw new SluiceException(ErrorCode.NOT_FOUND, "after: there is no job or batch " + id);
    }
    if (job != null && job.state.isFinal() && job.needed == 0) {
      named.add(job);
    }
  }

  /** Refuses jobs that wait for what cannot end before the batch they are to be in. */
  private void refuseCircles(@Nullable BatchEntry coming) {
    Map<UUID, Behind> behind = new HashMap<>();
    for (int i = 0; i < fresh.size(); i++) {
      Ties ties = fresh.get(i).spec().ties();
      UUID home = ties.batch();
      if (coming != null && coming.facts.id().equals(home)) {
        home = coming.facts.parent();
      }
      if (home != null && ties.waits()) {
        refuseCircle(i, ties, behind, home);
      }
    }
  }

  private void refuseCircle(int place, Ties ties, Map<UUID, Behind> behind, UUID home) {
    for (Predecessor one : ties.after()) {
      if (!tenants.containsKey(one.id())) {
        Behind known = behind.computeIfAbsent(home, batch -> new Behind(shelf, List.of(batch)));
        refuse(place, known.way(one.id()));
      }
    }
  }

  private void refuse(int place, List<UUID> way) {
    if (!way.isEmpty()) {
      List<Circle.Stop> stops = way.stream()
          .map(id -> new Circle.Stop(id, shelf.links.batch(id) != null))
          .toList();
      throw new Circle(place, stops).refusal();
    }
  }

  private Enqueued answer(NewJob job) {
    QueueEntry queue = queueOf(job);
    JobKey key = JobKey.of(job.lane(), job.spec());
    Enqueued known = key == null ? null : known(key);
    if (known != null) {
      if (job.strict()) {
        throw new SluiceException(
            ErrorCode.DUPLICATE_MESSAGE,
            "job " + known.id() + " has the idempotency key '" + job.spec().idempotencyKey() + "'");
      }
      return known;
    }
    requireNewId(job);
    fresh.add(job);
    if (!job.pastCaps()) {
      perQueue.merge(queue, 1L, Long::sum);
      perTenant.merge(queue.tenant, 1L, Long::sum);
    }
    boolean ready = isDue(job) && !job.spec().ties().waits();
    JobState state = ready ? JobState.PENDING : JobState.SCHEDULED;
    if (key != null) {
      freshKeys.put(key, new Enqueued(job.id(), state, true));
    }
    return new Enqueued(job.id(), state, false);
  }

  private QueueEntry queueOf(NewJob job) {
    LaneEntry lane = shelf.lanes.find(job.lane());
    if (lane != null && lane.queue.made != null) {
      return lane.queue;
    }
    QueueEntry queue = shelf.queues.find(QueueName.of(job.lane()), now);
    if (queue == null) {
      throw Names.unknownQueue(job.lane().tenant(), job.lane().queue());
    }
    return queue;
  }

  private @Nullable Enqueued known(JobKey key) {
    Enqueued here = freshKeys.get(key);
    if (here != null) {
      return here;
    }
    JobEntry owner = shelf.owner(key);
    return owner == null || owner.isPast(now) ? null : new Enqueued(owner.id, owner.state, true);
  }

  private void requireNewId(NewJob job) {
    boolean known =
        shelf.contains(job.id()) || tenants.putIfAbsent(job.id(), job.lane().tenant()) != null;
    if (known) {
      throw new SluiceException(ErrorCode.CONFLICT, "there is a job with the id " + job.id());
    }
  }

  private void requireRoom() {
    perQueue.forEach((queue, jobs) -> {
      if (jobs > queue.room()) {
        throw new QueueFull(new Overflow(
            queue.name.tenant(), queue.name.name(), queue.unfinished, queue.most(), jobs));
      }
    });
    perTenant.forEach((tenant, jobs) -> {
      if (jobs > tenant.room()) {
        throw new QueueFull(
            new Overflow(tenant.name, null, tenant.unfinished, tenant.most(), jobs));
      }
    });
    long excess = shelf.size() + (long) fresh.size() - maxJobs;
    int free = shelf.finished() - named.size();
    if (excess > free) {
      throw new SluiceException(
          ErrorCode.QUEUE_FULL,
          "the store holds %d unfinished jobs of at most %d"
              .formatted(shelf.size() - free, maxJobs));
    }
    if (excess > 0) {
      shelf.finishedFirst((int) excess + named.size()).stream()
          .filter(job -> !named.contains(job))
          .limit(excess)
          .forEach(shelf::drop);
    }
  }

  private boolean isDue(NewJob job) {
    return !job.when().from(now).isAfter(now);
  }

  private void store(BatchEntry batch) {
    shelf.links.add(batch);
    BatchEntry parent = shelf.links.batch(batch.facts.parent());
    if (parent != null) {
      parent.unfinished.add(batch.facts.id());
    }
  }

  private JobEntry store(NewJob job) {
    JobKey key = JobKey.of(job.lane(), job.spec());
    JobEntry past = key == null ? null : shelf.owner(key);
    if (past != null) {
      shelf.drop(past);
    }
    LaneEntry lane = shelf.lane(job.lane());
    JobEntry entry = new JobEntry(job.id(), lane, job.spec(), now);
    Instant later = isDue(job) ? null : job.when().from(now);
    if (job.spec().ties().waits()) {
      entry.state = JobState.SCHEDULED;
      entry.plannedFor = later;
      entry.wait = new Wait(job.spec().ties().after().size(), 0, later);
    } else if (later != null) {
      entry.state = JobState.SCHEDULED;
      entry.runAt = later;
    }
    shelf.add(entry);
    BatchEntry batch = shelf.links.batch(job.spec().ties().batch());
    if (batch != null) {
      batch.unfinished.add(entry.id);
    }
    return entry;
  }
}
