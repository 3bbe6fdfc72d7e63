package io.sluice.memory;

import io.sluice.JobState;
import io.sluice.store.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Where ready jobs stand. */
final class Standings {
  private final Shelf shelf;
  private final Instant now;

  Standings(Shelf shelf, Instant now) {
    this.shelf = shelf;
    this.now = now;
  }

  Standing of(UUID id, int most) {
    JobEntry job = shelf.find(id, now);
    if (job == null || job.state != JobState.PENDING) {
      return Standing.NONE;
    }
    Instant from = now.minus(Standing.LATELY);
    List<Instant> ends =
        job.lane.ends().stream().filter(end -> end.isAfter(from)).toList();
    Duration within = ends.size() < Standing.MOST_ENDED
        ? Standing.LATELY
        : Duration.between(ends.getFirst(), now);
    OrderEntry order = shelf.flow.orderOf(job);
    JobEntry first = order == null ? null : order.first();
    return new Standing(
        order == null ? job.lane.ahead(job, most) : order.ahead(job, most),
        ends.size(),
        within,
        first == null || first == job ? null : first.id);
  }
}
