package io.sluice.server.job;

import io.sluice.Defaults;
import io.sluice.JobRequest;
import io.sluice.server.rest.Checks;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what a job waits for, and what it says of its place in a batch. */
final class AfterReader {
  /** What a job is where it was sent. */
  enum Part {
    ALONE,
    STEP,
    CALLBACK
  }

  private AfterReader() {}

  static void check(Checks checks, JobBody body, Part part) {
    checks
        .require(
            body.name() == null || part == Part.STEP, "name", "is for a job in a new batch only")
        .require(
            body.on() == null || part == Part.CALLBACK,
            "on",
            "is for the callback of a batch only");
    List<@Nullable AfterBody> after = given(body);
    if (after.size() > Defaults.MAX_AFTER) {
      checks.require(
          false, "after", "must be at most " + Defaults.MAX_AFTER + ", they are " + after.size());
      return;
    }
    for (int i = 0; i < after.size(); i++) {
      checks.require(isRight(after.get(i), part), "after[" + i + "]", wanted(part));
    }
  }

  private static boolean isRight(@Nullable AfterBody one, Part part) {
    boolean step = one != null && part == Part.STEP && one.name() == null && one.id() != null;
    return step || (one != null && one.hasId());
  }

  private static String wanted(Part part) {
    return part == Part.STEP
        ? "must be the name of another job of this batch, or the id of a job or a batch"
        : "must be the id of a job or a batch";
  }

  /** Gives the request those that are known by their ids; names are for whoever reads the batch. */
  static void addTo(JobRequest request, JobBody body) {
    for (AfterBody one : given(body)) {
      if (one != null && one.hasId()) {
        String name = one.name();
        if (name == null) {
          request.after(one.uuid());
        } else {
          request.after(name, one.uuid());
        }
      }
    }
    Optional.ofNullable(body.afterPolicy()).ifPresent(request::afterPolicy);
  }

  private static List<@Nullable AfterBody> given(JobBody body) {
    return body.after() == null ? List.of() : body.after();
  }
}
