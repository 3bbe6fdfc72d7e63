package io.sluice.memory;

import io.sluice.BatchRecord;
import io.sluice.BatchStarted;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.Graph;
import io.sluice.Result;
import io.sluice.SluiceException;
import io.sluice.store.ClaimRef;
import io.sluice.store.Links;
import io.sluice.store.NewBatch;
import io.sluice.store.NewJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The batches of a memory store, and the jobs that wait for others. */
final class MemoryLinks implements Links {
  private final Access access;
  private final long maxJobs;

  MemoryLinks(Access access, long maxJobs) {
    this.access = access;
    this.maxJobs = maxJobs;
  }

  @Override
  public BatchStarted start(NewBatch batch, List<NewJob> jobs) {
    return access.with((shelf, now) -> {
      BatchEntry known = shelf.links.owner(batch.tenant(), batch.idempotencyKey(), now);
      return known == null
          ? start(shelf, now, batch, jobs)
          : new BatchStarted(known.facts.id(), true, known.facts.callback(), List.of());
    });
  }

  private BatchStarted start(Shelf shelf, Instant now, NewBatch batch, List<NewJob> jobs) {
    if (shelf.links.batch(batch.id()) != null) {
      throw new SluiceException(ErrorCode.CONFLICT, "there is a batch with the id " + batch.id());
    }
    if (batch.parent() != null) {
      requireTaking(shelf, now, batch.parent(), batch.tenant(), batch.by());
    }
    List<NewJob> all = new ArrayList<>(jobs);
    NewJob callback = batch.callback();
    if (callback != null) {
      all.add(callback);
    }
    BatchEntry entry = new BatchEntry(BatchFacts.of(batch, now), batch.open());
    List<Enqueued> answers = new Intake(shelf, now, maxJobs).insert(all, entry);
    return new BatchStarted(
        batch.id(), false, entry.facts.callback(), answers.subList(0, jobs.size()));
  }

  @Override
  public List<Enqueued> add(UUID batch, @Nullable ClaimRef by, List<NewJob> jobs) {
    return access.with((shelf, now) -> {
      for (NewJob job : jobs) {
        requireTaking(shelf, now, batch, job.lane().tenant(), by);
      }
      return new Intake(shelf, now, maxJobs).insert(jobs);
    });
  }

  private static void requireMember(Shelf shelf, UUID batch, ClaimRef by) {
    JobEntry member = shelf.held(by);
    if (member == null) {
      throw new SluiceException(ErrorCode.LEASE_LOST, "the claim on job " + by.job() + " is over");
    }
    if (!batch.equals(member.spec.ties().batch())) {
      throw new SluiceException(
          ErrorCode.LEASE_LOST, "job " + by.job() + " is not of batch " + batch);
    }
  }

  /** Refuses what a batch does not take, from outside or from the one who brings it. */
  private static void requireTaking(
      Shelf shelf, Instant now, UUID id, String tenant, @Nullable ClaimRef by) {
    BatchEntry batch = shelf.links.find(id, now);
    if (batch == null || !batch.facts.tenant().equals(tenant)) {
      throw new SluiceException(ErrorCode.NOT_FOUND, "tenant " + tenant + " has no batch " + id);
    }
    if (by != null) {
      requireMember(shelf, id, by);
    }
    if (batch.isOver() || (by == null && !batch.open)) {
      throw new SluiceException(
          ErrorCode.CONFLICT,
          "batch " + id + " is closed: only its own running jobs may add to it");
    }
  }

  @Override
  public boolean close(UUID id) {
    return access.with((shelf, now) -> {
      BatchEntry batch = shelf.links.find(id, now);
      return batch != null && close(shelf, now, batch);
    });
  }

  private static boolean close(Shelf shelf, Instant now, BatchEntry batch) {
    boolean closed = batch.open;
    batch.open = false;
    if (closed) {
      new Waking(shelf, now).settle(batch);
    }
    return closed;
  }

  @Override
  public void closeAll(UUID id) {
    access.with((shelf, now) -> {
      new Tree(shelf, id).batches().forEach(batch -> close(shelf, now, batch));
      return true;
    });
  }

  @Override
  public Optional<BatchRecord> find(UUID id) {
    return access.with(
        (shelf, now) -> Optional.ofNullable(shelf.links.find(id, now)).map(BatchEntry::asRecord));
  }

  @Override
  public List<BatchRecord> list(String tenant, @Nullable UUID before, int limit) {
    return access.with((shelf, now) -> shelf.links.newestFirst(before).stream()
        .filter(batch -> batch.facts.tenant().equals(tenant) && !batch.isPast(now))
        .limit(limit)
        .map(BatchEntry::asRecord)
        .toList());
  }

  @Override
  public List<UUID> unfinished(UUID id, int max) {
    return access.with((shelf, now) -> new Tree(shelf, id).unfinished(max));
  }

  @Override
  public List<Result> predecessors(UUID job) {
    return access.with((shelf, now) -> new Graphs(shelf, now).predecessors(job));
  }

  @Override
  public List<Result> results(UUID job, long maxBytes) {
    return access.with((shelf, now) -> new Graphs(shelf, now).results(job, maxBytes));
  }

  @Override
  public Optional<Graph> graph(UUID job, int max) {
    return access.with((shelf, now) -> new Graphs(shelf, now).graph(job, max));
  }

  @Override
  public List<UUID> successors(UUID job, int max) {
    return access.with((shelf, now) -> new Graphs(shelf, now).successors(job, max));
  }

  @Override
  public Optional<UUID> needing(UUID id) {
    return access.with((shelf, now) -> shelf.links.behind(id).stream()
        .map(tie -> tie.to)
        .filter(job -> !job.state.isFinal())
        .map(job -> job.id)
        .findFirst());
  }

  @Override
  public boolean release(UUID id) {
    return access.with((shelf, now) -> {
      JobEntry job = shelf.find(id, now);
      Wait wait = job == null ? null : job.wait;
      if (job == null || wait == null || wait.missing > 0) {
        return false;
      }
      shelf.unbind(job, wait, now);
      return true;
    });
  }

  @Override
  public List<UUID> revive(UUID job) {
    return access.with((shelf, now) -> {
      JobEntry replayed = new Upkeep(shelf, now).replay(job) ? shelf.find(job, now) : null;
      return replayed == null ? List.of() : new Revival(shelf, now).of(replayed);
    });
  }

  /** Here nobody can die between the end of the last member and that of the batch. */
  @Override
  public int settle(int max) {
    return 0;
  }
}
