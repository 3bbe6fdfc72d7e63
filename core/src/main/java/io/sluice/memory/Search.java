package io.sluice.memory;

import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.Metadata;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The test whether a job fits a filter, the cheap questions first. */
final class Search implements Predicate<JobEntry> {
  private final JobFilter filter;
  private final @Nullable String text;
  private final @Nullable String escaped;

  Search(JobFilter filter) {
    this.filter = filter;
    this.text = lower(filter.text());
    this.escaped = lower(filter.escapedText());
  }

  private static @Nullable String lower(@Nullable String text) {
    return text == null ? null : text.toLowerCase(Locale.ROOT);
  }

  @Override
  public boolean test(JobEntry job) {
    return (filter.states().isEmpty() || filter.states().contains(job.state))
        && fits(filter.tenant(), job.lane.lane.tenant())
        && fits(filter.queue(), job.lane.lane.queue())
        && fits(filter.type(), job.lane.lane.type())
        && fits(filter.urlGroup(), job.lane.lane.urlGroup())
        && fits(filter.limitKey(), job.lane.lane.limitKey())
        && fits(filter.idempotencyKey(), job.spec.idempotencyKey())
        && (filter.batch() == null || filter.batch().equals(job.spec.ties().batch()))
        && isCreatedInTime(job.createdAt)
        && hasMetadata(job.spec.metadata())
        && hasText(job);
  }

  private static boolean fits(@Nullable String wanted, @Nullable String actual) {
    return wanted == null || wanted.equals(actual);
  }

  private boolean isCreatedInTime(Instant created) {
    Instant from = filter.from();
    Instant to = filter.to();
    return (from == null || !created.isBefore(from)) && (to == null || created.isBefore(to));
  }

  private boolean hasMetadata(Metadata metadata) {
    for (Map.Entry<String, String> wanted : filter.metadata().entrySet()) {
      Object actual = value(metadata, wanted.getKey());
      if (actual == null || !wanted.getValue().equals(actual.toString())) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable Object value(Metadata metadata, String name) {
    return switch (name) {
      case "correlationId" -> metadata.correlationId();
      case "source" -> metadata.source();
      case "userId" -> metadata.userId();
      case "companyId" -> metadata.companyId();
      case "traceparent" -> metadata.traceparent();
      default -> metadata.custom().get(name);
    };
  }

  private boolean hasText(JobEntry job) {
    return text == null
        || contains(job.lane.lane.type(), text)
        || contains(job.spec.payload(), text)
        || (escaped != null && contains(job.spec.payload(), escaped))
        || (job.ending != null && contains(job.ending.reason(), text));
  }

  private static boolean contains(@Nullable String where, String text) {
    return where != null && where.toLowerCase(Locale.ROOT).contains(text);
  }

  /** Why a job is dead, in a word of its own when nobody said. */
  static String reasonOf(JobEntry job) {
    String reason = job.ending == null ? null : job.ending.reason();
    return Objects.requireNonNullElse(reason, "");
  }

  static boolean isDead(JobEntry job) {
    return job.state == JobState.DEAD;
  }
}
