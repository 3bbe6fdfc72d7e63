package io.sluice.postgres;

import io.sluice.Metadata;
import io.sluice.store.Documents;
import io.sluice.store.NewJob;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A new job with the numbers of its queue and lane. */
record Draft(NewJob job, Catalog.Queue queue, int lane) {
  UUID id() {
    return job.id();
  }

  short priority() {
    return (short) job.spec().priority().value();
  }

  @Nullable
  String key() {
    return job.spec().idempotencyKey();
  }

  @Nullable
  String metadata() {
    Metadata metadata = job.spec().metadata();
    return metadata.equals(Metadata.NONE) ? null : Documents.of(metadata);
  }

  @Nullable
  String retry() {
    var retry = job.spec().retry();
    return retry == null ? null : Documents.of(retry);
  }

  @Nullable
  Long timeoutMillis() {
    var timeout = job.spec().timeout();
    return timeout == null ? null : timeout.toMillis();
  }

  /** Null for a cost of 1, which then takes no room. */
  @Nullable
  Integer cost() {
    int cost = job.spec().cost();
    return cost == 1 ? null : cost;
  }
}
