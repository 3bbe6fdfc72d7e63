package io.sluice.store;

import java.util.List;

/** What a claim was given, and which limits kept it from more. */
public record Claimed(List<ClaimedJob> jobs, List<SpentLimit> spent) {
  public static final Claimed NOTHING = new Claimed(List.of(), List.of());

  public Claimed {
    jobs = List.copyOf(jobs);
    spent = List.copyOf(spent);
  }
}
