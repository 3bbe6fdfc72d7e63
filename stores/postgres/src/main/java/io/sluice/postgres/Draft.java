package io.sluice.postgres;

import io.sluice.AfterPolicy;
import io.sluice.Metadata;
import io.sluice.Ties;
import io.sluice.store.Documents;
import io.sluice.store.NewJob;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A new job with the numbers of its queue and lane. */
record Draft(NewJob job, Catalog.Queue queue, Catalog.OpenLane openLane) {
  int lane() {
    return openLane.id();
  }

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

  Ties ties() {
    return job.spec().ties();
  }

  boolean isTied() {
    return ties().waits() || ties().batch() != null;
  }

  /** Those it waits for, as they are kept with it. */
  @Nullable
  String after() {
    return ties().waits() ? Documents.of(ties()) : null;
  }

  /** How many it waits for; null for none. */
  @Nullable
  Integer waits() {
    return ties().waits() ? (Integer) ties().after().size() : null;
  }

  @Nullable
  Short policy() {
    return ties().waits() ? (Short) code(ties().policy()) : null;
  }

  /** The numbers that stand for policies in the tables. They never change their meaning. */
  private static short code(AfterPolicy policy) {
    return switch (policy) {
      case CANCEL -> 1;
      case RUN -> 2;
      case HOLD -> 3;
      case IF_FAILED -> 4;
    };
  }

  /** Null for a cost of 1, which then takes no room. */
  @Nullable
  Integer cost() {
    int cost = job.spec().cost();
    return cost == 1 ? null : cost;
  }
}
