package io.sluice.crashtest;

import io.sluice.store.Claim;
import io.sluice.store.ClaimRef;
import io.sluice.store.Claimed;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.ForwardingStore;
import io.sluice.store.JobStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes down every claim and every outcome that the store answered for, and reads the fencing token of a
 * claim as it passes, because a handler does not know its own.
 */
final class ClaimTap {
  private final Member self;
  private final Map<UUID, Integer> turns = new ConcurrentHashMap<>();
  private final AtomicLong calls = new AtomicLong();

  ClaimTap(Member self) {
    this.self = self;
  }

  /** The turn of the newest claim on a job in this process. */
  int turn(UUID job) {
    return turns.getOrDefault(job, 0);
  }

  JobStore on(JobStore store) {
    return new Tapped(store);
  }

  private final class Tapped extends ForwardingStore {
    Tapped(JobStore store) {
      super(store);
    }

    @Override
    public Claimed claim(Claim claim) {
      Claimed claimed = super.claim(claim);
      for (ClaimedJob job : claimed.jobs()) {
        ClaimRef ref = job.ref();
        turns.put(ref.job(), ref.turn());
        self.journal().write(new Entry.Granted(Clock.now(), self.who(), ref.job(), ref.turn()));
      }
      return claimed;
    }

    @Override
    public Set<ClaimRef> finish(List<Finish> finishes) {
      Set<ClaimRef> taken = super.finish(finishes);
      long call = calls.incrementAndGet();
      for (ClaimRef ref : taken) {
        self.journal()
            .write(new Entry.Recorded(Clock.now(), self.who(), call, ref.job(), ref.turn()));
      }
      return taken;
    }
  }
}
