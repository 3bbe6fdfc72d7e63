package io.sluice.server.delivery;

import io.sluice.ErrorCode;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.SluiceException;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.store.ClaimRef;
import io.sluice.store.Finish;
import io.sluice.store.JobStore;
import io.sluice.store.NewJob;
import io.sluice.store.TransactionalStore;
import io.sluice.store.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends jobs so that a failure callback is never forgotten: where the store can, the job's end and the
 * job that tells of it are one transaction, so that either both are there or neither is. Other stores
 * get them one after the other.
 */
final class FailureCallbacks {
  private static final Logger LOG = LoggerFactory.getLogger(FailureCallbacks.class);

  private final JobStore store;
  private final Database database;
  private final CallbackJobs jobs;

  FailureCallbacks(JobStore store, Database database, CallbackJobs jobs) {
    this.store = store;
    this.database = database;
    this.jobs = jobs;
  }

  /** As {@link JobStore#finish}. */
  Set<ClaimRef> finish(List<Finish> finishes) {
    return finish(finishes, Patience.LONG);
  }

  /** As {@link JobStore#tryFinish}. */
  Set<ClaimRef> tryFinish(List<Finish> finishes) {
    return finish(finishes, Patience.SHORT);
  }

  /** How long a write waits for somebody else's transaction. */
  private enum Patience {
    LONG,
    SHORT
  }

  private Set<ClaimRef> finish(List<Finish> finishes, Patience patience) {
    Set<UUID> wanting = wanting(finishes);
    if (wanting.isEmpty()) {
      return write(finishes, patience);
    }
    List<Finish> plain = new ArrayList<>();
    Set<ClaimRef> ended = new HashSet<>();
    for (Finish finish : finishes) {
      if (!wanting.contains(finish.ref().job())) {
        plain.add(finish);
      } else if (finishAndTell(finish, patience)) {
        ended.add(finish.ref());
      }
    }
    if (!plain.isEmpty()) {
      ended.addAll(write(plain, patience));
    }
    return ended;
  }

  private Set<ClaimRef> write(List<Finish> finishes, Patience patience) {
    return patience == Patience.LONG ? store.finish(finishes) : store.tryFinish(finishes);
  }

  /** The jobs that fail for good here and want somebody told. */
  private Set<UUID> wanting(List<Finish> finishes) {
    List<UUID> failed = finishes.stream()
        .filter(finish -> finish.verdict() instanceof Verdict.End end && isFailure(end.state()))
        .map(finish -> finish.ref().job())
        .toList();
    if (failed.isEmpty() || !(store instanceof TransactionalStore)) {
      return Set.copyOf(failed);
    }
    return database.run(connection -> {
      try (Call call = database.call(connection, "wanting-failure-callback")) {
        return call.set("ids", failed).list(row -> row.getObject("id", UUID.class)).stream()
            .collect(Collectors.toSet());
      }
    });
  }

  private static boolean isFailure(JobState state) {
    return state == JobState.DEAD || state == JobState.FAILED;
  }

  private boolean finishAndTell(Finish finish, Patience patience) {
    Optional<NewJob> callback = finish.verdict() instanceof Verdict.End end
        ? store.find(finish.ref().job()).flatMap(job -> callback(job, end))
        : Optional.empty();
    if (callback.isEmpty()) {
      return !write(List.of(finish), patience).isEmpty();
    }
    return store instanceof TransactionalStore transactional
        ? together(transactional, finish, callback.get(), patience)
        : oneAfterTheOther(finish, callback.get());
  }

  private Optional<NewJob> callback(JobRecord job, Verdict.End end) {
    try {
      return jobs.failure(job, end);
    } catch (SluiceException e) {
      LOG.warn(
          "job {} failed and has no callback that could be made: {}", job.id(), e.getMessage());
      return Optional.empty();
    }
  }

  private boolean together(
      TransactionalStore transactional, Finish finish, NewJob callback, Patience patience) {
    try {
      return database.transact(connection -> {
        if (patience == Patience.SHORT) {
          try (Call call = database.call(connection, "wait-for-locks-briefly")) {
            call.execute();
          }
        }
        boolean ended = transactional.finish(connection, finish);
        if (ended) {
          transactional.insert(connection, List.of(callback));
        }
        return ended;
      });
    } catch (SluiceException e) {
      if (e.code() == ErrorCode.PERSISTENCE_FAILURE) {
        throw e;
      }
      warn(finish, e);
      return !write(List.of(finish), patience).isEmpty();
    }
  }

  private boolean oneAfterTheOther(Finish finish, NewJob callback) {
    boolean ended = !store.finish(List.of(finish)).isEmpty();
    if (ended) {
      try {
        store.insert(List.of(callback));
      } catch (SluiceException e) {
        warn(finish, e);
      }
    }
    return ended;
  }

  /** Whatever is wrong with its callback, the job must end all the same. */
  private static void warn(Finish finish, SluiceException e) {
    LOG.warn("job {} failed and its callback is not made: {}", finish.ref().job(), e.getMessage());
  }
}
