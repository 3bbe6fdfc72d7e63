package io.sluice.testkit;

import io.sluice.CancelResult;
import io.sluice.Enqueued;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Limit;
import io.sluice.PageSize;
import io.sluice.Scope;
import io.sluice.memory.MemoryStore;
import io.sluice.store.Claim;
import io.sluice.store.ClaimRef;
import io.sluice.store.Claimed;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.Heartbeat;
import io.sluice.store.JobStore;
import io.sluice.store.NewJob;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Contract tests that must fail, each of a store with one well-known fault. */
final class BrokenStores {
  private BrokenStores() {}

  /** Nothing twisted: what the others are measured against. */
  static class Sound implements FencingContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) -> store);
    }
  }

  /** Ends whatever claim the job has now, not the one that was named. */
  static class UnfencedFinish implements FencingContract {
    @Override
    public StoreLab lab() {
      Map<UUID, ClaimRef> latest = new ConcurrentHashMap<>();
      return Twist.lab((store, clock) ->
          Twisted.store(noting(store, latest), "finish", (real, arguments) -> {
            Set<ClaimRef> done = new HashSet<>();
            for (Finish finish : Twist.finishes(arguments)) {
              ClaimRef now = latest.getOrDefault(finish.ref().job(), finish.ref());
              if (!real.finish(List.of(new Finish(now, finish.verdict()))).isEmpty()) {
                done.add(finish.ref());
              }
            }
            return done;
          }));
    }

    private static JobStore noting(JobStore store, Map<UUID, ClaimRef> latest) {
      return Twisted.store(store, "claim", (real, arguments) -> {
        Claimed claimed = real.claim((Claim) arguments[0]);
        claimed.jobs().forEach(c -> latest.put(c.ref().job(), c.ref()));
        return claimed;
      });
    }
  }

  /** Writes nothing at all when one claim of a call is over. */
  static class AllOrNothingFinish implements FencingContract, PromiseContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) -> Twisted.store(store, "finish", (real, arguments) -> {
        List<Finish> finishes = Twist.finishes(arguments);
        boolean allRun = finishes.stream()
            .map(finish -> real.find(finish.ref().job()))
            .allMatch(job -> job.isPresent() && job.get().state() == JobState.RUNNING);
        return allRun ? real.finish(finishes) : Set.of();
      }));
    }
  }

  /** Hands out again what it handed out before. */
  static class DoubleClaim implements ClaimContract {
    @Override
    public StoreLab lab() {
      List<ClaimedJob> before = new ArrayList<>();
      return Twist.lab((store, clock) -> Twisted.store(store, "claim", (real, arguments) -> {
        synchronized (before) {
          List<ClaimedJob> claimed =
              new ArrayList<>(real.claim((Claim) arguments[0]).jobs());
          if (!claimed.isEmpty() && !before.isEmpty()) {
            claimed.add(before.getFirst());
          }
          before.addAll(claimed);
          return new Claimed(claimed, List.of());
        }
      }));
    }
  }

  /** Last in, first out. */
  static class ReversedClaim implements ClaimContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) -> Twisted.store(
          store,
          "claim",
          (real, arguments) ->
              new Claimed(real.claim((Claim) arguments[0]).jobs().reversed(), List.of())));
    }
  }

  /** Says that an expired worker lives. */
  static class RevivingHeartbeat implements LeaseContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) -> Twisted.workers(store, "heartbeat", (real, arguments) -> {
        @SuppressWarnings("unchecked")
        Collection<ClaimRef> held = (Collection<ClaimRef>) arguments[2];
        Heartbeat answer =
            real.workers().heartbeat((Long) arguments[0], (Duration) arguments[1], held);
        return new Heartbeat(true, answer.gone());
      }));
    }
  }

  /** Does not look at idempotency keys. */
  static class KeylessInsert implements IdempotencyContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) -> Twisted.store(
          store,
          "insert",
          (real, arguments) -> real.insert(Twist.jobs(arguments).stream()
              .map(job -> new Draft(job.lane(), job.spec(), job.when(), job.strict())
                  .key(null)
                  .as(job.id()))
              .toList())));
    }
  }

  /** Inserts job by job, so that a refusal leaves half a call behind. */
  static class PiecemealInsert implements CapacityContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) -> Twisted.store(store, "insert", (real, arguments) -> {
        List<Enqueued> answers = new ArrayList<>();
        for (NewJob job : Twist.jobs(arguments)) {
          answers.addAll(real.insert(List.of(job)));
        }
        return answers;
      }));
    }
  }

  /** Deletes what waited too long, as some queues do. */
  static class PurgeOfTheUnrun implements RetentionContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) -> Twisted.store(store, "purge", (real, arguments) -> {
        JobFilter old = JobFilter.all()
            .in(JobState.PENDING, JobState.SCHEDULED)
            .createdBetween(null, clock.instant().minus(Duration.ofDays(14)));
        for (JobRecord job : real.page(old, null, 100).items()) {
          real.cancel(job.id(), "old", Duration.ZERO);
        }
        return real.purge();
      }));
    }
  }

  /** Leaves a running job alone and says that it is cancelled. */
  static class CancelThatSparesRuns implements CancelContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) -> Twisted.store(store, "cancel", (real, arguments) -> {
        UUID job = (UUID) arguments[0];
        boolean runs = real.find(job).filter(j -> j.state() == JobState.RUNNING).isPresent();
        return runs
            ? CancelResult.CANCELLED
            : real.cancel(job, (String) arguments[1], (Duration) arguments[2]);
      }));
    }
  }

  /** Runs again whatever it is asked to, waiting and running jobs as well. */
  static class ReplayOfEverything implements StateMovesContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) -> Twisted.store(store, "replay", (real, arguments) -> {
        UUID job = (UUID) arguments[0];
        real.cancel(job, "replayed", Verdicts.KEEP);
        return real.replay(job);
      }));
    }
  }

  /** Forgets the claims of lost workers. */
  static class BlindRescue implements RescueContract {
    @Override
    public StoreLab lab() {
      return Twist.lab(
          (store, clock) -> Twisted.workers(store, "lost", (real, arguments) -> List.of()));
    }
  }

  /** Begins every page at the start. */
  static class DeafPage implements QueryContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) -> Twisted.store(
          store,
          "page",
          (real, arguments) -> real.page((JobFilter) arguments[0], null, (Integer) arguments[2])));
    }
  }

  /** Pages as many jobs as are asked for, however large they are. */
  static class HeavyPage implements SizeContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) -> Twisted.store(store, "page", (real, arguments) -> {
        PageSize size = (PageSize) arguments[2];
        PageSize heavy = new PageSize(size.jobs(), Long.MAX_VALUE, size.detail());
        return real.page((JobFilter) arguments[0], (String) arguments[1], heavy);
      }));
    }
  }

  /** Reads whole jobs for a list. */
  static class WholeSummaries implements SizeContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) ->
          Twisted.store(store, "find", (real, arguments) -> real.find((UUID) arguments[0])));
    }
  }

  /** Claims as many jobs as are asked for, however large they are. */
  static class HeavyClaim implements SizeContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) -> Twisted.store(
          store,
          "claim",
          (real, arguments) -> real.claim(((Claim) arguments[0]).within(Long.MAX_VALUE))));
    }
  }

  /** Lets every job start at once that it hands out ahead of its time. */
  static class HastyStarts implements RateContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) -> Twisted.store(store, "claim", (real, arguments) -> {
        Claimed claimed = real.claim((Claim) arguments[0]);
        return new Claimed(
            claimed.jobs().stream().map(job -> job.withStartIn(Duration.ZERO)).toList(),
            claimed.spent());
      }));
    }
  }

  /** Forgets what was used of a rate whenever its limit is written. */
  static class ForgetfulLimits implements RateContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) -> Twisted.limits(store, "save", (real, arguments) -> {
        real.limits().delete(((Limit) arguments[0]).scope());
        clock.advance(Duration.ofHours(3));
        real.purge();
        clock.advance(Duration.ofHours(-3));
        real.limits().save((Limit) arguments[0]);
        return null;
      }));
    }
  }

  /** Counts by limits only where a queue has them. */
  static class QueueLimitsOnly implements ConcurrencyContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) -> Twisted.limits(store, "save", (real, arguments) -> {
        Limit limit = (Limit) arguments[0];
        if (limit.scope().kind() == Scope.Kind.QUEUE) {
          real.limits().save(limit);
        }
        return null;
      }));
    }
  }

  /** Runs jobs of an order one at a time, but does not wait for those that are to be tried again. */
  static class ImpatientOrder implements OrderedContract {
    @Override
    public StoreLab lab() {
      return Twist.lab((store, clock) -> Twisted.store(store, "finish", (real, arguments) -> {
        List<Finish> finishes = Twist.finishes(arguments).stream()
            .map(finish -> finish.verdict() instanceof Verdict.Again
                ? new Finish(finish.ref(), Verdicts.dead("later"))
                : finish)
            .toList();
        return real.finish(finishes);
      }));
    }
  }

  /** How a lab with a twisted store is made. */
  @FunctionalInterface
  interface Twist {
    JobStore twist(JobStore store, ManualClock clock);

    static StoreLab lab(Twist twist) {
      ManualClock clock = new ManualClock();
      JobStore store = MemoryStore.builder().clock(clock).build();
      return StoreLab.of(twist.twist(store, clock), clock);
    }

    @SuppressWarnings("unchecked")
    static List<Finish> finishes(Object[] arguments) {
      return (List<Finish>) arguments[0];
    }

    @SuppressWarnings("unchecked")
    static List<NewJob> jobs(Object[] arguments) {
      return (List<NewJob>) arguments[0];
    }
  }
}
