package io.sluice.server.job;

import io.sluice.Defaults;
import io.sluice.ErrorCode;
import io.sluice.JobRequest;
import io.sluice.SluiceException;
import io.sluice.server.rest.FieldError;
import io.sluice.server.rest.Invalid;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads jobs that came together, and says of everything that is wrong with them where it stands. */
public final class JobBodies {
  /** Nobody reads more of them. */
  private static final int MOST_ERRORS = 20;

  private final JobReader reader;

  public JobBodies(JobReader reader) {
    this.reader = reader;
  }

  /** The list itself, if it is one of a size that can be taken. */
  public static List<@Nullable JobBody> checked(
      @Nullable List<@Nullable JobBody> bodies, int least) {
    if (bodies == null || bodies.size() < least) {
      throw new Invalid(
          "jobs", "must be a list of " + least + " to " + Defaults.MAX_BATCH_JOBS + " jobs");
    }
    if (bodies.size() > Defaults.MAX_BATCH_JOBS) {
      throw new SluiceException(
          ErrorCode.TOO_LARGE,
          "jobs must be at most " + Defaults.MAX_BATCH_JOBS + ", they are " + bodies.size());
    }
    return bodies;
  }

  static String place(int index) {
    return "jobs[" + index + "]";
  }

  /** Jobs that are put in together. */
  public List<JobRequest> all(String tenant, List<@Nullable JobBody> bodies) {
    return all(tenant, bodies, JobReader.Around.nothing());
  }

  /** The jobs of a new batch. */
  public List<JobRequest> steps(
      String tenant, List<@Nullable JobBody> bodies, @Nullable String traceparent) {
    return all(tenant, bodies, JobReader.Around.of(AfterReader.Part.STEP, traceparent));
  }

  /** The job that is run when a batch is over. */
  public JobRequest callback(String tenant, JobBody body, @Nullable String traceparent) {
    List<FieldError> errors = new ArrayList<>();
    JobReader.Around around = JobReader.Around.of(AfterReader.Part.CALLBACK, traceparent);
    JobRequest callback = placed("callback", errors, () -> reader.read(tenant, body, around));
    if (callback == null) {
      throw new Invalid(errors);
    }
    return callback;
  }

  private List<JobRequest> all(
      String tenant, List<@Nullable JobBody> bodies, JobReader.Around around) {
    List<JobRequest> jobs = new ArrayList<>(bodies.size());
    List<FieldError> errors = new ArrayList<>();
    for (int i = 0; i < bodies.size() && errors.size() < MOST_ERRORS; i++) {
      JobBody body = bodies.get(i);
      if (body == null) {
        errors.add(new FieldError(place(i), "must be a job"));
        continue;
      }
      JobRequest job = placed(place(i), errors, () -> reader.read(tenant, body, around));
      if (job != null) {
        jobs.add(job);
      }
    }
    if (!errors.isEmpty()) {
      throw new Invalid(errors);
    }
    return jobs;
  }

  private static @Nullable JobRequest placed(
      String place, List<FieldError> errors, Supplier<JobRequest> reading) {
    try {
      return reading.get();
    } catch (Invalid e) {
      e.errors()
          .forEach(
              error -> errors.add(new FieldError(place + "." + error.field(), error.message())));
      return null;
    } catch (SluiceException e) {
      throw e.in(place);
    }
  }
}
