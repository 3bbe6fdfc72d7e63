package io.sluice.engine;

import io.sluice.store.ClaimRef;
import io.sluice.store.Finish;
import io.sluice.store.JobStore;
import io.sluice.store.LockTimeout;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends claims of many jobs for a duty that comes back later. Where somebody else's transaction holds one of them, the
 * write is cut in two until that one is alone, and it is left for the next time: the others do not wait for it.
 */
final class SplitFinish {
  private static final Logger LOG = LoggerFactory.getLogger(SplitFinish.class);

  private SplitFinish() {}

  /** Ends what can be ended now, and returns the claims for which that took effect. */
  static Set<ClaimRef> write(JobStore store, List<Finish> finishes) {
    try {
      return store.tryFinish(finishes);
    } catch (LockTimeout e) {
      if (finishes.size() == 1) {
        LOG.debug("job {} is held and ended later", finishes.getFirst().ref().job(), e);
        return Set.of();
      }
      int middle = finishes.size() / 2;
      Set<ClaimRef> ended = new HashSet<>(write(store, finishes.subList(0, middle)));
      ended.addAll(write(store, finishes.subList(middle, finishes.size())));
      return ended;
    }
  }
}
