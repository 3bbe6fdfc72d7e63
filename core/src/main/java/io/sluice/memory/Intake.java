package io.sluice.memory;

import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.Names;
import io.sluice.Overflow;
import io.sluice.QueueFull;
import io.sluice.SluiceException;
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
  private final Set<UUID> freshIds = new HashSet<>();
  private final Map<JobKey, Enqueued> freshKeys = new HashMap<>();
  private final Map<QueueEntry, Long> perQueue = new HashMap<>();
  private final Map<TenantEntry, Long> perTenant = new HashMap<>();

  Intake(Shelf shelf, Instant now, long maxJobs) {
    this.shelf = shelf;
    this.now = now;
    this.maxJobs = maxJobs;
  }

  List<Enqueued> insert(List<NewJob> jobs) {
    List<Enqueued> answers = new ArrayList<>(jobs.size());
    for (NewJob job : jobs) {
      answers.add(answer(job));
    }
    requireRoom();
    fresh.forEach(this::store);
    return answers;
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
    requireNewId(job.id());
    fresh.add(job);
    perQueue.merge(queue, 1L, Long::sum);
    perTenant.merge(queue.tenant, 1L, Long::sum);
    JobState state = isDue(job) ? JobState.PENDING : JobState.SCHEDULED;
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

  private void requireNewId(UUID id) {
    if (shelf.contains(id) || !freshIds.add(id)) {
      throw new SluiceException(ErrorCode.CONFLICT, "there is a job with the id " + id);
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
    if (excess > shelf.finished()) {
      throw new SluiceException(
          ErrorCode.QUEUE_FULL,
          "the store holds %d unfinished jobs of at most %d"
              .formatted(shelf.size() - shelf.finished(), maxJobs));
    }
    if (excess > 0) {
      shelf.finishedFirst((int) excess).forEach(shelf::drop);
    }
  }

  private boolean isDue(NewJob job) {
    return !job.when().from(now).isAfter(now);
  }

  private void store(NewJob job) {
    JobKey key = JobKey.of(job.lane(), job.spec());
    JobEntry past = key == null ? null : shelf.owner(key);
    if (past != null) {
      shelf.drop(past);
    }
    LaneEntry lane = shelf.lane(job.lane());
    JobEntry entry = new JobEntry(job.id(), lane, job.spec(), now);
    if (!isDue(job)) {
      entry.state = JobState.SCHEDULED;
      entry.runAt = job.when().from(now);
    }
    shelf.add(entry);
  }
}
