package io.sluice;

import io.sluice.store.Links;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The batches of a store, as one engine sees them. */
public final class Batches {
  private final Sluice sluice;
  private final Links links;

  Batches(Sluice sluice, Links links) {
    this.sluice = sluice;
    this.links = links;
  }

  public Optional<BatchRecord> find(UUID batch) {
    return links.find(batch);
  }

  /** Batches of a tenant, newest first, after this one. */
  public List<BatchRecord> list(String tenant, @Nullable UUID before, int limit) {
    if (limit < 1 || limit > Defaults.LARGEST_PAGE) {
      throw SluiceException.invalid(
          "limit", "must be 1 to " + Defaults.LARGEST_PAGE + ", was " + limit);
    }
    return links.list(tenant, before, limit);
  }

  /** Adds jobs to an open batch, all or none. */
  public List<Enqueued> add(UUID batch, List<JobRequest> jobs) {
    return sluice.addTo(batch, jobs);
  }

  /** Says that no more jobs are to come; false when the batch is not there or was closed before. */
  public boolean close(UUID batch) {
    return links.close(batch);
  }

  /**
   * Cancels what is not over of a batch and of the batches in it, and closes it; how many jobs that were.
   * The callback follows what was said of it: one for success is cancelled, any other runs.
   */
  public long cancel(UUID batch, String reason) {
    return sluice.cancelBatch(batch, reason);
  }
}
