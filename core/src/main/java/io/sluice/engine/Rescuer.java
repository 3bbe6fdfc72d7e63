package io.sluice.engine;

import io.sluice.store.Finish;
import io.sluice.store.JobStore;
import io.sluice.store.LostWorker;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes jobs back from workers that are gone. */
final class Rescuer {
  private static final Logger LOG = LoggerFactory.getLogger(Rescuer.class);
  private static final int WORKERS = 20;

  private final JobStore store;
  private final Blame blame;
  private final Duration every;

  Rescuer(JobStore store, QueueCache queues, Duration every) {
    this.store = store;
    this.blame = new Blame(claim -> queues.of(claim.lane()));
    this.every = every;
  }

  Duration runOnce() {
    List<LostWorker> lost = store.workers().lost(WORKERS);
    for (LostWorker worker : lost) {
      List<Finish> finishes = blame.judge(worker, store.now());
      int rescued = store.finish(finishes).size();
      LOG.warn("worker {} ({}) was lost: {} jobs rescued", worker.name(), worker.id(), rescued);
    }
    return lost.size() == WORKERS ? Duration.ZERO : every;
  }
}
