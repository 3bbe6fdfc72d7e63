package io.sluice.store;

import java.util.List;
import java.util.Set;

/**
 * What a claim was given, and which limits kept it from more. {@code left} are the lanes of which jobs were left
 * because of their size.
 */
public record Claimed(List<ClaimedJob> jobs, List<SpentLimit> spent, Set<Integer> left) {
  public static final Claimed NOTHING = new Claimed(List.of(), List.of());

  public Claimed {
    jobs = List.copyOf(jobs);
    spent = List.copyOf(spent);
    left = Set.copyOf(left);
  }

  /** What a claim was given of which nothing was left because of its size. */
  public Claimed(List<ClaimedJob> jobs, List<SpentLimit> spent) {
    this(jobs, spent, Set.of());
  }
}
