package io.sluice.memory;

import io.sluice.Defaults;
import io.sluice.Detail;
import io.sluice.JobError;
import io.sluice.JobRecord;
import io.sluice.JobSpec;
import io.sluice.JobState;
import io.sluice.JobStatus;
import io.sluice.LogLine;
import io.sluice.Progress;
import io.sluice.store.ClaimRef;
import io.sluice.store.Strikes;
import io.sluice.store.Summaries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job and what became of it. Its state, and what an index is sorted by, are changed by {@link Shelf}
 * alone: {@code expiresAt} is null where no expiry
 * is in force, {@code runAt} is set while it waits for its time, {@code wait} while it waits for
 * others, {@code hold} while it runs, {@code ending} while it is over.
 */
final class JobEntry {
  final UUID id;
  final LaneEntry lane;
  final JobSpec spec;
  final Instant createdAt;
  Instant updatedAt;
  JobState state = JobState.PENDING;

  @Nullable
  Instant expiresAt;

  @Nullable
  Instant runAt;

  /** The moment of its own that a job was planned for which waits for others as well. */
  @Nullable
  Instant plannedFor;

  @Nullable
  Wait wait;

  @Nullable
  Hold hold;

  @Nullable
  Ending ending;

  /** Its ties to those that it names as its predecessors, in their order. */
  List<Tie> ties = List.of();

  /** How many jobs that are not over name it as a predecessor. */
  int needed;

  /** Its number among all that came in, by which those run that run in order; 0 until it came in. */
  long sequence;

  int turn;
  int attempt;
  int replays;
  Strikes strikes = Strikes.NONE;

  @Nullable
  Instant startedAt;

  @Nullable
  Progress progress;

  private List<JobError> errors = List.of();
  private List<LogLine> lines = List.of();

  JobEntry(UUID id, LaneEntry lane, JobSpec spec, Instant createdAt) {
    this.id = id;
    this.lane = lane;
    this.spec = spec;
    this.createdAt = createdAt;
    this.updatedAt = createdAt;
    this.expiresAt = spec.expiresAt();
  }

  int priority() {
    return spec.priority().value();
  }

  /** The claim that it runs under. */
  ClaimRef ref() {
    return new ClaimRef(id, turn, Objects.requireNonNull(hold).worker().id);
  }

  /** True when the start of its running attempt was noted. */
  boolean hasStarted() {
    return hold != null && hold.started();
  }

  /**
   * True when the job is over and its time of keeping as well, and nobody needs it: it is as good as not
   * there.
   */
  boolean isPast(Instant now) {
    return ending != null && needed == 0 && ending.isOver(now);
  }

  List<JobError> errors() {
    return errors;
  }

  void keep(@Nullable JobError error) {
    if (error != null) {
      errors = newest(errors, List.of(error), Defaults.MAX_ERRORS);
    }
  }

  List<LogLine> lines() {
    return lines;
  }

  void keep(List<LogLine> more) {
    lines = newest(lines, more, Defaults.MAX_LOG_LINES);
  }

  private static <T> List<T> newest(List<T> old, List<T> more, int max) {
    List<T> all = new ArrayList<>(old);
    all.addAll(more);
    return List.copyOf(all.subList(Math.max(0, all.size() - max), all.size()));
  }

  JobRecord asRecord(Detail detail) {
    JobRecord whole = new JobRecord(id, lane.lane, spec, createdAt, updatedAt, status());
    return Summaries.of(whole, detail);
  }

  private JobStatus status() {
    return new JobStatus(
        state,
        attempt,
        strikes.alone(),
        replays,
        runAt,
        startedAt,
        ending == null ? null : ending.at(),
        hold == null ? null : hold.leaseUntil(),
        hold == null ? null : hold.worker().spec.name(),
        ending == null ? null : ending.result(),
        ending == null ? null : ending.reason(),
        errors,
        progress);
  }
}
