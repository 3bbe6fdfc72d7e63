package io.sluice.server.job;

import io.sluice.Defaults;
import io.sluice.JobRequest;
import io.sluice.Names;
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

  private static final String STEP_BY_ID =
      "must be the id of a job or a batch: another job of this batch is named by a text alone, and its"
          + " result has that name";

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
      check(checks, "after[" + i + "]", after.get(i), part);
    }
  }

  private static void check(Checks checks, String field, @Nullable AfterBody one, Part part) {
    String name = one == null ? null : one.name();
    if (one == null || name == null) {
      boolean step = one != null && one.id() != null && part == Part.STEP;
      checks.require(step || (one != null && one.hasId()), field, wanted(part));
      return;
    }
    checks.require(one.hasId(), field + ".id", part == Part.STEP ? STEP_BY_ID : wanted(part));
    checks.take(field + ".name", () -> Names.checkStep(field + ".name", name));
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
