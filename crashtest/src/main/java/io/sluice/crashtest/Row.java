package io.sluice.crashtest;

import io.sluice.JobState;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the tables hold of one job at the end. {@code places} counts the rows that say where the job
 * stands, {@code ends} those of them that say it is over; both are one for a job that is over.
 */
record Row(
    UUID job,
    String key,
    @Nullable Work work,
    int places,
    int ends,
    Status status,
    List<Failure> failures) {

  /** What became of it, and by which run. */
  record Status(
      @Nullable JobState state,
      int attempt,
      int turn,
      int strikes,
      @Nullable String run,
      @Nullable String reason) {}

  /** A failure that was recorded: of a run, or without one when a worker was lost. */
  record Failure(int turn, int attempt, @Nullable String run) {}

  Row {
    failures = List.copyOf(failures);
  }

  /** True when this run is the one whose outcome was recorded, of its attempt or of the job. */
  boolean records(Timeline.Run run) {
    String name = run.start().run();
    boolean silent = work != null && work.isSilent();
    boolean completed = silent
        ? status.state() == JobState.COMPLETED && status.turn() == run.turn()
        : name.equals(status.run());
    return completed || failures.stream().anyMatch(failure -> name.equals(failure.run()));
  }

  boolean isOver() {
    return status.state() != null && status.state().isFinal();
  }
}
