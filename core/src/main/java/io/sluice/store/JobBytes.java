package io.sluice.store;

import io.sluice.JobError;
import io.sluice.JobRecord;
import io.sluice.JobStatus;
import io.sluice.Metadata;
import io.sluice.Page;
import io.sluice.PageSize;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Estimates how many bytes a job takes, in memory or in an answer. */
public final class JobBytes {
  /** Names and values of the fields that have a bounded size. */
  private static final int FIXED = 1_500;

  private static final int PREDECESSOR = 100;

  private JobBytes() {}

  public static long of(JobRecord job) {
    JobStatus status = job.status();
    Metadata metadata = job.spec().metadata();
    return FIXED
        + length(job.payload())
        + length(status.result())
        + length(status.reason())
        + status.errors().stream().mapToLong(JobBytes::of).sum()
        + metadata.custom().toString().length()
        + (long) PREDECESSOR * job.spec().ties().after().size();
  }

  private static long of(JobError error) {
    return length(error.message()) + length(error.stack()) + length(error.responseBody());
  }

  private static long length(@Nullable String text) {
    return text == null ? 0 : text.length();
  }

  /** The page of jobs that were found, of which there are more than it may have if one more was found. */
  public static Page<JobRecord> page(List<JobRecord> found, PageSize size) {
    int fit = 0;
    long bytes = 0;
    while (fit < Math.min(found.size(), size.jobs())) {
      bytes += of(found.get(fit));
      if (fit > 0 && bytes > size.bytes()) {
        break;
      }
      fit++;
    }
    List<JobRecord> items = found.subList(0, fit);
    boolean more = found.size() > fit && fit > 0;
    return new Page<>(items, more ? items.getLast().id().toString() : null);
  }
}
