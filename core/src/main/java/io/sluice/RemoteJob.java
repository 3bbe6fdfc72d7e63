package io.sluice;

import io.sluice.store.ClaimRef;
import java.time.Instant;
import java.util.List;

/**
 * A job in a remote worker's hands, and until when it may keep it without a word. The record is the
 * job at the moment of the claim, with the errors of earlier attempts; {@code results} are what those
 * left that it waited for, in the order in which it named them.
 */
public record RemoteJob(ClaimRef lease, JobRecord job, Instant leaseUntil, List<Result> results) {
  public RemoteJob {
    results = List.copyOf(results);
  }
}
