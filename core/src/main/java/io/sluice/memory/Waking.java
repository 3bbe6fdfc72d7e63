package io.sluice.memory;

import io.sluice.AfterPolicy;
import io.sluice.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What follows the end of jobs and batches: those that wait for them go on, are held or are cancelled, and
 * the batches they are in count them and may end, which goes round until nothing follows any more.
 */
final class Waking {
  private static final String ALL_COMPLETED = "all that it waits for completed";

  /** A job or a batch that is over. */
  private record Over(UUID id, JobState state, boolean isBatch) {
    String asReason() {
      return isBatch
          ? "batch " + id + ", which it waits for, failed"
          : "job " + id + ", which it waits for, is " + state;
    }
  }

  private final Shelf shelf;
  private final Instant now;
  private final Deque<Over> news = new ArrayDeque<>();

  Waking(Shelf shelf, Instant now) {
    this.shelf = shelf;
    this.now = now;
  }

  void ended(JobEntry job) {
    ended(List.of(job));
  }

  /** Lets all go on that waited for these. */
  void ended(Collection<JobEntry> jobs) {
    jobs.forEach(this::note);
    goRound();
  }

  /** Has new jobs count those of their predecessors that are over already. */
  void begun(Collection<JobEntry> jobs) {
    for (JobEntry job : jobs) {
      for (Tie tie : job.ties) {
        Over over = over(tie.from);
        if (over != null && tie.open) {
          loosen(tie, over);
        }
      }
    }
    goRound();
  }

  private @Nullable Over over(UUID id) {
    JobEntry job = shelf.find(id, now);
    if (job != null) {
      return job.state.isFinal() ? new Over(id, job.state, false) : null;
    }
    BatchEntry batch = shelf.links.find(id, now);
    if (batch != null) {
      return batch.isOver() ? new Over(id, batch.state(), true) : null;
    }
    // Of one that was deleted nobody knows that it failed.
    return new Over(id, JobState.COMPLETED, false);
  }

  private void note(JobEntry job) {
    if (!shelf.links.behind(job.id).isEmpty()) {
      news.add(new Over(job.id, job.state, false));
    }
    BatchEntry batch = shelf.links.batch(job.spec.ties().batch());
    if (batch != null) {
      batch.count(job.id, job.state, 1);
      endIfOver(batch);
    }
  }

  private void goRound() {
    while (!news.isEmpty()) {
      Over over = news.removeFirst();
      for (Tie tie : shelf.links.behind(over.id())) {
        if (tie.open) {
          loosen(tie, over);
        }
      }
    }
  }

  private void loosen(Tie tie, Over over) {
    tie.open = false;
    JobEntry job = tie.to;
    Wait wait = job.wait;
    if (wait == null) {
      return;
    }
    wait.missing--;
    if (over.state() != JobState.COMPLETED) {
      wait.failed++;
      if (job.spec.ties().policy() == AfterPolicy.CANCEL) {
        tie.broke = true;
        cancel(job, over.asReason());
        return;
      }
    }
    if (wait.missing == 0) {
      decide(job, wait);
    }
  }

  /** Does what the policy says of a job whose predecessors are all over. */
  private void decide(JobEntry job, Wait wait) {
    switch (job.spec.ties().policy()) {
      case CANCEL, RUN -> shelf.unbind(job, wait, now);
      case HOLD -> {
        if (wait.failed == 0) {
          shelf.unbind(job, wait, now);
        }
      }
      case IF_FAILED -> {
        if (wait.failed > 0) {
          shelf.unbind(job, wait, now);
        } else {
          cancel(job, ALL_COMPLETED);
        }
      }
    }
  }

  private void cancel(JobEntry job, String reason) {
    Duration keep = job.lane.queue.retention().of(JobState.CANCELLED);
    shelf.end(job, JobState.CANCELLED, Ending.of(now, keep, null, reason));
    note(job);
  }

  // ---- batches

  /** Ends a batch that has nothing to wait for. */
  void settle(BatchEntry batch) {
    endIfOver(batch);
    goRound();
  }

  private void endIfOver(BatchEntry batch) {
    if (!batch.mayEnd()) {
      return;
    }
    batch.ending = Ending.of(now, batch.facts.keepFor(), null, null);
    news.add(new Over(batch.facts.id(), batch.state(), true));
    BatchEntry parent = shelf.links.batch(batch.facts.parent());
    if (parent != null) {
      parent.count(batch.facts.id(), batch.state(), 1);
      endIfOver(parent);
    }
  }

  // ---- back again

  /**
   * Takes back that a job has ended which is over no longer: those wait for it again that still wait for
   * others or are held, and the batches around it are over no longer either.
   */
  void reopened(JobEntry job, JobState was) {
    waitAgain(job.id);
    uncount(job.id, job.spec.ties().batch(), was);
  }

  /** Of one that had not completed: what has is not run again. */
  private void waitAgain(UUID id) {
    for (Tie tie : shelf.links.behind(id)) {
      Wait wait = tie.to.wait;
      if (wait != null && !tie.open) {
        tie.open = true;
        wait.missing++;
        wait.failed--;
      }
    }
  }

  private void uncount(UUID id, @Nullable UUID home, JobState as) {
    UUID member = id;
    JobState was = as;
    BatchEntry batch = shelf.links.batch(home);
    while (batch != null) {
      JobState before = batch.state();
      batch.count(member, was, -1);
      if (!batch.isOver()) {
        return;
      }
      batch.ending = null;
      member = batch.facts.id();
      was = before;
      waitAgain(member);
      batch = shelf.links.batch(batch.facts.parent());
    }
  }
}
