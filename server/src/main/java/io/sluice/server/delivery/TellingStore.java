package io.sluice.server.delivery;

import io.sluice.store.ClaimRef;
import io.sluice.store.Finish;
import io.sluice.store.ForwardingStore;
import io.sluice.store.JobStore;
import io.sluice.store.Queues;
import java.util.List;
import java.util.Set;

/** A store that tells failure callbacks when jobs end, and is the store behind it in all else. */
final class TellingStore extends ForwardingStore {
  private final FailureCallbacks callbacks;
  private final Queues queues;

  TellingStore(JobStore store, FailureCallbacks callbacks) {
    this(store, callbacks, store.queues());
  }

  /** With these queues in front of the store's own. */
  TellingStore(JobStore store, FailureCallbacks callbacks, Queues queues) {
    super(store);
    this.callbacks = callbacks;
    this.queues = queues;
  }

  @Override
  public Set<ClaimRef> finish(List<Finish> finishes) {
    return callbacks.finish(finishes);
  }

  @Override
  public Set<ClaimRef> tryFinish(List<Finish> finishes) {
    return callbacks.tryFinish(finishes);
  }

  @Override
  public Queues queues() {
    return queues;
  }
}
