package io.sluice.memory;

import io.sluice.JobState;
import io.sluice.store.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
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
    List<LaneEntry.End> ends =
        job.lane.ends().stream().filter(end -> end.at().isAfter(from)).toList();
    OrderEntry order = shelf.flow.orderOf(job);
    JobEntry first = order == null ? null : order.first();
    return new Standing(
        order == null ? job.lane.ahead(job, most) : order.ahead(job, most),
        ends.size(),
        within(ends),
        first == null || first == job ? null : first.id);
  }

  private Duration within(List<LaneEntry.End> ends) {
    return ends.size() < Standing.MOST_ENDED
        ? ends.stream()
            .map(LaneEntry.End::created)
            .min(Comparator.naturalOrder())
            .map(oldest -> Standing.seen(oldest, now))
            .orElse(Standing.LATELY)
        : Duration.between(ends.getFirst().at(), now);
  }
}
