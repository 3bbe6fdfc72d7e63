package io.sluice.postgres;

import io.sluice.store.LaneQuota;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Where the last claim of each lane and priority ended, so that the next one does not walk over the
 * index entries of rows that are gone. Work also comes in behind that mark (retries, late commits,
 * other processes), so the mark falls back after a claim that came out short, and twice a second.
 */
final class LowWater {
  static final UUID START = new UUID(0, 0);

  private static final long FALL_BACK_NANOS = Duration.ofMillis(500).toNanos();

  private record Place(int lane, int priority) {}

  private record Mark(UUID id, long since) {}

  private final Map<Place, Mark> marks = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  LowWater(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  UUID of(LaneQuota lane) {
    Mark mark = marks.get(new Place(lane.laneId(), lane.priority()));
    if (mark == null || nanoTime.getAsLong() - mark.since() > FALL_BACK_NANOS) {
      return START;
    }
    return mark.id();
  }

  /** Notes a claim that got all it asked for, and ended with this job. */
  void full(LaneQuota lane, UUID last) {
    marks.compute(new Place(lane.laneId(), lane.priority()), (place, old) -> {
      long now = nanoTime.getAsLong();
      boolean fresh = old == null || now - old.since() > FALL_BACK_NANOS;
      return new Mark(last, fresh ? now : old.since());
    });
  }

  /** Notes that a job of this process went back behind the mark. */
  void back(int lane, int priority) {
    marks.remove(new Place(lane, priority));
  }

  /** Notes that jobs went back, nobody says where. */
  void back() {
    marks.clear();
  }

  /** Notes a claim that got less than it asked for. */
  void emptied(LaneQuota lane) {
    marks.remove(new Place(lane.laneId(), lane.priority()));
  }
}
